// include/dra/report/eval/evaluation.h
//
// `kubectl dra eval`: what one expression says of devices, whether the API server takes it, and
// what it costs.
//
// There are two languages. The API server compiles a new expression in one that the release before
// knows, too; the scheduler evaluates what is stored with all that it knows itself. Devices are
// evaluated in the second.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/engine/selectors/clause_table.h"
#include "dra/engine/selectors/suggestions.h"
#include "dra/report/lists/list_devices.h"

namespace dra::report {

struct EvaluationDevice {
  engine::PoolDevice published;
  engine::PoolState pool_state;
};

// Those of the newest generation of every pool, by driver, pool, slice name, then as listed. For a
// node: of the pools as it sees them. The state in the filter is not looked at. Fails with NotFound
// for a node that nothing names, and where the scheduler fails: a node selector that cannot be
// read.
Result<std::vector<EvaluationDevice>> devices_to_evaluate(const engine::Inventory& inventory,
                                                          const DeviceFilter& filter);

struct Evaluation {
  engine::Selector compiled;                        // as the API server compiles a new expression
  engine::Selector stored;                          // as the scheduler compiles a stored one
  bool only_compiled = false;                       // no device was asked for
  bool any_device = false;                          // there were some to evaluate it for
  std::vector<EvaluationDevice> devices = {};       // none if the stored one has no program
  std::optional<engine::Fleet> fleet = {};          // these devices
  std::optional<engine::FleetAnswer> answers = {};  // of these devices
  // Its conditions; also none where devices are of too many kinds.
  std::optional<engine::ClauseTable> clauses = {};
  // Where it matches nothing, fails or does not compile: what helps. Without devices, what
  // compiles.
  std::vector<engine::Suggestion> suggestions = {};

  // Whether the API server would store it.
  bool compiles() const { return !compiled.failure(); }
  std::size_t matches() const { return answers ? answers->matches() : 0; }
  std::size_t failures() const { return answers ? answers->failures() : 0; }
};

// Compiles only; a suggestion then is what compiles.
Evaluation evaluate(std::string_view expression, const snapshot::Server& server);
Evaluation evaluate(std::string_view expression, const snapshot::Server& server,
                    std::vector<EvaluationDevice> devices);

// `values` of a device are those of the expression's parts, as CEL writes them: {"device.driver":
// "\"gpu.nvidia.com\""}.
json::Value to_json(const Evaluation& evaluation);

struct EvaluationView {
  bool wide = false;                 // a row for each device
  bool trees = false;                // every condition for each of the first few devices
  std::string devices_command = {};  // lists those that match, with who has them; may be empty
};
view::Document to_view(const Evaluation& evaluation, const EvaluationView& options);

// The ids of devices that match: "driver/pool/device".
std::vector<std::string> matching(const Evaluation& evaluation);

}  // namespace dra::report

// include/dra/report/eval/evaluation.h
//
// `kubectl dra eval`: evaluates one expression for devices, and says whether the API server accepts
// it and what it costs.
//
// There are two CEL environments. The API server compiles new expressions with the functions that
// the previous release knows as well; the scheduler evaluates stored expressions with all functions
// of its own release. Devices are evaluated with the second.

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

// The devices of the newest generation of every pool, by driver, pool and slice name, then as
// listed. With a node in the filter, of the pools as that node sees them. The filter's state is
// ignored. Fails with NotFound for an unknown node, and for an invalid node selector, where the
// scheduler fails, too.
Result<std::vector<EvaluationDevice>> devices_to_evaluate(const engine::Inventory& inventory,
                                                          const DeviceFilter& filter);

struct Evaluation {
  engine::Selector compiled;                        // as the API server compiles a new expression
  engine::Selector stored;                          // as the scheduler compiles a stored one
  bool only_compiled = false;                       // --check: compiled only
  bool any_device = false;                          // there are devices to evaluate it for
  std::vector<EvaluationDevice> devices = {};       // empty if `stored` has no program
  std::optional<engine::Fleet> fleet = {};          // of `devices`
  std::optional<engine::FleetAnswer> answers = {};  // for `devices`
  // Counts by condition; none if the devices are of too many kinds.
  std::optional<engine::ClauseTable> clauses = {};
  // Changes that help, if it matches nothing, fails or does not compile. Without devices, changes
  // that compile.
  std::vector<engine::Suggestion> suggestions = {};

  // True if the API server would store it.
  bool compiles() const { return !compiled.failure(); }
  std::size_t matches() const { return answers ? answers->matches() : 0; }
  std::size_t failures() const { return answers ? answers->failures() : 0; }
};

// Compiles only; suggestions are changes that compile.
Evaluation evaluate(std::string_view expression, const snapshot::Server& server);
Evaluation evaluate(std::string_view expression, const snapshot::Server& server,
                    std::vector<EvaluationDevice> devices);

// `values` of a device has the values of the expression's parts in CEL's notation:
// {"device.driver":
// "\"gpu.nvidia.com\""}.
json::Value to_json(const Evaluation& evaluation);

struct EvaluationView {
  bool wide = false;                 // a row for each device
  bool trees = false;                // a tree of conditions for each of the first few devices
  std::string devices_command = {};  // the command that lists the matching devices; may be empty
};
view::Document to_view(const Evaluation& evaluation, const EvaluationView& options);

// The ids of devices that match: "driver/pool/device".
std::vector<std::string> matching(const Evaluation& evaluation);

}  // namespace dra::report

// include/dra/answers/explain/selector_findings.h
//
// Finds the wrong part of a selector when the selectors of a demand choose no device of the
// cluster, or one of them fails. Also collects the values that devices have for that part.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dra/cel/hints/comparison.h"
#include "dra/cel/syntax/source.h"
#include "dra/diag/finding.h"
#include "dra/engine/scheduler/demands.h"

namespace dra::answers {

struct SelectorFinding {
  // NoMatch without a message; or SelectorError or SelectorCompile, in the scheduler's words.
  diag::Finding finding;
  bool of_class = false;
  std::size_t index = 0;  // index among the selectors of the class or of the request
  cel::Span span = {};    // position of the part in the expression
  std::string part = {};  // the condition that no device meets, or the code that fails; on one line
  std::optional<cel::Comparison> comparison = {};  // the condition, if it is one
  std::size_t devices = 0;  // devices that do not meet the part, or for which it fails
  std::size_t of = 0;       // devices for which the part is evaluated
  std::size_t met = 0;      // devices that meet the condition, but not all others
  std::string key = {};     // the missing map key, if the error is a missing key
  // The keys that exist instead on the first such device: "domain/id".
  std::vector<std::string> names = {};
  std::vector<engine::SeenInstead> seen = {};  // values of the devices, the most frequent first
};

// Failures come first. Empty if the selectors choose some device and fail for none. `clauses` must
// belong to the demand; without them the function finds failures, but no condition.
std::vector<SelectorFinding> findings_of(const engine::Demands& demands,
                                         const api::DeviceDemand& demand,
                                         const std::optional<engine::ClauseTable>& clauses);

}  // namespace dra::answers

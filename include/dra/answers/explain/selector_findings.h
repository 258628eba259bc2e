// include/dra/answers/explain/selector_findings.h
//
// Finds the part of a selector that is wrong, when the selectors of a demand choose no device of
// the cluster or one of them fails, and the values that devices have there.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dra/cel/syntax/source.h"
#include "dra/diag/finding.h"
#include "dra/engine/scheduler/demands.h"

namespace dra::answers {

struct SelectorFinding {
  // NoMatch without a message; or SelectorError or SelectorCompile, in the scheduler's words.
  diag::Finding finding;
  bool of_class = false;
  std::size_t index = 0;    // of the selector, among those of the class or of the request
  cel::Span span = {};      // of the part, in the selector's expression
  std::string part = {};    // the condition that no device meets, or what fails; on one line
  std::size_t devices = 0;  // devices that do not meet the part, or for which it fails
  std::size_t of = 0;       // devices for which the part is evaluated
  std::size_t met = 0;      // devices that meet the condition, but not the others
  std::string key = {};     // the missing map key, if that is the error
  // The keys that the first such device has instead: "domain/id".
  std::vector<std::string> names = {};
  std::vector<engine::SeenInstead> seen = {};  // the values of devices, the most frequent first
};

// Failures come first. Empty if some device is chosen and the selectors fail for none. `clauses`
// are those of the demand; without them no condition is found.
std::vector<SelectorFinding> findings_of(const engine::Demands& demands,
                                         const api::DeviceDemand& demand,
                                         const std::optional<engine::ClauseTable>& clauses);

}  // namespace dra::answers

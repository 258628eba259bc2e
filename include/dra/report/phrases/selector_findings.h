// include/dra/report/phrases/selector_findings.h
//
// What is wrong with the selectors of a demand, when no device in the cluster can ever be chosen by
// them, or when one of them fails: at which part of which one, and what devices have there.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dra/cel/syntax/source.h"
#include "dra/diag/codes.h"
#include "dra/engine/scheduler/demands.h"

namespace dra::report {

struct SelectorFinding {
  diag::Code code = diag::Code::NoMatch;  // or SelectorError, SelectorCompile
  bool of_class = false;
  std::size_t index = 0;     // of the selector, among those of the class or of the request
  cel::Span span = {};       // of the part, in the selector's expression
  std::string part = {};     // the condition that no device meets, or what fails; on one line
  std::string message = {};  // of what fails, in the scheduler's words; else empty
  std::size_t devices = 0;   // that it concerns,
  std::size_t of = 0;        // of so many that come to it
  std::size_t met = 0;       // devices that meet the condition, but not the others
  std::string key = {};      // that is not there, where that is what fails
  // Of a key that is not there: those that are, of the first such device, "domain/id".
  std::vector<std::string> names = {};
  std::vector<engine::SeenInstead> seen = {};  // what devices have instead; the most frequent first
};

// Failures first. Nothing where all is well: some device is chosen, and the selectors fail for
// none.
// `clauses` are those of the demand; without them no condition is found.
std::vector<SelectorFinding> findings_of(const engine::Demands& demands,
                                         const api::DeviceDemand& demand,
                                         const std::optional<engine::ClauseTable>& clauses);

}  // namespace dra::report

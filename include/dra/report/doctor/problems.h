// include/dra/report/doctor/problems.h: one problem as JSON, and what to do about it.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dra/answers/problems/problems.h"
#include "dra/json/value.h"
#include "dra/report/doctor/overview.h"

namespace dra::report {

// A piece of advice of explain.
struct TriedAdvice {
  std::size_t number;  // as explain counts, from 1
  std::string words;   // "delete pod ml/a (Running 5d, and ...)"
  std::string gain;    // "fits on 1 node"
  std::vector<std::string> commands;
};

// Of a problem of pods that fit nowhere: the best advice, and the best of what commands can carry
// out if that is another. Empty: nothing was tried, or nothing helps.
std::vector<TriedAdvice> tried_for(const answers::Problem& problem);

// `source` makes command lines of commands.
json::Value to_json(const answers::Problem& problem, const OverviewSource& source);

}  // namespace dra::report

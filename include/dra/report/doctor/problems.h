// include/dra/report/doctor/problems.h: one problem as JSON.

#pragma once

#include <string>

#include "dra/answers/problems/problems.h"
#include "dra/json/value.h"

namespace dra::report {

// `command`: the problem's command as a whole command line.
json::Value to_json(const answers::Problem& problem, std::string command);

}  // namespace dra::report

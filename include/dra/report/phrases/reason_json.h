// include/dra/report/phrases/reason_json.h
//
// Reasons as JSON, wherever a report has some: the same fields everywhere, those that say nothing
// left out.

#pragma once

#include <string>
#include <vector>

#include "dra/diag/reason.h"
#include "dra/json/value.h"

namespace dra::report {

json::Value strings_json(const std::vector<std::string>& texts);
json::Value reason_json(const diag::Reason& reason);
json::Value reasons_json(const std::vector<diag::Reason>& reasons);

}  // namespace dra::report

// include/dra/report/phrases/reason_json.h
//
// Reasons as JSON, with the same fields in every report. Empty fields are left out.

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

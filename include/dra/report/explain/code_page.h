// include/dra/report/explain/code_page.h
//
// `kubectl dra explain --code`: presents one reason code with its meaning, the behaviour of
// Kubernetes and the remedy, or lists all codes.

#pragma once

#include <span>

#include "dra/diag/codes.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

json::Value to_json(const diag::CodeInfo& code);
view::Document to_view(const diag::CodeInfo& code);

// All codes: names and titles, and in JSON all that is known of each.
json::Value to_json(std::span<const diag::CodeInfo> codes);
view::Document to_view(std::span<const diag::CodeInfo> codes);

}  // namespace dra::report

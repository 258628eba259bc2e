// include/dra/report/explain/code_page.h
//
// `kubectl dra explain --code`: one reason code: what it means, what Kubernetes does, what to do.

#pragma once

#include "dra/diag/codes.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

json::Value to_json(const diag::CodeInfo& code);
view::Document to_view(const diag::CodeInfo& code);

}  // namespace dra::report

// include/dra/report/explain/code_page.h
//
// `kubectl dra explain --code`: presents one reason code with its meaning, the behaviour of
// Kubernetes and the remedy.

#pragma once

#include "dra/diag/codes.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

json::Value to_json(const diag::CodeInfo& code);
view::Document to_view(const diag::CodeInfo& code);

}  // namespace dra::report

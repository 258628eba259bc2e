// include/dra/report/explain/patch_list.h
//
// `kubectl dra explain --emit-patch`: only the advice that edits of objects carry out, as JSON or
// as a script for a shell. One piece of advice is enough, so the script carries out the first one;
// the others are comments.

#pragma once

#include "dra/answers/explain/explanation.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

json::Value patches_json(const answers::Explanation& explanation);
view::Document patches_view(const answers::Explanation& explanation);

}  // namespace dra::report

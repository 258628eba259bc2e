// include/dra/report/validate/validation.h
//
// Presents the findings of `kubectl dra validate` as JSON and as text. Renderers turn the JSON into
// SARIF, JUnit's XML and the notes of GitHub.

#pragma once

#include <string_view>

#include "dra/answers/validate/validation.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

std::string_view name_of(checks::Phase phase);

json::Value to_json(const answers::Validation& validation);
view::Document to_view(const answers::Validation& validation);

}  // namespace dra::report

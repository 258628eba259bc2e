// include/dra/render/annotations.h
//
// Findings in files for other programs: code scanning, pull requests, test reports. Each is made
// from the JSON of a Validation report (include/dra/report/validate/validation.h).

#pragma once

#include <string>

#include "dra/json/value.h"

namespace dra::render {

// SARIF 2.1.0, with a rule for each code. `version` is the program's.
std::string to_sarif(const json::Value& validation, std::string_view version);

// Workflow commands of GitHub Actions, a line for each finding. A hint is a notice.
std::string to_github(const json::Value& validation);

// JUnit XML: a suite for each file with a finding, a failed case for each finding that is not a
// hint, and a passed one for each hint. Without any finding there is one suite with one case that
// passed.
std::string to_junit(const json::Value& validation);

}  // namespace dra::render

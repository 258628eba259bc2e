// include/dra/render/annotations.h
//
// Findings for other programs: code scanning, pull requests, test reports. Each is made from the
// JSON of a Validation report (include/dra/report/validate/validation.h), whose findings are in
// files, or of a Doctor report (include/dra/report/doctor/doctor.h), whose problems are of objects.

#pragma once

#include <string>

#include "dra/json/value.h"

namespace dra::render {

// SARIF 2.1.0, with a rule for each code. `version` is the program's.
std::string to_sarif(const json::Value& report, std::string_view version);

// Workflow commands of GitHub Actions, a line for each finding. A hint is a notice.
std::string to_github(const json::Value& report);

// JUnit XML: a suite for each file with a finding, or one for the cluster; a failed case for each
// finding that is not a hint, and a passed one for each hint. Without any finding there is one
// suite with one case that passed.
std::string to_junit(const json::Value& report);

}  // namespace dra::render

// src/report/diff/diff_parts.h
//
// The parts that JSON and text of a diff and of a comparison share.

#pragma once

#include <string>

#include "dra/answers/diff/diff.h"
#include "dra/json/value.h"

namespace dra::report {

// "12 objects changed; 4 devices gone, 1 changed hands; 2 verdicts changed."
std::string summary_of(const answers::Diff& diff);

json::Value to_json(const answers::StateAnswer& answer);

}  // namespace dra::report

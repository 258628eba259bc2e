// src/report/diff/diff_text_parts.h
//
// The parts that the JSON and the text of a diff and of a comparison have in common.

#pragma once

#include <string>

#include "dra/json/value.h"
#include "dra/report/diff/diff.h"

namespace dra::report {

// "12 objects changed; 4 devices gone, 1 changed hands; 2 verdicts changed."
std::string summary_of(const Diff& diff);

json::Value to_json(const StateAnswer& answer);

}  // namespace dra::report

// include/dra/json/write.h
//
// The writers of JSON and YAML: of reports, of API objects, of snapshots. Member order is the value's
// own.

#pragma once

#include <string>

#include "dra/json/value.h"

namespace dra::json {

enum class Style {
  Compact,  // one line, no spaces
  Pretty,   // four spaces, as kubectl prints; empty objects and lists stay on one line
  Kubectl,  // Pretty, with <, >, & and U+2028/9 escaped as Go's encoder does
};

// No line break at the end.
std::string write_json(const Value& value, Style style);

}  // namespace dra::json

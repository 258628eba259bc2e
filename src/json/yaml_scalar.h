// src/json/yaml_scalar.h
//
// The meaning of an unquoted YAML scalar. The rules are those of the YAML 1.1 library behind
// kubectl (go.yaml.in/yaml/v2, resolve), not those of the YAML specification: `yes` is true, 010 is
// 8, 1:30 and dates are text.

#pragma once

#include <optional>
#include <string_view>

#include "dra/json/value.h"

namespace dra::json {

// Null, Bool, Number (as a JSON literal) or String. No value: .inf or .nan, which JSON cannot hold.
std::optional<Value> resolve_plain_scalar(std::string_view text);

// The same for a scalar with a tag, which is written out: "tag:yaml.org,2002:int". Any text fits
// the tags that are not YAML's own. No value: the text does not fit the tag.
std::optional<Value> resolve_tagged_scalar(std::string_view tag, std::string_view text);

// The string without quotes would still be text, for that library and for other programs, to which
// dates and numbers to base 60 are not text. Only then it is written without quotes.
bool is_text_when_plain(std::string_view text);

}  // namespace dra::json

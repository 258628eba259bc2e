// src/json/yaml_scalar.h
//
// What an unquoted YAML scalar means. The rules are those of the YAML 1.1 library behind kubectl
// (go.yaml.in/yaml/v2, resolve), not those of the YAML specification: `yes` is true, 010 is 8, 1:30
// and dates are text.

#pragma once

#include <optional>
#include <string_view>

#include "dra/json/value.h"

namespace dra::json {

// Null, Bool, Number (as a JSON literal) or String. No value: .inf or .nan, which JSON cannot hold.
std::optional<Value> resolve_plain_scalar(std::string_view text);

// Whether that library writes a string without quotes as far as its meaning goes: it would be read
// as text again, and by other programs too, to which dates and numbers to base 60 are not text.
bool is_text_when_plain(std::string_view text);

}  // namespace dra::json

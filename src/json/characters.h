// src/json/characters.h
//
// Characters as the YAML library behind kubectl sees them (go.yaml.in/yaml/v2, yamlprivateh.go).
// See also unicode.h.

#pragma once

#include <cstdint>
#include <string_view>

#include "dra/json/parse.h"
#include "dra/json/unicode.h"

namespace dra::json {

bool is_digit(std::uint32_t code);

// A character that ends a line: LF, CR, NEL, LS, PS.
bool is_line_break(std::string_view character);

// YAML may hold the character as it is. The library escapes everything beyond 16 bits.
bool is_yaml_printable(std::string_view character);

}  // namespace dra::json

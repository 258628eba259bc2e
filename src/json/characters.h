// src/json/characters.h
//
// Text by characters, and their classes: as Go sees them, and as the YAML library behind kubectl
// does (go.yaml.in/yaml/v2, yamlprivateh.go).

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dra::json {

// The UTF-8 sequence that begins at `at`; a byte that begins none is a character of its own.
std::string_view character_at(std::string_view text, std::size_t at);

// The code point of a character of valid UTF-8.
std::uint32_t code_of(std::string_view character);

// Replaces bytes that are not UTF-8 by U+FFFD, as Go's encoders do.
std::string repaired_utf8(std::string_view text);

// unicode.IsLetter. Beyond ASCII whole blocks of Unicode are letters or none.
bool is_letter(std::uint32_t code);

bool is_digit(std::uint32_t code);

// A character that ends a line: LF, CR, NEL, LS, PS.
bool is_line_break(std::string_view character);

// YAML may hold the character as it is. The library escapes everything beyond 16 bits.
bool is_yaml_printable(std::string_view character);

}  // namespace dra::json

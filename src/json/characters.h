// src/json/characters.h
//
// Walking over text by characters, and what Go, and the YAML library behind kubectl
// (go.yaml.in/yaml/v2, yamlprivateh.go), take them for.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dra::json {

// The UTF-8 sequence that begins at `at`; a byte that begins none stands alone.
std::string_view character_at(std::string_view text, std::size_t at);

// The number of a character of valid UTF-8.
std::uint32_t code_of(std::string_view character);

// Bytes that are not UTF-8 as U+FFFD, as Go's encoders write them.
std::string repaired_utf8(std::string_view text);

// unicode.IsLetter. Beyond ASCII only as far as whole blocks of Unicode hold letters or none.
bool is_letter(std::uint32_t code);

bool is_digit(std::uint32_t code);

// A character that ends a line: LF, CR, NEL, LS, PS.
bool is_line_break(std::string_view character);

// A character that may stand in YAML as it is. The library does not let pass what is beyond 16
// bits.
bool is_yaml_printable(std::string_view character);

}  // namespace dra::json

// include/dra/json/unicode.h
//
// Text by characters, and their classes as Go sees them (package unicode). kubectl decides by them
// which text stays as it is, which is quoted, and what is a name in a template.

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

// The character of a code point, as UTF-8.
std::string utf8_of(std::uint32_t code);

bool is_letter(std::uint32_t code);         // unicode.IsLetter
bool is_decimal_digit(std::uint32_t code);  // unicode.IsDigit
bool is_number(std::uint32_t code);         // unicode.IsNumber: also fractions and numerals
bool is_space(std::uint32_t code);          // unicode.IsSpace
// unicode.IsPrint: not a control, not invisible, and no space but the ASCII one.
bool is_printable(std::uint32_t code);

}  // namespace dra::json

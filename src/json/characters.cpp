// src/json/characters.cpp: see characters.h.

#include "src/json/characters.h"

#include <algorithm>
#include <iterator>

#include "dra/json/parse.h"

namespace dra::json {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Ranges of signs, spaces and private use. Beyond ASCII all else is taken for letters.
constexpr Range kNoLetters[] = {
    {0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB9},     {0xBB, 0xBF},
    {0xD7, 0xD7},     {0xF7, 0xF7},     {0x2000, 0x2070}, {0x20A0, 0x20FF},
    {0x2190, 0x2BFF}, {0x3000, 0x3004}, {0x3008, 0x3030}, {0xE000, 0xF8FF},
    {0xFE00, 0xFE6F}, {0xFEFF, 0xFEFF}, {0xFFE0, 0xFFFF}, {0x1F000, 0x1FAFF}};

}  // namespace

std::string_view character_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  std::size_t length = 1;
  if (lead >= 0xF0) {
    length = 4;
  } else if (lead >= 0xC0) {
    length = lead >= 0xE0 ? 3 : 2;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if (at + i >= text.size() || (static_cast<unsigned char>(text[at + i]) & 0xC0U) != 0x80U) {
      return text.substr(at, 1);
    }
  }
  return text.substr(at, length);
}

std::uint32_t code_of(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return lead;
  std::uint32_t code = lead & (0x7FU >> character.size());
  for (const char c : character.substr(1)) {
    code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  }
  return code;
}

bool is_letter(std::uint32_t code) {
  if (code < 0x80) return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
  return std::none_of(std::begin(kNoLetters), std::end(kNoLetters), [code](const Range& range) {
    return range.first <= code && code <= range.last;
  });
}

bool is_digit(std::uint32_t code) { return code >= '0' && code <= '9'; }

bool is_line_break(std::string_view character) {
  const std::uint32_t code = code_of(character);
  return code == '\n' || code == '\r' || code == 0x85 || code == 0x2028 || code == 0x2029;
}

bool is_yaml_printable(std::string_view character) {
  const std::uint32_t code = code_of(character);
  if (code < 0xA0) return code == '\n' || (code >= 0x20 && code <= 0x7E);
  return code <= 0xFFFD && code != 0xFEFF && !(code >= 0xD800 && code <= 0xDFFF);
}

std::string repaired_utf8(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = character_at(text, at);
    const bool valid = is_utf8(character);
    out += valid ? character : "\xef\xbf\xbd";
    at += valid ? character.size() : 1;
  }
  return out;
}

}  // namespace dra::json

// src/json/characters.cpp: see characters.h.

#include "src/json/characters.h"

#include "dra/json/parse.h"

namespace dra::json {

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

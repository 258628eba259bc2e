// src/render/go_template/quotes.cpp: see quotes.h.

#include "src/render/go_template/quotes.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "dra/json/unicode.h"

namespace dra::render::go_template {

std::string quoted_character(std::uint32_t code, char quote, bool ascii) {
  if (code == static_cast<std::uint32_t>(quote) || code == '\\') {
    return std::string("\\") + static_cast<char>(code);
  }
  if (json::is_printable(code) && (!ascii || code < 0x80)) return json::utf8_of(code);
  constexpr std::string_view controls = "\a\b\f\n\r\t\v";
  constexpr std::string_view letters = "abfnrtv";
  const std::size_t control = code < 0x20 ? controls.find(static_cast<char>(code)) : controls.npos;
  if (control != controls.npos) return std::string("\\") + letters[control];
  if (code < ' ' || code == 0x7f) return base::format("\\x{:02x}", code);
  return code < 0x10000 ? base::format("\\u{:04x}", code) : base::format("\\U{:08x}", code);
}

std::string quoted_text(std::string_view text, bool ascii) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = json::character_at(text, at);
    if (json::is_utf8(character)) {
      out += quoted_character(json::code_of(character), '"', ascii);
      at += character.size();
    } else {
      out += base::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(text[at])));
      ++at;
    }
  }
  return out + "\"";
}

bool is_raw(std::string_view text) {
  if (!json::is_utf8(text) || text.find("\xef\xbb\xbf") != std::string_view::npos) return false;
  return std::ranges::none_of(text, [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '`' || c == 0x7f;
  });
}

}  // namespace dra::render::go_template

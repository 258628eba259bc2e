// src/render/go_template/escapes.cpp: see escapes.h.

#include "src/render/go_template/escapes.h"

#include <algorithm>
#include <cstdint>

#include "dra/base/ascii.h"
#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "dra/json/unicode.h"

namespace dra::render::go_template {
namespace {

std::string js_character(std::string_view character) {
  constexpr std::string_view quoted = "\\'\"";
  constexpr std::string_view escaped = "<>&=";
  const char c = character.front();
  const std::uint32_t code = json::code_of(character);
  if (quoted.find(c) != std::string_view::npos) return std::string("\\") + c;
  if (code < ' ' || escaped.find(c) != std::string_view::npos || !json::is_printable(code)) {
    if (code != 0x7f) return base::format("\\u{:04X}", code);
  }
  return std::string(character);
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\0':
        out += "\xef\xbf\xbd";
        break;
      case '"':
        out += "&#34;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string escape_js(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = json::character_at(text, at);
    const bool valid = json::is_utf8(character);
    out += valid ? js_character(character) : std::string(text.substr(at, 1));
    at += valid ? character.size() : 1;
  }
  return out;
}

std::string escape_query(std::string_view text) {
  constexpr std::string_view plain = "-_.~";
  std::string out;
  for (const char c : text) {
    if (base::is_letter_or_digit(c) || plain.find(c) != std::string_view::npos) {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      out += base::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

std::optional<std::string> decode_base64(std::string_view text) {
  constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string letters;
  std::ranges::copy_if(text, std::back_inserter(letters),
                       [](char c) { return c != '\r' && c != '\n'; });
  if (letters.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && letters.ends_with('=')) {
    letters.pop_back();
    ++padding;
  }
  std::string out;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::size_t value = alphabet.find(letters[i]);
    if (value == std::string_view::npos) return std::nullopt;
    bits = bits << 6U | static_cast<std::uint32_t>(value);
    constexpr unsigned whole[] = {0, 4, 2, 0};  // bits left over behind a byte
    if (i % 4 > 0) out += static_cast<char>(bits >> whole[i % 4] & 0xFFU);
  }
  return out;
}

}  // namespace dra::render::go_template

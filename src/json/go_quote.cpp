// src/json/go_quote.cpp: see go_quote.h.

#include "dra/json/go_quote.h"

#include <charconv>
#include <cstdint>

#include "dra/json/parse.h"
#include "src/json/characters.h"

namespace dra::json {
namespace {

char simple_escape(char c) {
  constexpr std::string_view letters = "abfnrtv\\";
  constexpr std::string_view means = "\a\b\f\n\r\t\v\\";
  const std::size_t at = letters.find(c);
  return at == std::string_view::npos ? '\0' : means[at];
}

// Reads exactly so many digits off the front of `rest`.
std::optional<std::uint32_t> take_code(std::string_view& rest, std::size_t digits, int base) {
  if (rest.size() < digits) return std::nullopt;
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + digits, code, base);
  if (error != std::errc() || end != rest.data() + digits) return std::nullopt;
  rest.remove_prefix(digits);
  return code;
}

// Reads an escape, after its backslash.
bool append_escape(std::string& out, std::string_view& rest, char quote) {
  if (rest.empty()) return false;
  const char c = rest.front();
  if (c >= '0' && c <= '7') {
    const auto code = take_code(rest, 3, 8);
    if (!code || *code > 0xFF) return false;
    out += static_cast<char>(*code);
    return true;
  }
  rest.remove_prefix(1);
  if (c == quote) {
    out += c;
    return true;
  }
  if (const char meaning = simple_escape(c)) {
    out += meaning;
    return true;
  }
  if (c != 'x' && c != 'u' && c != 'U') return false;
  const auto code = take_code(rest, c == 'x' ? 2 : c == 'u' ? 4 : 8, 16);
  if (!code) return false;
  if (c == 'x') {
    out += static_cast<char>(*code);
    return true;
  }
  if (*code > 0x10FFFF || (*code >= 0xD800 && *code <= 0xDFFF)) return false;
  out += utf8_of(*code);
  return true;
}

}  // namespace

std::optional<std::string> go_unquote(std::string_view quoted) {
  if (quoted.size() < 2 || quoted.front() != quoted.back()) return std::nullopt;
  const char quote = quoted.front();
  std::string_view rest = quoted.substr(1, quoted.size() - 2);
  if (rest.find('\\') == std::string_view::npos && rest.find(quote) == std::string_view::npos) {
    return std::string(rest);
  }
  std::string out;
  while (!rest.empty()) {
    const std::string_view character = character_at(rest, 0);
    const bool valid = is_utf8(character);
    if (character.front() == quote) return std::nullopt;
    rest.remove_prefix(valid ? character.size() : 1);
    if (character != "\\") {
      out += valid ? character : "\xef\xbf\xbd";
    } else if (!append_escape(out, rest, quote)) {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace dra::json

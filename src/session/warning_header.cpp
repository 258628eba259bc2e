// src/session/warning_header.cpp: see warning_header.h.

#include "src/session/warning_header.h"

#include <algorithm>
#include <optional>

#include "dra/base/text.h"
#include "dra/json/parse.h"

namespace dra::session {
namespace {

// The only code of warnings for people; client-go shows no other.
constexpr std::string_view kForPeople = "299";

bool is_code(std::string_view text) {
  return text.size() == 3 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Valid UTF-8 without control characters. C1 controls are two bytes, of which the first is 0xc2.
bool is_clean(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < ' ' || byte == 0x7f) return false;
    const bool c1 = byte == 0xc2 && i + 1 < text.size() && (text[i + 1] & 0x60) == 0;
    if (c1) return false;
  }
  return json::is_utf8(text);
}

// Reads a word and the one space behind it.
std::optional<std::string_view> take_word(std::string_view& rest) {
  const std::size_t space = rest.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const std::string_view word = rest.substr(0, space);
  rest.remove_prefix(space + 1);
  return word;
}

// Reads a text in quotes. A backslash escapes a quote or a backslash; before other characters it is
// dropped.
std::optional<std::string> take_quoted(std::string_view& rest) {
  if (!rest.starts_with('"')) return std::nullopt;
  std::string text;
  bool escaping = false;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    const char c = rest[i];
    const bool special = c == '"' || c == '\\';
    if (special && !escaping) {
      if (c == '"') {
        rest = base::trim(rest.substr(i + 1));
        return text;
      }
      escaping = true;
      continue;
    }
    text += c;
    escaping = false;
  }
  return std::nullopt;
}

// Reads the date that may follow, and the comma before another warning. False: neither fits.
bool take_end(std::string_view& rest) {
  if (rest.starts_with('"')) {
    const std::size_t end = rest.find('"', 1);
    if (end == std::string_view::npos) return false;
    rest = base::trim(rest.substr(end + 1));
  }
  if (rest.empty()) return true;
  if (rest.front() != ',') return false;
  rest = base::trim(rest.substr(1));
  return true;
}

}  // namespace

std::vector<std::string> parse_warnings(std::string_view header) {
  std::vector<std::string> texts;
  while (!header.empty()) {
    header = base::trim(header);
    const auto code = take_word(header);
    if (!code || !is_code(*code)) break;
    const auto agent = take_word(header);
    if (!agent || agent->empty() || !is_clean(*agent)) break;
    std::optional<std::string> text = take_quoted(header);
    if (!text || !is_clean(*text) || !take_end(header)) break;
    if (*code == kForPeople && !text->empty()) texts.push_back(std::move(*text));
  }
  return texts;
}

}  // namespace dra::session

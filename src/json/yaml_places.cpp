// src/json/yaml_places.cpp: walks through the value and the text together. White space is passed
// over in both, because lines are folded and indentation is dropped.

#include "dra/json/yaml_places.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "dra/base/ascii.h"
#include "dra/json/yaml.h"
#include "src/json/yaml_properties.h"

namespace dra::json {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::optional<std::size_t> offset_in(std::string_view text, Position at) {
  std::size_t start = 0;
  for (std::uint32_t line = 1; line < at.line; ++line) {
    start = text.find('\n', start);
    if (start == std::string_view::npos) return std::nullopt;
    ++start;
  }
  const std::size_t offset = start + at.column - 1;
  return at.line > 0 && at.column > 0 && offset < text.size() ? std::optional(offset)
                                                              : std::nullopt;
}

Position position_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_break = before.rfind('\n');
  const std::size_t start = line_break == std::string_view::npos ? 0 : line_break + 1;
  return {static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1),
          static_cast<std::uint32_t>(offset - start + 1)};
}

// What an escape of double quotes stands for, and its length. No text: a character beyond ASCII,
// which expressions hardly have.
struct Escape {
  std::string text;
  std::size_t length = 2;
};

Escape escape_of(std::string_view source) {
  const char kind = source.size() > 1 ? source[1] : '\0';
  if (kind == '"' || kind == '\'' || kind == '\\' || kind == '/') return {std::string(1, kind)};
  const std::size_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
  unsigned code = 0;
  for (const char c : source.substr(std::min<std::size_t>(2, source.size()), digits))
    code = code * 16 + base::hex_digit(c).value_or(0);
  constexpr unsigned beyond_ascii = 0x80;
  if (digits == 0 || code >= beyond_ascii) return {};
  return {std::string(1, static_cast<char>(code)), 2 + digits};
}

// Both are at the first character of the content.
class Walk {
 public:
  Walk(std::string_view text, std::size_t at, char style) : text_(text), at_(at), style_(style) {}

  // Passes over the part of the value; false if the text has another value.
  bool pass(std::string_view value) {
    while (true) {
      value.remove_prefix(
          static_cast<std::size_t>(std::ranges::find_if_not(value, is_space) - value.begin()));
      if (value.empty()) return true;
      pass_spaces();
      const std::string next = next_text();
      if (next.empty() || !value.starts_with(next)) return false;
      value.remove_prefix(next.size());
    }
  }

  void pass_spaces() {
    while (at_ < text_.size() && (is_space(text_[at_]) || escapes_space()))
      at_ += is_space(text_[at_]) ? 1 : 2;
  }

  std::size_t at() const { return at_; }

 private:
  bool escapes_space() const {
    if (style_ != '"' || text_[at_] != '\\' || at_ + 1 >= text_.size()) return false;
    return std::string_view("\n\r nt").find(text_[at_ + 1]) != std::string_view::npos;
  }

  std::string next_text() {
    if (at_ >= text_.size()) return {};
    if (style_ == '"' && text_[at_] == '\\') {
      Escape escape = escape_of(text_.substr(at_));
      at_ += escape.length;
      return std::move(escape.text);
    }
    const bool doubled = style_ == '\'' && text_.substr(at_).starts_with("''");
    const char c = text_[at_];
    at_ += doubled ? 2 : 1;
    return std::string(1, c);
  }

  std::string_view text_;
  std::size_t at_;
  char style_;
};

}  // namespace

std::optional<Position> position_within(std::string_view text, Position scalar,
                                        std::string_view value, std::size_t offset) {
  text = without_byte_order_mark(text);
  const auto start = offset_in(text, scalar);
  if (!start || offset > value.size()) return std::nullopt;
  const std::string_view content = behind_properties(text.substr(*start));
  if (content.empty()) return std::nullopt;
  const char style = content.front();
  std::size_t begin = text.size() - content.size();
  if (style == '"' || style == '\'') ++begin;
  if (style == '|' || style == '>') begin = std::min(text.find('\n', begin), text.size());
  Walk walk(text, begin, style);
  if (!walk.pass(value.substr(0, offset))) return std::nullopt;
  Walk rest = walk;
  if (!rest.pass(value.substr(offset))) return std::nullopt;
  walk.pass_spaces();
  return position_at(text, walk.at());
}

std::size_t end_of_quoted(std::string_view text) {
  const char quote = text.front();
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 >= text.size() || text[i + 1] != quote) return i + 1;
      ++i;
    }
  }
  return std::string_view::npos;
}

}  // namespace dra::json

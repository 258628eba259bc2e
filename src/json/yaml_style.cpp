// src/json/yaml_style.cpp: one pass over the characters, which notes what each style cannot hold.

#include "src/json/yaml_style.h"

#include <cstddef>

#include "src/json/characters.h"

namespace dra::json {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// A character that cannot begin a plain text.
bool is_indicator(std::string_view text, std::size_t at, bool after_blank) {
  const char c = text[at];
  const bool before_blank = at + 1 >= text.size() || is_blank(text[at + 1]);
  if (at == 0) {
    constexpr std::string_view always = "#,[]{}&*!|>'\"%@`";
    return always.find(c) != std::string_view::npos ||
           ((c == '?' || c == ':' || c == '-') && before_blank);
  }
  return (c == ':' && before_blank) || (c == '#' && after_blank);
}

// Spaces and line breaks, and how they follow each other.
struct Gaps {
  bool leading = false;         // either at the front
  bool trailing_space = false;  // at the end
  bool trailing_break = false;
  bool break_space = false;  // a space after a break
  bool space_break = false;  // a break after a space
};

}  // namespace

YamlStyles possible_styles(std::string_view text,
                           base::FunctionRef<bool(std::string_view)> special) {
  YamlStyles styles;
  if (text.empty()) {
    styles.block = false;
    return styles;
  }
  bool indicators = text.starts_with("---") || text.starts_with("...");
  bool specials = false;
  bool after_blank = true;
  Gaps gaps;
  char previous = 'x';  // ' ' or '\n' for any break
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = character_at(text, at);
    const bool last = at + character.size() == text.size();
    indicators = indicators || is_indicator(text, at, after_blank);
    specials = specials || special(character);
    const bool is_break = is_line_break(character);
    if (character == " ") {
      gaps.trailing_space = last;
      gaps.break_space = gaps.break_space || previous == '\n';
    } else if (is_break) {
      styles.multiline = true;
      gaps.trailing_break = last;
      gaps.space_break = gaps.space_break || previous == ' ';
    }
    previous = is_break ? '\n' : character == " " ? ' ' : 'x';
    if (at == 0) gaps.leading = previous != 'x';
    after_blank = is_break || is_blank(character.front()) || character.front() == '\0';
    at += character.size();
  }
  const bool escapes = gaps.space_break || specials;
  const bool at_ends = gaps.leading || gaps.trailing_space || gaps.trailing_break;
  styles.single_quoted = !gaps.break_space && !escapes;
  styles.plain = styles.single_quoted && !at_ends && !styles.multiline && !indicators;
  styles.block = !gaps.trailing_space && !escapes;
  return styles;
}

}  // namespace dra::json

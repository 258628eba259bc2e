// src/json/yaml_emitter.cpp: emitterc.go, function by function, as far as it is reached.

#include "src/json/yaml_emitter.h"

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "src/json/characters.h"
#include "src/json/yaml_scalar.h"
#include "src/json/yaml_style.h"

namespace dra::json {
namespace {

constexpr int kBestWidth = 80;

// The letter of an escape that has one, else 0.
char escape_letter(std::uint32_t code) {
  switch (code) {
    case 0x00:
      return '0';
    case 0x07:
      return 'a';
    case '\b':
      return 'b';
    case '\t':
      return 't';
    case '\n':
      return 'n';
    case '\v':
      return 'v';
    case '\f':
      return 'f';
    case '\r':
      return 'r';
    case 0x1b:
      return 'e';
    case '"':
      return '"';
    case '\\':
      return '\\';
    case 0x85:
      return 'N';
    case 0xA0:
      return '_';
    case 0x2028:
      return 'L';
    case 0x2029:
      return 'P';
    default:
      return 0;
  }
}

bool space_at(std::string_view text, std::size_t at) { return at < text.size() && text[at] == ' '; }

}  // namespace

void YamlEmitter::literal(std::string_view text) { indicator(text, true); }

void YamlEmitter::string(std::string_view text, int indent, Place place) {
  const Scalar scalar{text, indent, place == Place::Node};
  switch (style_of(text, place)) {
    case Style::Plain:
      return write_plain(scalar);
    case Style::SingleQuoted:
      return write_single_quoted(scalar);
    case Style::DoubleQuoted:
      return write_double_quoted(scalar);
    case Style::Literal:
      return write_literal(scalar);
  }
}

void YamlEmitter::mark(char c, bool space_before) {
  const bool still_indention = indention_;
  indicator({&c, 1}, space_before);
  indention_ = still_indention;
}

void YamlEmitter::colon() { indicator(":", false); }

void YamlEmitter::indent(int width) {
  if (!indention_ || column_ > width || (column_ == width && !whitespace_)) line_break("\n");
  while (column_ < width)
    put(" ");
  whitespace_ = true;
  indention_ = true;
}

YamlEmitter::Style YamlEmitter::style_of(std::string_view text, Place place) const {
  const YamlStyles styles =
      possible_styles(text, [this](std::string_view character) { return must_escape(character); });
  if (text.find('\n') != std::string_view::npos) {
    return styles.block && place == Place::Node ? Style::Literal : Style::DoubleQuoted;
  }
  if (!is_text_when_plain(text)) return Style::DoubleQuoted;
  if (styles.plain) return Style::Plain;
  return styles.single_quoted ? Style::SingleQuoted : Style::DoubleQuoted;
}

// Text is folded at single spaces once the line is longer than kBestWidth, not before.
bool YamlEmitter::folds_at(const Scalar& scalar, std::size_t at, bool after_space) const {
  return scalar.may_fold && !after_space && column_ > kBestWidth && at > 0 &&
         at + 1 < scalar.text.size();
}

void YamlEmitter::write_plain(const Scalar& scalar) {
  if (!whitespace_) put(" ");
  write_lines(scalar, false);
  whitespace_ = false;
  indention_ = false;
}

void YamlEmitter::write_single_quoted(const Scalar& scalar) {
  indicator("'", true);
  write_lines(scalar, true);
  indicator("'", false);
}

// A plain text has no line breaks. A quoted one has only LS and PS, because text with LF is literal
// or has escapes. They are written as they are and not doubled.
void YamlEmitter::write_lines(const Scalar& scalar, bool single_quoted) {
  bool after_space = false;
  bool after_break = false;
  for (std::size_t at = 0; at < scalar.text.size();) {
    const std::string_view character = character_at(scalar.text, at);
    if (character == " ") {
      const bool fold = folds_at(scalar, at, after_space) && !space_at(scalar.text, at + 1);
      if (fold) {
        indent(scalar.indent);
      } else {
        put(character);
      }
      after_space = true;
    } else if (is_line_break(character)) {
      line_break(character);
      indention_ = true;
      after_break = true;
    } else {
      if (after_break) indent(scalar.indent);
      if (single_quoted && character == "'") put("'");
      put(character);
      indention_ = false;
      after_space = false;
      after_break = false;
    }
    at += character.size();
  }
}

void YamlEmitter::write_double_quoted(const Scalar& scalar) {
  indicator("\"", true);
  // The library compares with the front of the text, wherever in the text it is.
  const bool escape_all = scalar.text.starts_with("\xef\xbb\xbf");
  bool after_space = false;
  for (std::size_t at = 0; at < scalar.text.size();) {
    const std::string_view character = character_at(scalar.text, at);
    const bool special = escape_all || must_escape(character) || is_line_break(character) ||
                         character == "\"" || character == "\\";
    const bool space = character == " " && !special;
    if (special) {
      write_escape(character);
    } else if (space && folds_at(scalar, at, after_space)) {
      indent(scalar.indent);
      if (space_at(scalar.text, at + 1)) put("\\");
    } else {
      put(character);
    }
    after_space = space;
    at += character.size();
  }
  indicator("\"", false);
}

void YamlEmitter::write_escape(std::string_view character) {
  const std::uint32_t code = code_of(character);
  std::string escape = "\\";
  if (const char letter = escape_letter(code)) {
    escape += letter;
  } else if (code <= 0xFF) {
    escape += base::format("x{:02X}", code);
  } else if (code <= 0xFFFF) {
    escape += base::format("u{:04X}", code);
  } else {
    escape += base::format("U{:08X}", code);
  }
  for (const char& c : escape)
    put({&c, 1});
}

void YamlEmitter::write_literal(const Scalar& scalar) {
  const std::string_view text = scalar.text;
  const std::string_view first = character_at(text, 0);
  indicator("|", true);
  if (first == " " || is_line_break(first)) indicator("2", false);
  std::size_t breaks = 0;  // at the end
  std::size_t start = text.size();
  while (start > 0 && breaks < 2) {
    do {
      --start;
    } while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0U) == 0x80U);
    if (!is_line_break(character_at(text, start))) break;
    ++breaks;
  }
  const bool keep = breaks == 2 || (breaks == 1 && start == 0 && text.size() == first.size());
  if (breaks == 0) indicator("-", false);
  if (keep) indicator("+", false);
  line_break("\n");
  indention_ = true;
  whitespace_ = true;
  bool after_break = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = character_at(text, at);
    const bool is_break = is_line_break(character);
    if (is_break) {
      line_break(character);
    } else {
      if (after_break) indent(scalar.indent);
      put(character);
    }
    indention_ = is_break;
    after_break = is_break;
    at += character.size();
  }
}

bool YamlEmitter::must_escape(std::string_view character) const {
  if (!is_yaml_printable(character)) return true;
  return for_terminal_ && character != "\n" && !base::is_plain(character) &&
         base::printable(character) != character;
}

void YamlEmitter::put(std::string_view character) {
  out += character;
  ++column_;
}

void YamlEmitter::line_break(std::string_view character) {
  out += character;
  column_ = 0;
}

void YamlEmitter::indicator(std::string_view text, bool space_before) {
  if (space_before && !whitespace_) put(" ");
  for (const char& c : text)
    put({&c, 1});
  whitespace_ = false;
  indention_ = false;
}

}  // namespace dra::json

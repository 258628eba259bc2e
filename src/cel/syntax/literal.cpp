// src/cel/syntax/literal.cpp: the values of numbers, strings and bytes, with their escapes.

#include "src/cel/syntax/token_stream.h"

#include <charconv>
#include <cstdlib>
#include <string>
#include <utility>

#include "dra/base/ascii.h"
#include "dra/cel/syntax/utf8.h"

namespace dra::cel {
namespace {

std::uint32_t parse_digits(std::string_view digits, std::uint32_t base) {
  std::uint32_t value = 0;
  for (const char c : digits) {
    const std::uint32_t digit = base::is_digit(c)
                                    ? static_cast<std::uint32_t>(c - '0')
                                    : static_cast<std::uint32_t>((c | 0x20) - 'a') + 10;
    value = value * base + digit;
  }
  return value;
}

// Appends the character of an escape sequence, which the lexer has accepted. Returns upstream's
// error if it is invalid.
std::string_view append_escape(std::string& out, std::string_view escape, bool bytes) {
  constexpr std::string_view letters = "abfnrtv";
  constexpr std::string_view meanings = "\a\b\f\n\r\t\v";
  const char c = escape[1];
  if (const std::size_t at = letters.find(c); at != std::string_view::npos) {
    out += meanings[at];
    return {};
  }
  const bool octal = base::is_octal(c);
  if (!octal && escape.size() == 2) {
    out += c;
    return {};
  }
  if (bytes && (c == 'u' || c == 'U')) return "unable to unescape string";
  const std::uint32_t code =
      octal ? parse_digits(escape.substr(1), 8) : parse_digits(escape.substr(2), 16);
  if (bytes) {
    out += static_cast<char>(code);
    return {};
  }
  const bool surrogate = code >= 0xD800U && code <= 0xDFFFU;
  if (surrogate || code > 0x10FFFFU) return "invalid unicode code point";
  append_rune(out, code);
  return {};
}

// CR and CR LF become LF.
std::string with_line_feeds(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool before_feed = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (!before_feed) out += text[i] == '\r' ? '\n' : text[i];
  }
  return out;
}

struct Unescaped {
  std::string text;
  std::string_view error = {};
};

// The content of a string without its quotes and its `r`.
Unescaped unescape(std::string_view literal, bool bytes) {
  const bool raw = literal[0] == 'r' || literal[0] == 'R';
  if (raw) literal.remove_prefix(1);
  const bool triple = literal.size() >= 6 && literal[1] == literal[0] && literal[2] == literal[0];
  const std::size_t width = triple ? 3 : 1;
  const std::string content = with_line_feeds(literal.substr(width, literal.size() - 2 * width));
  if (raw) return {content};
  Unescaped out;
  for (std::size_t i = 0; i < content.size();) {
    if (content[i] != '\\') {
      out.text += content[i++];
      continue;
    }
    const std::size_t length = escape_length(std::string_view(content).substr(i));
    out.error = append_escape(out.text, std::string_view(content).substr(i, length), bytes);
    if (!out.error.empty()) return out;
    i += length;
  }
  return out;
}

template <class T>
LiteralOrError integer(std::string_view digits, bool negative, std::string_view complaint) {
  const bool hex = digits.starts_with("0x");
  const std::string written =
      std::string(negative ? "-" : "") + std::string(digits.substr(hex ? 2 : 0));
  T value{};
  const char* end = written.data() + written.size();
  const auto parsed = std::from_chars(written.data(), end, value, hex ? 16 : 10);
  if (parsed.ec != std::errc() || parsed.ptr != end) return {.error = complaint};
  return {value};
}

// Uses strtod, as from_chars fails for numbers that round to 0.
LiteralOrError real(std::string_view digits, bool negative) {
  constexpr double largest = 1.7976931348623157e308;
  const std::string written = std::string(negative ? "-" : "") + std::string(digits);
  const double value = std::strtod(written.c_str(), nullptr);
  if (value > largest || value < -largest) return {.error = "invalid double literal"};
  return {value};
}

LiteralOrError text(std::string_view word, bool bytes) {
  Unescaped content = unescape(word, bytes);
  if (!content.error.empty()) return {.error = content.error};
  if (bytes) return {Bytes{std::move(content.text)}};
  return {std::move(content.text)};
}

}  // namespace

LiteralOrError read_literal(const Token& word, bool negative) {
  switch (word.kind) {
    case TokenKind::Int:
      return integer<std::int64_t>(word.text, negative, "invalid int literal");
    case TokenKind::Uint:
      return integer<std::uint64_t>(word.text.substr(0, word.text.size() - 1), false,
                                    "invalid uint literal");
    case TokenKind::Double:
      return real(word.text, negative);
    case TokenKind::String:
      return text(word.text, false);
    case TokenKind::Bytes:
      return text(word.text.substr(1), true);
    case TokenKind::Null:
      return {};
    default:
      return {word.kind == TokenKind::True};
  }
}

}  // namespace dra::cel

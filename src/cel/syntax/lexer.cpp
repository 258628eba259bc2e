// src/cel/syntax/lexer.cpp: scans tokens by hand; each function returns the length of one kind.

#include "dra/cel/syntax/lexer.h"

#include <algorithm>
#include <array>
#include <optional>

#include "dra/base/ascii.h"
#include "dra/cel/syntax/utf8.h"

namespace dra::cel {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'; }
bool is_quote(char c) { return c == '"' || c == '\''; }

template <class Predicate>
std::size_t run(std::string_view text, std::size_t from, Predicate predicate) {
  while (from < text.size() && predicate(text[from]))
    ++from;
  return from;
}

// The length of a string from its quote on; 0 if it is not terminated.
std::size_t quoted_length(std::string_view text, bool raw, bool triple) {
  const std::size_t width = triple ? 3 : 1;
  const std::string_view mark = text.substr(0, width);
  for (std::size_t i = width; i < text.size();) {
    if (text.substr(i, width) == mark) return i + width;
    if (!triple && (text[i] == '\n' || text[i] == '\r')) return 0;
    if (raw || text[i] != '\\') {
      ++i;
      continue;
    }
    const std::size_t escape = escape_length(text.substr(i));
    if (escape == 0) return 0;
    i += escape;
  }
  return 0;
}

// The length of a string literal with its prefix `r`; 0 if there is none.
std::size_t string_length(std::string_view text) {
  const bool raw = !text.empty() && (text[0] == 'r' || text[0] == 'R');
  const std::string_view body = text.substr(raw ? 1 : 0);
  if (body.empty() || !is_quote(body[0])) return 0;
  const bool triple = body.size() >= 3 && body[1] == body[0] && body[2] == body[0];
  std::size_t length = triple ? quoted_length(body, raw, true) : 0;
  if (length == 0) length = quoted_length(body, raw, false);
  return length == 0 ? 0 : length + (raw ? 1 : 0);
}

struct Word {
  TokenKind kind;
  std::size_t length;
};

// "1", "0x1F", "1u", "1.5", "1e3", ".5"
std::optional<Word> number(std::string_view text) {
  const auto at = [text](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
  const auto with_suffix = [&at](std::size_t end) {
    return at(end) == 'u' || at(end) == 'U' ? Word{TokenKind::Uint, end + 1}
                                            : Word{TokenKind::Int, end};
  };
  if (at(0) == '0' && at(1) == 'x' && base::is_hex(at(2)))
    return with_suffix(run(text, 2, base::is_hex));
  const std::size_t whole = run(text, 0, base::is_digit);
  std::size_t end = whole;
  if (at(end) == '.' && base::is_digit(at(end + 1))) end = run(text, end + 1, base::is_digit);
  if (end == 0) return std::nullopt;
  if (at(end) == 'e' || at(end) == 'E') {
    const std::size_t digits = end + (at(end + 1) == '+' || at(end + 1) == '-' ? 2 : 1);
    if (base::is_digit(at(digits)))
      return Word{TokenKind::Double, run(text, digits, base::is_digit)};
  }
  return end == whole ? with_suffix(end) : Word{TokenKind::Double, end};
}

TokenKind kind_of_word(std::string_view word) {
  if (word == "true") return TokenKind::True;
  if (word == "false") return TokenKind::False;
  if (word == "null") return TokenKind::Null;
  if (word == "in") return TokenKind::In;
  return TokenKind::Identifier;
}

std::size_t symbol_length(std::string_view text) {
  constexpr std::array<std::string_view, 6> pairs{"==", "!=", "<=", ">=", "&&", "||"};
  constexpr std::string_view singles = "<>[]{}().,-!?:+*/%";
  if (std::ranges::find(pairs, text.substr(0, 2)) != pairs.end()) return 2;
  return singles.find(text[0]) != std::string_view::npos ? 1 : 0;
}

std::size_t escaped_identifier_length(std::string_view text) {
  if (text[0] != '`') return 0;
  const std::size_t end = run(text, 1, [](char c) {
    return is_letter(c) || base::is_digit(c) || c == '.' || c == '-' || c == '/' || c == ' ';
  });
  return end > 1 && end < text.size() && text[end] == '`' ? end + 1 : 0;
}

Word word_at(std::string_view text) {
  const bool bytes = text[0] == 'b' || text[0] == 'B';
  if (const std::size_t length = string_length(text.substr(bytes ? 1 : 0))) {
    return bytes ? Word{TokenKind::Bytes, length + 1} : Word{TokenKind::String, length};
  }
  if (is_letter(text[0])) {
    const std::size_t end = run(text, 0, [](char c) { return is_letter(c) || base::is_digit(c); });
    return {kind_of_word(text.substr(0, end)), end};
  }
  if (const auto found = number(text)) return *found;
  if (const std::size_t length = escaped_identifier_length(text)) {
    return {TokenKind::EscapedIdentifier, length};
  }
  const std::size_t length = symbol_length(text);
  return {length == 0 ? TokenKind::Invalid : TokenKind::Symbol, length};
}

// Skips white space and comments.
std::size_t skip_hidden(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (is_space(text[at])) {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = run(text, at, [](char c) { return c != '\n'; });
    } else {
      break;
    }
  }
  return at;
}

}  // namespace

std::size_t escape_length(std::string_view text) {
  constexpr std::string_view single = "abfnrtv\"'\\?`";
  if (text.size() < 2) return 0;
  const char c = text[1];
  if (single.find(c) != std::string_view::npos) return 2;
  std::size_t digits = 0;
  if (c == 'x' || c == 'X') digits = 2;
  if (c == 'u') digits = 4;
  if (c == 'U') digits = 8;
  if (digits > 0)
    return run(text.substr(0, 2 + digits), 2, base::is_hex) == 2 + digits ? 2 + digits : 0;
  const bool octal = c >= '0' && c <= '3' && text.size() >= 4;
  return octal && base::is_octal(text[2]) && base::is_octal(text[3]) ? 4 : 0;
}

bool is_reserved(std::string_view word) {
  constexpr std::array<std::string_view, 17> words{
      "as",  "break", "const",     "continue", "else",   "for", "function", "if",   "import",
      "let", "loop",  "namespace", "package",  "return", "var", "void",     "while"};
  return std::ranges::binary_search(words, word);
}

std::vector<Token> tokens_of(const Source& source) {
  const std::string_view text = source.text();
  std::vector<Token> tokens;
  std::size_t counted = 0;  // bytes that `offset` has counted
  std::uint32_t offset = 0;
  const auto offset_of = [&](std::size_t byte) {
    offset += static_cast<std::uint32_t>(count_runes(text.substr(counted, byte - counted)));
    counted = byte;
    return offset;
  };
  std::size_t at = skip_hidden(text, 0);
  while (at < text.size()) {
    const Word word = word_at(text.substr(at));
    const std::uint32_t begin = offset_of(at);
    const std::uint32_t end = offset_of(at + word.length);
    tokens.push_back({word.kind, {begin, end}, text.substr(at, word.length)});
    if (word.kind == TokenKind::Invalid) return tokens;
    at = skip_hidden(text, at + word.length);
  }
  const std::uint32_t end = offset_of(text.size());
  tokens.push_back({TokenKind::End, {end, end}, {}});
  return tokens;
}

}  // namespace dra::cel

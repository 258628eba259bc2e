// src/cel/syntax/one_line.cpp: joins tokens with the spaces that the common style has between them.

#include "dra/cel/syntax/one_line.h"

#include <algorithm>
#include <string_view>

namespace dra::cel {
namespace {

bool is_one_of(const Token& token, std::string_view symbols) {
  return token.kind == TokenKind::Symbol && token.text.size() == 1 &&
         symbols.find(token.text[0]) != std::string_view::npos;
}

// True if the first token is the parenthesis that the last one closes.
bool in_parentheses(std::span<const Token> words) {
  if (words.size() < 2 || !words.front().is("(")) return false;
  int depth = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_one_of(words[i], "([{")) ++depth;
    if (is_one_of(words[i], ")]}")) --depth;
    if (depth == 0) return i + 1 == words.size();
  }
  return false;
}

// Triple-quoted strings may contain line breaks.
void append_word(std::string& out, std::string_view word) {
  for (const char c : word) {
    if (c == '\n') {
      out += "\\n";
    } else if (c != '\r') {
      out += c;
    }
  }
}

}  // namespace

std::span<const Token> OneLine::words_in(Span span) const {
  const auto first =
      std::partition_point(tokens_.begin(), tokens_.end(),
                           [span](const Token& token) { return token.span.begin < span.begin; });
  const auto last = std::partition_point(first, tokens_.end(), [span](const Token& token) {
    return token.kind != TokenKind::End && token.span.begin < span.end;
  });
  std::span<const Token> words(first, last);
  while (in_parentheses(words))
    words = words.subspan(1, words.size() - 2);
  return words;
}

std::string_view OneLine::gap(const Token& left, const Token& right) const {
  const std::string_view between = source_.text_of({left.span.end, right.span.begin});
  if (between.empty()) return {};
  const bool broken = between.find('\n') != std::string_view::npos;
  const bool joins = is_one_of(left, "([{.!") || is_one_of(right, ")]}.,");
  return broken && joins ? "" : " ";
}

std::string OneLine::text(Span span, std::span<const Replacement> replacements) const {
  std::string out;
  const Token* before = nullptr;
  auto next = replacements.begin();
  for (const Token& word : words_in(span)) {
    if (before != nullptr) out += gap(*before, word);
    before = &word;
    while (next != replacements.end() && next->at < word.span.begin)
      ++next;
    if (next != replacements.end() && next->at == word.span.begin) {
      out += next->text;
    } else {
      append_word(out, word.text);
    }
  }
  return out;
}

}  // namespace dra::cel

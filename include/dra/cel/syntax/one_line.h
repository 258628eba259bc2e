// include/dra/cel/syntax/one_line.h
//
// Prints parts of an expression for a table: on one line, without comments and without parentheses
// around the whole.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "dra/cel/syntax/lexer.h"
#include "dra/cel/syntax/source.h"

namespace dra::cel {

// A text that replaces a token.
struct Replacement {
  std::uint32_t at = 0;  // where the token begins
  std::string text = {};
};

class OneLine {
 public:
  // The source must outlive this.
  explicit OneLine(const Source& source) : source_(source), tokens_(tokens_of(source)) {}

  // Replacements are sorted by position.
  std::string text(Span span, std::span<const Replacement> replacements = {}) const;

 private:
  std::span<const Token> words_in(Span span) const;
  // The text between two tokens: nothing, or a space.
  std::string_view gap(const Token& left, const Token& right) const;

  const Source& source_;
  std::vector<Token> tokens_;
};

}  // namespace dra::cel

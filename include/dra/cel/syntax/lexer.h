// include/dra/cel/syntax/lexer.h
//
// The words of an expression: the longest that fits at each place, as ANTLR takes it.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/syntax/source.h"

namespace dra::cel {

enum class TokenKind : std::uint8_t {
  End,
  Invalid,  // no word begins here
  Identifier,
  EscapedIdentifier,  // `a.b`
  Int,
  Uint,
  Double,
  String,
  Bytes,
  True,
  False,
  Null,
  In,
  Symbol,  // an operator or a bracket: its text says which
};

struct Token {
  TokenKind kind = TokenKind::End;
  Span span = {};
  std::string_view text = {};

  bool is(std::string_view symbol) const { return kind == TokenKind::Symbol && text == symbol; }
};

// Ends with End, or with Invalid at the first place where no word begins. The tokens point into
// the source.
std::vector<Token> tokens_of(const Source& source);

// Whether a word may be a field, but not a name.
bool is_reserved(std::string_view word);

// The length of the escape sequence that begins with a backslash; 0 if there is none.
std::size_t escape_length(std::string_view text);

}  // namespace dra::cel

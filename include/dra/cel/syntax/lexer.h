// include/dra/cel/syntax/lexer.h
//
// The tokens of an expression. Each token is the longest possible, as in ANTLR.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/syntax/source.h"

namespace dra::cel {

enum class TokenKind : std::uint8_t {
  End,
  Invalid,  // no token begins here
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
  Symbol,  // an operator or a bracket, told apart by the text
};

struct Token {
  TokenKind kind = TokenKind::End;
  Span span = {};
  std::string_view text = {};

  bool is(std::string_view symbol) const { return kind == TokenKind::Symbol && text == symbol; }
};

// The tokens up to End, or up to Invalid at the first position where no token begins. They point
// into the source.
std::vector<Token> tokens_of(const Source& source);

// True for words that may be fields, but not names.
bool is_reserved(std::string_view word);

// The length of the escape sequence that begins with a backslash; 0 if there is none.
std::size_t escape_length(std::string_view text);

}  // namespace dra::cel

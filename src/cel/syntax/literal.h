// src/cel/syntax/literal.h
//
// The values of literals.

#pragma once

#include <string_view>

#include "dra/cel/syntax/ast.h"
#include "dra/cel/syntax/lexer.h"

namespace dra::cel {

struct LiteralOrError {
  Literal literal = {};
  std::string_view error = {};  // upstream's words: parser.go, unescape.go
};

// `negative`: a minus stands before the number.
LiteralOrError read_literal(const Token& word, bool negative);

}  // namespace dra::cel

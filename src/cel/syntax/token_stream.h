// src/cel/syntax/token_stream.h
//
// The tokens of an expression as the parser takes them, one by one, and the values of literals. The
// first token that is not allowed in its position stops parsing with a syntax error.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/syntax/ast.h"
#include "dra/cel/syntax/lexer.h"
#include "dra/cel/syntax/source.h"

namespace dra::cel {

class TokenStream {
 public:
  // Both must outlive this; `issues` gets the syntax error.
  TokenStream(const Source& source, std::vector<Issue>& issues)
      : source_(source), issues_(issues), tokens_(tokens_of(source)) {}

  // The next token, or one further ahead; the last token for positions beyond the end.
  const Token& token(std::size_t ahead = 0) const;
  const Token& take();
  bool take_if(std::string_view symbol);
  void expect(std::string_view symbol);
  std::uint32_t end() const { return end_; }  // end of the last token taken

  bool stopped() const { return stopped_; }
  void stop(Issue issue);
  // Stops with an error about the next token.
  void unexpected(std::string_view wanted);

 private:
  std::string complaint_about(const Token& found) const;

  const Source& source_;
  std::vector<Issue>& issues_;
  const std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::uint32_t end_ = 0;
  bool stopped_ = false;
};

struct LiteralOrError {
  Literal literal = {};
  std::string_view error = {};  // upstream's words: parser.go, unescape.go
};

// The value of a literal. `negative`: a minus stands before the number.
LiteralOrError read_literal(const Token& token, bool negative);

}  // namespace dra::cel

// src/render/go_template/tokens.h: from the text of a Go template to its tokens.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/result.h"

namespace dra::render::go_template {

enum class TokenType {
  Error,  // the scan ends here
  EndOfText,
  Text,
  LeftBraces,
  RightBraces,
  Space,
  LeftParen,
  RightParen,
  Pipe,
  Comma,
  OtherCharacter,
  Assign,
  Declare,
  Bool,
  Character,  // 'a'
  Number,
  Complex,
  String,
  RawString,
  Identifier,
  Field,     // .a
  Variable,  // $a
  Dot,
  Block,
  Break,
  Continue,
  Define,
  Else,
  End,
  If,
  Nil,
  Range,
  Template,
  With,
};

struct Token {
  TokenType type = TokenType::EndOfText;
  std::size_t at = 0;     // in the text
  std::string_view text;  // with quotes and marks
  std::string error = {};
};

// All tokens; the last one is Error or EndOfText. Spaces beside trim markers and comments are gone.
std::vector<Token> tokens_of(std::string_view text);

// "line 2, column 5", both from 1, of a place in the text.
std::string place_in(std::string_view text, std::size_t at);

// The error of a template, with its place.
Error template_error(std::string_view text, std::size_t at, const std::string& message);

}  // namespace dra::render::go_template

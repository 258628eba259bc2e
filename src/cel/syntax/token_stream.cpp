// src/cel/syntax/token_stream.cpp: keeps the position in the tokens and words the syntax error.

#include "src/cel/syntax/token_stream.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/cel/syntax/utf8.h"

namespace dra::cel {

const Token& TokenStream::token(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

const Token& TokenStream::take() {
  const Token& taken = token();
  if (at_ + 1 < tokens_.size()) ++at_;
  end_ = taken.span.end;
  return taken;
}

bool TokenStream::take_if(std::string_view symbol) {
  if (!token().is(symbol)) return false;
  take();
  return true;
}

void TokenStream::expect(std::string_view symbol) {
  if (!stopped_ && !take_if(symbol)) unexpected(base::format("'{}'", symbol));
}

void TokenStream::stop(Issue issue) {
  if (stopped_) return;
  stopped_ = true;
  issues_.push_back(std::move(issue));
}

void TokenStream::unexpected(std::string_view wanted) {
  const Token& found = token();
  if (found.kind == TokenKind::Invalid) {
    return stop({found.span.begin, "Syntax error: " + complaint_about(found)});
  }
  const std::string what =
      found.kind == TokenKind::End ? "the expression ends" : base::format("found '{}'", found.text);
  stop({found.span.begin, base::format("Syntax error: {} where {} should be", what, wanted)});
}

// The message about a character that begins no token, with what it probably stands for.
std::string TokenStream::complaint_about(const Token& found) const {
  const std::string_view rest = source_.text_of({found.span.begin, source_.size()});
  if (rest[0] == '"' || rest[0] == '\'') {
    return "a string that does not end, or has an escape such as \\d in it (write \\\\d, or put "
           "r before the string)";
  }
  if (rest[0] == '&') return "a single '&': write '&&'";
  if (rest[0] == '|') return "a single '|': write '||'";
  if (rest[0] == '=') return "a single '=': write '=='";
  return base::format("the character '{}' means nothing here",
                      rest.substr(0, rune_length(rest, 0)));
}

}  // namespace dra::cel

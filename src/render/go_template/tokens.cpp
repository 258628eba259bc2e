// src/render/go_template/tokens.cpp: see tokens.h. The rules are those of text/template/parse,
// lex.go.

#include "src/render/go_template/tokens.h"

#include <algorithm>
#include <cstdint>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "dra/json/unicode.h"

namespace dra::render::go_template {
namespace {

constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";
constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::size_t kMarker = 2;  // "- " or " -"

constexpr std::pair<std::string_view, TokenType> kKeywords[] = {
    {"block", TokenType::Block},   {"break", TokenType::Break},
    {"define", TokenType::Define}, {"continue", TokenType::Continue},
    {"else", TokenType::Else},     {"end", TokenType::End},
    {"if", TokenType::If},         {"nil", TokenType::Nil},
    {"range", TokenType::Range},   {"template", TokenType::Template},
    {"with", TokenType::With},     {"true", TokenType::Bool},
    {"false", TokenType::Bool},
};

bool is_template_space(char c) { return kSpaces.find(c) != std::string_view::npos; }

TokenType type_of_word(std::string_view word) {
  const auto* const found =
      std::ranges::find(kKeywords, word, &std::pair<std::string_view, TokenType>::first);
  return found == std::end(kKeywords) ? TokenType::Identifier : found->second;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<Token> all() {
    while (!ended_)
      text_to_braces();
    return std::move(tokens_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  bool ahead(std::string_view what) const { return rest().starts_with(what); }

  void emit(TokenType type) {
    tokens_.push_back({type, start_, text_.substr(start_, at_ - start_)});
    start_ = at_;
    ended_ = ended_ || type == TokenType::EndOfText;
  }

  void fail(std::string message) {
    tokens_.push_back({TokenType::Error, start_, {}, std::move(message)});
    ended_ = true;
  }

  bool trims_left(std::size_t at) const {
    return at + 1 < text_.size() && text_[at] == '-' && is_template_space(text_[at + 1]);
  }
  bool trims_right(std::size_t at) const {
    return at + 1 < text_.size() && is_template_space(text_[at]) && text_[at + 1] == '-';
  }
  // The closing braces stand here, with or without a trim marker.
  bool closes_trimming() const {
    return trims_right(at_) && text_.substr(at_ + kMarker).starts_with(kClose);
  }
  bool closes() const { return closes_trimming() || ahead(kClose); }

  void text_to_braces() {
    start_ = at_;
    const std::size_t open = text_.find(kOpen, at_);
    at_ = std::min(open, text_.size());
    std::size_t end = at_;
    if (open != std::string_view::npos && trims_left(open + kOpen.size())) {
      while (end > start_ && is_template_space(text_[end - 1]))
        --end;
    }
    if (end > start_)
      tokens_.push_back({TokenType::Text, start_, text_.substr(start_, end - start_)});
    start_ = at_;
    if (open == std::string_view::npos) return emit(TokenType::EndOfText);
    at_ += kOpen.size();
    const std::size_t inside = at_ + (trims_left(at_) ? kMarker : 0);
    if (text_.substr(inside).starts_with("/*")) {
      at_ = inside;
      return comment();
    }
    emit(TokenType::LeftBraces);
    at_ = inside;
    action();
  }

  void comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) return fail("unclosed comment");
    at_ = end + 2;
    if (!closes()) return fail("comment ends before closing delimiter");
    close();
  }

  // Passes the closing braces, and the space behind them if they trim.
  void close() {
    const bool trims = closes_trimming();
    if (trims) at_ += kMarker;
    start_ = at_;
    at_ += kClose.size();
    after_close_ = at_;
    if (trims) at_ = std::min(text_.find_first_not_of(kSpaces, at_), text_.size());
  }

  void action() {
    int parens = 0;
    for (;;) {
      start_ = at_;
      if (ended_) return;
      if (closes()) {
        if (parens > 0) return fail("unclosed left paren");
        close();
        tokens_.push_back(
            {TokenType::RightBraces, start_, text_.substr(start_, after_close_ - start_)});
        return;
      }
      if (at_ == text_.size()) return fail("unclosed action");
      const char c = text_[at_];
      if (c == '(') ++parens;
      if (c == ')' && --parens < 0) return fail("unexpected right paren");
      inside_action(c);
    }
  }

  void inside_action(char c) {
    if (is_template_space(c)) return space();
    const bool digit_next = at_ + 1 < text_.size() && base::is_digit(text_[at_ + 1]);
    switch (c) {
      case '=':
        return one(TokenType::Assign);
      case '|':
        return one(TokenType::Pipe);
      case '(':
        return one(TokenType::LeftParen);
      case ')':
        return one(TokenType::RightParen);
      case ',':
        return one(TokenType::Comma);
      case ':':
        ++at_;
        return ahead("=") ? one(TokenType::Declare) : fail("expected :=");
      case '"':
        return quoted('"', TokenType::String, "unterminated quoted string");
      case '\'':
        return quoted('\'', TokenType::Character, "unterminated character constant");
      case '`':
        return raw();
      case '$':
        return named(TokenType::Variable, TokenType::Variable);
      case '.':
        return digit_next ? number() : named(TokenType::Field, TokenType::Dot);
      default:
        break;
    }
    if (c == '+' || c == '-' || base::is_digit(c)) return number();
    if (word_character()) return word();
    if (c > ' ' && c < 0x7f) return one(TokenType::OtherCharacter);
    fail("unrecognized character in action");
  }

  void one(TokenType type) {
    ++at_;
    emit(type);
  }

  // A space that belongs to a closing trim marker is none.
  void space() {
    while (at_ < text_.size() && is_template_space(text_[at_]) && !closes_trimming())
      ++at_;
    if (at_ > start_) emit(TokenType::Space);
  }

  // The length of the letter, digit or underscore here; 0: it is something else.
  std::size_t word_character() const {
    if (at_ >= text_.size()) return 0;
    const std::string_view character = json::character_at(text_, at_);
    if (!json::is_utf8(character)) return 0;
    const std::uint32_t code = json::code_of(character);
    const bool in_word = code == '_' || json::is_letter(code) || json::is_decimal_digit(code);
    return in_word ? character.size() : 0;
  }

  bool at_terminator() const {
    constexpr std::string_view others = ".,|:)(";
    return at_ == text_.size() || is_template_space(text_[at_]) ||
           others.find(text_[at_]) != std::string_view::npos || ahead(kClose);
  }

  void pass_word() {
    while (const std::size_t length = word_character())
      at_ += length;
  }

  void word() {
    pass_word();
    if (!at_terminator()) return fail("bad character in a name");
    emit(type_of_word(text_.substr(start_, at_ - start_)));
  }

  // .a or $a; `alone` is the type of the sign without a name.
  void named(TokenType type, TokenType alone) {
    ++at_;
    if (at_terminator()) return emit(alone);
    pass_word();
    if (!at_terminator()) return fail("bad character in a name");
    emit(type);
  }

  void quoted(char quote, TokenType type, const char* unterminated) {
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '\\') ++at_;
      if (at_ >= text_.size() || text_[at_] == '\n') return fail(unterminated);
    }
    if (at_ >= text_.size()) return fail(unterminated);
    one(type);
  }

  void raw() {
    const std::size_t end = text_.find('`', at_ + 1);
    if (end == std::string_view::npos) return fail("unterminated raw quoted string");
    at_ = end + 1;
    emit(TokenType::RawString);
  }

  bool accept(std::string_view characters) {
    const bool one_of = at_ < text_.size() && characters.find(text_[at_]) != std::string_view::npos;
    if (one_of) ++at_;
    return one_of;
  }

  void accept_run(std::string_view characters) {
    while (accept(characters)) {
    }
  }

  bool scan_number() {
    constexpr std::string_view decimal = "0123456789_";
    std::string_view digits = decimal;
    accept("+-");
    bool hexadecimal = false;
    if (accept("0")) {
      if (accept("xX")) {
        hexadecimal = true;
        digits = "0123456789abcdefABCDEF_";
      } else if (accept("oO")) {
        digits = "01234567_";
      } else if (accept("bB")) {
        digits = "01_";
      }
    }
    accept_run(digits);
    if (accept(".")) accept_run(digits);
    const bool exponent = (digits == decimal && accept("eE")) || (hexadecimal && accept("pP"));
    if (exponent) {
      accept("+-");
      accept_run(decimal);
    }
    accept("i");
    return word_character() == 0;
  }

  void number() {
    const bool good = scan_number();
    const bool complex = good && (ahead("+") || ahead("-"));
    if (!good || (complex && (!scan_number() || text_[at_ - 1] != 'i'))) {
      return fail("bad number syntax");
    }
    emit(complex ? TokenType::Complex : TokenType::Number);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;
  std::size_t after_close_ = 0;
  bool ended_ = false;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text) { return Scanner(text).all(); }

std::string place_in(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return base::format("line {}, column {}", std::count(before.begin(), before.end(), '\n') + 1,
                      at - line_start + 1);
}

Error template_error(std::string_view text, std::size_t at, const std::string& message) {
  return {ErrorKind::BadInput, base::format("{}: {}", place_in(text, at), base::printable(message)),
          "for example {{range .items}}{{.metadata.name}}{{\"\\n\"}}{{end}}"};
}

}  // namespace dra::render::go_template

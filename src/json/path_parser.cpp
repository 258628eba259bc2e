// src/json/path_parser.cpp: see path_parser.h.
//
// The grammar, and the mistake that is reported, follow client-go/util/jsonpath/parser.go.

#include "src/json/path_parser.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/json/go_number.h"
#include "dra/json/go_quote.h"
#include "dra/json/parse.h"
#include "src/json/characters.h"

namespace dra::json::path {
namespace {

// The depth of filters and unions inside each other. No question about an object needs more.
constexpr int kMaxNesting = 50;
constexpr std::size_t kShown = 30;  // bytes of the template in a message

using Parsed = Result<Done>;

// An alphanumeric identifier or a member's name ends here.
bool is_terminator(char c) {
  constexpr std::string_view terminators = " \t\r\n.,[]$@{}";
  return terminators.find(c) != std::string_view::npos;
}

bool is_quote(char c) { return c == '"' || c == '\''; }

// strconv.Atoi.
std::optional<std::int64_t> integer_of(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last) return std::nullopt;
  return value;
}

class Parser {
 public:
  Parser(std::string_view text, int depth) : text_(text), depth_(depth) {}

  Result<List> all() {
    List root;
    while (at_ < text_.size()) {
      const std::size_t brace = std::min(text_.find('{', at_), text_.size());
      if (brace > at_) root.push_back({Text{std::string(text_.substr(at_, brace - at_))}});
      at_ = brace;
      if (at_ == text_.size()) break;
      ++at_;
      nodes_.clear();
      DRA_TRY(action());
      root.push_back({Action{std::move(nodes_)}});
    }
    return root;
  }

 private:
  Error fail(const std::string& message) const { return fail_at(message, at_); }

  Error fail_at(const std::string& message, std::size_t at) const {
    const std::string_view rest = text_.substr(std::min(at, text_.size()));
    const auto shown = [](std::string_view text) {
      return base::printable(text.substr(0, kShown));
    };
    std::string where = "in " + shown(text_);
    if (depth_ == 0 && rest.empty()) {
      where = "at the end";
    } else if (depth_ == 0) {
      where = base::format("at character {}: {}", at + 1, shown(rest));
    }
    return {ErrorKind::BadInput, message + " (" + where + ")",
            "actions stand in braces: {.metadata.name}, {range .items[*]}...{end}"};
  }

  bool ahead(std::string_view text) const { return text_.substr(at_).starts_with(text); }

  // Up to the brace that closes it.
  Parsed action() {
    while (!ahead("}")) {
      DRA_TRY(step());
    }
    ++at_;
    return Done{};
  }

  Parsed step() {
    if (ahead("[?(")) return filter();
    if (ahead("..")) return recursive();
    if (at_ == text_.size() || text_[at_] == '\r' || text_[at_] == '\n') {
      return fail("unclosed action");
    }
    const char c = text_[at_];
    switch (c) {
      case ' ':
      case '@':
      case '$':
        ++at_;
        return Done{};
      case '[':
        return brackets();
      case '"':
      case '\'':
        return quoted();
      case '.':
        ++at_;
        return field();
      default:
        break;
    }
    if (c == '+' || c == '-' || is_digit(static_cast<unsigned char>(c))) return number();
    if (word_begins()) return identifier();
    return unrecognized();
  }

  bool word_begins() const {
    if (at_ >= text_.size()) return false;
    const std::string_view character = character_at(text_, at_);
    if (!is_utf8(character)) return false;
    const std::uint32_t code = code_of(character);
    return code == '_' || is_decimal_digit(code) || is_letter(code);
  }

  // As Go's %#U names a character.
  Error unrecognized() const {
    const std::string character = repaired_utf8(character_at(text_, at_));
    std::string name = base::format("U+{:04X}", code_of(character));
    if (base::printable(character) == character) name += " '" + character + "'";
    return fail("unrecognized character in action: " + name);
  }

  Parsed identifier() {
    const std::size_t start = at_;
    while (at_ < text_.size() && !is_terminator(text_[at_]))
      ++at_;
    const std::string word(text_.substr(start, at_ - start));
    if (word == "true" || word == "false") {
      nodes_.push_back({Bool{word == "true"}});
    } else {
      nodes_.push_back({Identifier{word}});
    }
    return Done{};
  }

  Parsed recursive() {
    if (!nodes_.empty() && std::holds_alternative<Recursive>(nodes_.back().what)) {
      return fail("invalid multiple recursive descent");
    }
    at_ += 2;
    nodes_.push_back({Recursive{}});
    return word_begins() ? field() : Parsed(Done{});
  }

  Parsed number() {
    const std::size_t start = at_;
    if (text_[at_] == '+' || text_[at_] == '-') ++at_;
    while (at_ < text_.size() &&
           (text_[at_] == '.' || is_digit(static_cast<unsigned char>(text_[at_]))))
      ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    if (const auto value = integer_of(word)) {
      nodes_.push_back({Integer{*value}});
      return Done{};
    }
    const std::string_view unsigned_word = word.substr(word.starts_with('+') ? 1 : 0);
    if (const auto value = parse_float(unsigned_word)) {
      nodes_.push_back({Float{*value}});
      return Done{};
    }
    return fail_at("cannot parse number " + std::string(word), start);
  }

  // The name of a member; a backslash takes the next character along.
  Parsed field() {
    const std::size_t start = at_;
    while (at_ < text_.size() && !is_terminator(text_[at_]))
      at_ += text_[at_] == '\\' && at_ + 1 < text_.size() ? 2 : 1;
    std::string name(text_.substr(start, at_ - start));
    if (name == "*") {
      nodes_.push_back({Wildcard{}});
    } else {
      std::erase(name, '\\');
      nodes_.push_back({Field{std::move(name)}});
    }
    return Done{};
  }

  // The quote that ends a quoted text has no backslash before it.
  Parsed quoted() {
    const std::size_t start = at_;
    const char quote = text_[at_++];
    for (;; ++at_) {
      if (at_ == text_.size() || text_[at_] == '\n') {
        return fail_at("unterminated quoted string", start);
      }
      if (text_[at_] == quote && text_[at_ - 1] != '\\') break;
    }
    ++at_;
    const std::string_view literal = text_.substr(start, at_ - start);
    std::optional<std::string> text = go_unquote(literal);
    if (!text) {
      return fail_at("unquote string " + std::string(literal) + " error invalid syntax", start);
    }
    nodes_.push_back({Text{std::move(*text)}});
    return Done{};
  }

  // The nodes of a part of this template as if it stood in braces by itself.
  Result<List> nested(const std::string& text) const {
    if (depth_ == kMaxNesting) return fail("nested too deeply");
    const std::string in_braces = "{" + text + "}";
    List parsed = DRA_TRY(Parser(in_braces, depth_ + 1).all());
    return std::move(std::get<Action>(parsed.front().what).nodes);
  }

  Parsed brackets() {
    const std::size_t start = at_;
    const std::size_t end = text_.find_first_of("]\n", at_);
    if (end == std::string_view::npos || text_[end] == '\n') return fail("unterminated array");
    at_ = end + 1;
    std::string_view inside = text_.substr(start + 1, end - start - 1);
    if (inside == "*") inside = ":";
    if (inside.find(',') != std::string_view::npos) return union_of(inside);
    if (inside.size() >= 2 && inside.front() == '\'' && inside.find('\'', 1) == inside.size() - 1) {
      List key = DRA_TRY(nested("." + std::string(inside.substr(1, inside.size() - 2))));
      std::move(key.begin(), key.end(), std::back_inserter(nodes_));
      return Done{};
    }
    return slice(inside, start);
  }

  Parsed union_of(std::string_view inside) {
    Union all;
    for (std::string_view part : base::split(inside, ',')) {
      const std::size_t first = part.find_first_not_of(' ');
      part = first == std::string_view::npos
                 ? std::string_view()
                 : part.substr(first, part.find_last_not_of(' ') - first + 1);
      all.lists.push_back(DRA_TRY(nested("[" + std::string(part) + "]")));
    }
    nodes_.push_back({std::move(all)});
    return Done{};
  }

  // `-?[0-9]*(:-?[0-9]*)?(:-?[0-9]*)?`
  Parsed slice(std::string_view inside, std::size_t start) {
    const std::vector<std::string_view> parts = base::split(inside, ':');
    const auto is_bound = [](std::string_view part) {
      if (part.starts_with('-')) part.remove_prefix(1);
      return part.find_first_not_of("0123456789") == std::string_view::npos;
    };
    if (parts.size() > 3 || !std::all_of(parts.begin(), parts.end(), is_bound)) {
      return fail_at("invalid array index " + std::string(inside), start);
    }
    Slice slice;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].empty()) continue;
      const std::optional<std::int64_t> value = integer_of(parts[i]);
      if (!value) {
        return fail_at("array index " + std::string(parts[i]) + " is not a number", start);
      }
      slice.bounds[i] = {*value, true, false};
    }
    if (parts.size() == 1) {
      const auto start_index = static_cast<std::uint64_t>(slice.bounds[0].value);
      slice.bounds[1] = {static_cast<std::int64_t>(start_index + 1), true, true};
    }
    nodes_.push_back({slice});
    return Done{};
  }

  // The text of a filter ends at the ) that is not inside of its quoted text; only the first quoted
  // text counts.
  Parsed filter() {
    at_ += 3;
    const std::size_t start = at_;
    char quote = 0;
    bool quote_ended = false;
    for (;; ++at_) {
      if (at_ == text_.size() || text_[at_] == '\n') {
        return fail_at("unterminated filter", start);
      }
      const char c = text_[at_];
      if (is_quote(c)) {
        if (quote == 0) {
          quote = c;
        } else if (c == quote && text_[at_ - 1] != '\\') {
          quote_ended = true;
        }
      }
      if (c == ')' && (quote != 0) == quote_ended) break;
    }
    const std::string_view condition = text_.substr(start, at_ - start);
    ++at_;
    if (!ahead("]")) return fail("unclosed array expect ]");
    ++at_;
    return filter_of(condition);
  }

  // `^([^!<>=]+)([!<>=]+)(.+?)$`, or only the left side.
  Parsed filter_of(std::string_view condition) {
    constexpr std::string_view signs = "!<>=";
    const std::size_t left = std::min(condition.find_first_of(signs), condition.size());
    std::size_t right = std::min(condition.find_first_not_of(signs, left), condition.size());
    if (right == condition.size() && right > left) --right;
    Filter filter;
    const bool compares = left > 0 && right > left;
    filter.left = DRA_TRY(nested(std::string(compares ? condition.substr(0, left) : condition)));
    if (compares) {
      filter.op = condition.substr(left, right - left);
      filter.right = DRA_TRY(nested(std::string(condition.substr(right))));
    }
    nodes_.push_back({std::move(filter)});
    return Done{};
  }

  std::string_view text_;
  int depth_;
  std::size_t at_ = 0;
  List nodes_;  // of the action that is being read
};

}  // namespace

Result<List> parse_template(std::string_view text) { return Parser(text, 0).all(); }

}  // namespace dra::json::path

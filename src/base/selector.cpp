// src/base/selector.cpp: requirements and their check, then the parser of the textual form, token
// by token.

#include "dra/base/selector.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>

#include "dra/base/names.h"
#include "dra/base/text.h"

namespace dra::base {

namespace {

struct NamedOperator {
  std::string_view name;
  LabelOperator op;
};
constexpr NamedOperator kOperators[] = {
    {"In", LabelOperator::In},         {"NotIn", LabelOperator::NotIn},
    {"Exists", LabelOperator::Exists}, {"DoesNotExist", LabelOperator::DoesNotExist},
    {"Gt", LabelOperator::Gt},         {"Lt", LabelOperator::Lt},
};

constexpr std::string_view kNameRule =
    "1 to 63 letters, digits, \"-\", \"_\" or \".\", with a letter or digit at both ends";

Error bad(std::string message) { return {ErrorKind::BadInput, std::move(message), {}}; }

// content.IsLabelKey
Result<Done> check_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash != std::string_view::npos && !is_dns_subdomain(key.substr(0, slash))) {
    return bad(format(
        "label key \"{}\": before the \"/\" must be a DNS name in lower case such as example.com",
        shorten_middle(key, 80)));
  }
  const std::string_view name = slash == std::string_view::npos ? key : key.substr(slash + 1);
  if (is_label_name(name)) return Done{};
  return bad(format("label key \"{}\": the name must be {}", shorten_middle(key, 80), kNameRule));
}

// validation.IsValidLabelValue
Result<Done> check_value(std::string_view value) {
  if (value.empty() || is_label_name(value)) return Done{};
  return bad(
      format("label value \"{}\" must be empty or {}", shorten_middle(value, 80), kNameRule));
}

// strconv.ParseInt(text, 10, 64)
std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

bool compares(LabelOperator op, std::string_view label, std::string_view bound) {
  const std::optional<std::int64_t> a = parse_integer(label);
  const std::optional<std::int64_t> b = parse_integer(bound);
  if (!a || !b) return false;
  return op == LabelOperator::Gt ? *a > *b : *a < *b;
}

// --- The text: tokens, then requirements ---

enum class TokenKind { Word, Symbol, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  std::size_t offset = 0;

  bool is(std::string_view symbol) const { return kind == TokenKind::Symbol && text == symbol; }
  bool ends_requirement() const { return kind == TokenKind::End || is(","); }
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_symbol(char c) { return std::string_view("=!(),><").find(c) != std::string_view::npos; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { advance(); }

  Result<Selector> parse() {
    Selector selector;
    if (token_.kind == TokenKind::End) return selector;
    while (true) {
      selector.requirements.push_back(DRA_TRY(requirement()));
      if (token_.kind == TokenKind::End) return selector;
      if (!token_.is(",")) return unexpected("\",\" or the end");
      advance();
    }
  }

 private:
  void advance() {
    while (at_ < text_.size() && is_space(text_[at_]))
      ++at_;
    const std::size_t start = at_;
    if (at_ == text_.size()) {
      token_ = {TokenKind::End, {}, start};
    } else if (is_symbol(text_[at_])) {
      const std::string_view two = text_.substr(at_, 2);
      at_ += two == "==" || two == "!=" ? 2 : 1;
      token_ = {TokenKind::Symbol, text_.substr(start, at_ - start), start};
    } else {
      while (at_ < text_.size() && !is_space(text_[at_]) && !is_symbol(text_[at_]))
        ++at_;
      token_ = {TokenKind::Word, text_.substr(start, at_ - start), start};
    }
  }

  Token take() {
    const Token taken = token_;
    advance();
    return taken;
  }

  Error unexpected(std::string_view wanted) const {
    const std::string found = token_.kind == TokenKind::End
                                  ? std::string("the end")
                                  : format("\"{}\"", shorten_middle(token_.text, 40));
    return bad(format("character {}: expected {}, found {}", token_.offset + 1, wanted, found));
  }

  Result<Requirement> requirement() {
    const bool negated = token_.is("!");
    if (negated) advance();
    if (token_.kind != TokenKind::Word)
      return unexpected(negated ? "a label key" : "a label key or \"!\"");
    const Token key = take();
    if (negated) return make(key, LabelOperator::DoesNotExist, {});
    if (token_.ends_requirement()) return make(key, LabelOperator::Exists, {});
    const Token op = token_;
    const bool in = op.kind == TokenKind::Word && op.text == "in";
    const bool not_in = op.kind == TokenKind::Word && op.text == "notin";
    if (in || not_in) {
      advance();
      std::vector<std::string> values = DRA_TRY(list());
      return make(key, in ? LabelOperator::In : LabelOperator::NotIn, std::move(values));
    }
    const std::optional<LabelOperator> meaning = binary_operator(op);
    if (!meaning) return unexpected("one of = == != > < in notin, or \",\"");
    advance();
    std::string value;
    if (!token_.ends_requirement()) {
      if (token_.kind != TokenKind::Word) return unexpected("a value");
      value = take().text;
    }
    return make(key, *meaning, {std::move(value)});
  }

  static std::optional<LabelOperator> binary_operator(const Token& token) {
    if (token.is("=") || token.is("==")) return LabelOperator::In;
    if (token.is("!=")) return LabelOperator::NotIn;
    if (token.is(">")) return LabelOperator::Gt;
    if (token.is("<")) return LabelOperator::Lt;
    return std::nullopt;
  }

  // "(x, y)". A value may be empty, so "()" holds one. The result is sorted, each value once.
  Result<std::vector<std::string>> list() {
    if (!token_.is("(")) return unexpected("\"(\"");
    std::vector<std::string> values;
    do {
      advance();
      values.emplace_back(token_.kind == TokenKind::Word ? take().text : std::string_view());
    } while (token_.is(","));
    if (!token_.is(")")) return unexpected("\",\" or \")\"");
    advance();
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }

  static Result<Requirement> make(const Token& key, LabelOperator op,
                                  std::vector<std::string> values) {
    return Requirement::make(std::string(key.text), op, std::move(values))
        .context(format("character {}", key.offset + 1));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Token token_;
};

}  // namespace

Result<LabelOperator> parse_label_operator(std::string_view name) {
  for (const NamedOperator& known : kOperators) {
    if (known.name == name) return known.op;
  }
  return bad(format("operator \"{}\" is none of In, NotIn, Exists, DoesNotExist, Gt, Lt",
                    shorten_middle(name, 40)));
}

Result<Requirement> Requirement::make(std::string key, LabelOperator op,
                                      std::vector<std::string> values) {
  DRA_TRY(check_key(key));
  switch (op) {
    case LabelOperator::In:
    case LabelOperator::NotIn:
      if (values.empty())
        return bad(format("label \"{}\": In and NotIn need at least one value", key));
      break;
    case LabelOperator::Exists:
    case LabelOperator::DoesNotExist:
      if (!values.empty())
        return bad(format("label \"{}\": Exists and DoesNotExist do not accept a value", key));
      break;
    case LabelOperator::Gt:
    case LabelOperator::Lt:
      if (values.size() != 1 || !parse_integer(values.front())) {
        return bad(format("label \"{}\": > and < (Gt and Lt) compare with one integer", key));
      }
      break;
  }
  for (const std::string& value : values)
    DRA_TRY(check_value(value).context(format("label \"{}\"", key)));
  return Requirement(std::move(key), op, std::move(values));
}

bool Requirement::matches(const Labels& labels) const {
  const auto label = std::find_if(labels.begin(), labels.end(), [this](const Label& candidate) {
    return candidate.first == key_;
  });
  const bool present = label != labels.end();
  const auto listed = [&] {
    return std::find(values_.begin(), values_.end(), label->second) != values_.end();
  };
  switch (op_) {
    case LabelOperator::In:
      return present && listed();
    case LabelOperator::NotIn:
      return !present || !listed();
    case LabelOperator::Exists:
      return present;
    case LabelOperator::DoesNotExist:
      return !present;
    case LabelOperator::Gt:
    case LabelOperator::Lt:
      return present && compares(op_, label->second, values_.front());
  }
  return false;
}

std::string Requirement::to_string() const {
  switch (op_) {
    case LabelOperator::Exists:
      return key_;
    case LabelOperator::DoesNotExist:
      return "!" + key_;
    case LabelOperator::Gt:
      return key_ + ">" + values_[0];
    case LabelOperator::Lt:
      return key_ + "<" + values_[0];
    case LabelOperator::In:
    case LabelOperator::NotIn:
      break;
  }
  const bool in = op_ == LabelOperator::In;
  if (values_.size() == 1) return key_ + (in ? "=" : "!=") + values_[0];
  return key_ + (in ? " in (" : " notin (") + join(values_, ",") + ")";
}

bool Selector::matches(const Labels& labels) const {
  return std::all_of(
      requirements.begin(), requirements.end(),
      [&labels](const Requirement& requirement) { return requirement.matches(labels); });
}

std::string Selector::to_string() const {
  std::vector<std::string> parts;
  parts.reserve(requirements.size());
  for (const Requirement& requirement : requirements)
    parts.push_back(requirement.to_string());
  return join(parts, ",");
}

Result<Selector> parse_selector(std::string_view text) {
  return Parser(text).parse().context("selector");
}

}  // namespace dra::base

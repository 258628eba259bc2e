// src/engine/selectors/literal_text.cpp: literals, their order, and the distance of two texts.

#include "src/engine/selectors/literal_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "dra/base/quantity.h"
#include "dra/base/text.h"
#include "dra/cel/library/kubernetes.h"

namespace dra::engine {
namespace {

using Type = Constant::Type;

constexpr double kOtherType = 1'000'000;

std::optional<std::int64_t> int_of(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Whether the text needs no escapes between quotes.
bool is_plain(std::string_view text) {
  return std::ranges::none_of(text, [](char c) {
    return c == '"' || c == '\'' || c == '\\' || static_cast<unsigned char>(c) < ' ' || c == '\x7f';
  });
}

std::string between_quotes(const std::string& text, char quote) { return quote + text + quote; }

double number_of(const Constant& value) {
  if (value.type == Type::Int) return static_cast<double>(int_of(value.text).value_or(0));
  const auto quantity = base::Quantity::parse(value.text);
  return quantity.ok() ? quantity.value().approximate() : 0;
}

}  // namespace

std::optional<Constant> constant_of(const cel::Ast& ast, const cel::Source& source,
                                    cel::NodeId id) {
  const cel::Node& node = ast[id];
  if (node.kind == cel::NodeKind::Call && !node.args.empty()) {
    const bool quantity = node.name == "quantity";
    if (!quantity && node.name != "semver") return std::nullopt;
    auto inner = constant_of(ast, source, node.args[0]);
    if (!inner || inner->type != Type::Text) return std::nullopt;
    inner->type = quantity ? Type::Quantity : Type::Semver;
    return inner;
  }
  if (node.kind != cel::NodeKind::Literal) return std::nullopt;
  const std::string_view written = source.text_of(node.span);
  if (const auto* text = std::get_if<std::string>(&node.literal)) {
    const char quote = written.starts_with('\'') ? '\'' : '"';
    return Constant{.type = Type::Text, .text = *text, .span = node.span, .quote = quote};
  }
  if (const auto* number = std::get_if<std::int64_t>(&node.literal))
    return Constant{.type = Type::Int, .text = std::to_string(*number), .span = node.span};
  if (const auto* truth = std::get_if<bool>(&node.literal))
    return Constant{.type = Type::Bool, .text = *truth ? "true" : "false", .span = node.span};
  return std::nullopt;
}

std::optional<Constant> constant_of(const cel::Seen& seen) {
  switch (seen.kind) {
    case cel::ValueKind::Int:
      return Constant{.type = Type::Int, .text = seen.text};
    case cel::ValueKind::Bool:
      return Constant{.type = Type::Bool, .text = seen.truth ? "true" : "false"};
    case cel::ValueKind::String: {
      // A truncated text has something after its closing quote.
      const std::string_view text = seen.text;
      if (text.size() < 2 || !text.ends_with('"')) return std::nullopt;
      const std::string_view inner = text.substr(1, text.size() - 2);
      if (!is_plain(inner)) return std::nullopt;
      return Constant{.type = Type::Text, .text = std::string(inner)};
    }
    case cel::ValueKind::Opaque:
      if (!is_plain(seen.text)) return std::nullopt;
      if (seen.type_name == "kubernetes.Quantity")
        return Constant{.type = Type::Quantity, .text = seen.text};
      if (seen.type_name == "kubernetes.Semver")
        return Constant{.type = Type::Semver, .text = seen.text};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

std::string literal_text(const Constant& value, char quote) {
  const bool bare = value.type == Type::Int || value.type == Type::Bool;
  return bare ? value.text : between_quotes(value.text, quote);
}

std::string whole_text(const Constant& value, char quote) {
  std::string literal = literal_text(value, quote);
  if (value.type == Type::Quantity) return base::format("quantity({})", literal);
  if (value.type == Type::Semver) return base::format("semver({})", literal);
  return literal;
}

std::optional<std::weak_ordering> compare(const Constant& a, const Constant& b) {
  if (a.type != b.type) return std::nullopt;
  if (a.type == Type::Semver) return cel::compare_semvers(a.text, b.text);
  if (a.type == Type::Int) {
    const auto left = int_of(a.text);
    const auto right = int_of(b.text);
    if (!left || !right) return std::nullopt;
    return *left <=> *right;
  }
  if (a.type != Type::Quantity) return std::nullopt;
  const auto left = base::Quantity::parse(a.text);
  const auto right = base::Quantity::parse(b.text);
  if (!left.ok() || !right.ok()) return std::nullopt;
  return left.value() <=> right.value();
}

double distance(const Constant& a, const Constant& b) {
  if (a.type != b.type) return kOtherType;
  if (a.type == Type::Int || a.type == Type::Quantity)
    return std::abs(number_of(a) - number_of(b)) + 1;
  const std::string left = base::lower(a.text);
  const std::string right = base::lower(b.text);
  if (left == right) return 0;
  const bool within =
      left.find(right) != std::string::npos || right.find(left) != std::string::npos;
  return within ? 1 : 1 + static_cast<double>(base::edit_distance(left, right));
}

}  // namespace dra::engine

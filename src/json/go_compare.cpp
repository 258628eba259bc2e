// src/json/go_compare.cpp: see go_compare.h.

#include "src/json/go_compare.h"

#include <compare>
#include <cstdint>
#include <string>
#include <variant>

#include "dra/json/go_number.h"

namespace dra::json {
namespace {

struct Byte {
  std::uint64_t value = 0;
};
using Operand = std::variant<bool, std::int64_t, Byte, double, std::string>;

Error fail(std::string_view what) {
  return {ErrorKind::BadInput, std::string(what) + " for comparison",
          "filters compare text with text, booleans for equality, integers with integers"};
}

Error bad_type() { return fail("invalid type"); }
Error incompatible() { return fail("incompatible types"); }

Result<Operand> operand(const PathMatch& match) {
  if (match.value == nullptr) return bad_type();
  const std::string& text = match.value->text();
  switch (match.value->kind()) {
    case Kind::Bool:
      return Operand(text == "true");
    case Kind::String:
      return Operand(text);
    case Kind::Number: {
      const std::optional<GoNumber> number = go_number(text);
      if (!number) return bad_type();
      if (match.type == PathMatch::Type::Float) return Operand(parse_float(text).value_or(0));
      const auto* integer = std::get_if<std::int64_t>(&*number);
      if (integer == nullptr) return Operand(std::get<double>(*number));
      if (match.type != PathMatch::Type::Byte) return Operand(*integer);
      return Operand(Byte{static_cast<std::uint64_t>(*integer)});
    }
    default:
      return bad_type();
  }
}

// Bytes and integers can be compared: a negative integer is less than any byte.
std::optional<std::strong_ordering> order_mixed(const Operand& left, const Operand& right) {
  const auto* integer = std::get_if<std::int64_t>(&left);
  const auto* byte = std::get_if<Byte>(&right);
  if (integer == nullptr || byte == nullptr) return std::nullopt;
  if (*integer < 0) return std::strong_ordering::less;
  return static_cast<std::uint64_t>(*integer) <=> byte->value;
}

std::partial_ordering reversed(std::partial_ordering ordering) {
  if (std::is_eq(ordering)) return ordering;
  return std::is_lt(ordering) ? std::partial_ordering::greater : std::partial_ordering::less;
}

Result<std::partial_ordering> order(const Operand& left, const Operand& right) {
  if (left.index() != right.index()) {
    if (const auto mixed = order_mixed(left, right)) return std::partial_ordering(*mixed);
    if (const auto mixed = order_mixed(right, left)) return reversed(*mixed);
    return incompatible();
  }
  if (const auto* flag = std::get_if<bool>(&left)) {
    return std::partial_ordering(*flag <=> std::get<bool>(right));
  }
  if (const auto* integer = std::get_if<std::int64_t>(&left)) {
    return std::partial_ordering(*integer <=> std::get<std::int64_t>(right));
  }
  if (const auto* byte = std::get_if<Byte>(&left)) {
    return std::partial_ordering(byte->value <=> std::get<Byte>(right).value);
  }
  if (const auto* number = std::get_if<double>(&left)) {
    return *number <=> std::get<double>(right);
  }
  return std::partial_ordering(std::get<std::string>(left) <=> std::get<std::string>(right));
}

}  // namespace

Result<bool> go_compare(const PathMatch& left, std::string_view op, const PathMatch& right) {
  const Operand a = DRA_TRY(operand(left));
  const Operand b = DRA_TRY(operand(right));
  const std::partial_ordering ordering = DRA_TRY(order(a, b));
  if (op == "==") return std::is_eq(ordering);
  if (op == "!=") return std::is_neq(ordering);
  if (std::holds_alternative<bool>(a)) return bad_type();
  if (op == "<") return std::is_lt(ordering);
  if (op == "<=") return std::is_lteq(ordering);
  return op == ">" ? std::is_gt(ordering) : std::is_gteq(ordering);
}

}  // namespace dra::json

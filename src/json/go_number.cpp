// src/json/go_number.cpp: prints from the shortest decimal of a double, which std::to_chars finds.

#include "dra/json/go_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace dra::json {
namespace {

// The shortest decimal that means a float64: 0.DIGITS times ten to the power of `point`.
struct Decimal {
  bool negative = false;
  std::string digits;
  int point = 0;
};

Decimal shortest(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(value),
                                 std::chars_format::scientific)
                       .ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t mark = text.find('e');
  Decimal decimal{std::signbit(value), std::string(text.substr(0, mark)), 0};
  std::erase(decimal.digits, '.');
  const std::string_view exponent = text.substr(mark + (text[mark + 1] == '+' ? 2 : 1));
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), decimal.point);
  ++decimal.point;
  return decimal;
}

std::string fixed_form(const Decimal& decimal) {
  const auto count = static_cast<int>(decimal.digits.size());
  const auto zeros = [](int n) {
    return std::string(static_cast<std::size_t>(std::max(n, 0)), '0');
  };
  const std::string sign = decimal.negative ? "-" : "";
  if (decimal.point <= 0) return sign + "0." + zeros(-decimal.point) + decimal.digits;
  if (decimal.point >= count) return sign + decimal.digits + zeros(decimal.point - count);
  std::string text = decimal.digits;
  text.insert(static_cast<std::size_t>(decimal.point), ".");
  return sign + text;
}

// The exponent has a sign and at least `least` digits.
std::string exponent_form(const Decimal& decimal, std::size_t least) {
  std::string text = (decimal.negative ? "-" : "") + decimal.digits.substr(0, 1);
  if (decimal.digits.size() > 1) text += "." + decimal.digits.substr(1);
  const int exponent = decimal.point - 1;
  const std::string digits = std::to_string(std::abs(exponent));
  text += exponent < 0 ? "e-" : "e+";
  if (digits.size() < least) text.append(least - digits.size(), '0');
  return text + digits;
}

std::string zero(double value) { return std::signbit(value) ? "-0" : "0"; }

}  // namespace

std::optional<double> parse_float(std::string_view text) {
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (end != last || text.empty()) return std::nullopt;
  if (error == std::errc()) return value;
  // from_chars does not distinguish too large from too small.
  value = std::strtod(std::string(text).c_str(), nullptr);
  return std::isinf(value) ? std::nullopt : std::optional(value);
}

std::optional<GoNumber> go_number(std::string_view literal) {
  std::int64_t integer = 0;
  const char* const last = literal.data() + literal.size();
  const auto [end, error] = std::from_chars(literal.data(), last, integer);
  if (error == std::errc() && end == last) return GoNumber(integer);
  const std::optional<double> value = parse_float(literal);
  return value ? std::optional<GoNumber>(*value) : std::nullopt;
}

std::string float_as_json(double value) {
  if (value == 0) return zero(value);
  const double size = std::fabs(value);
  const Decimal decimal = shortest(value);
  return size < 1e-6 || size >= 1e21 ? exponent_form(decimal, 1) : fixed_form(decimal);
}

std::string float_as_text(double value) {
  if (value == 0) return zero(value);
  const Decimal decimal = shortest(value);
  const int exponent = decimal.point - 1;
  return exponent < -4 || exponent >= 6 ? exponent_form(decimal, 2) : fixed_form(decimal);
}

std::string number_as_json(std::string_view literal) {
  const std::optional<GoNumber> number = go_number(literal);
  if (!number) return std::string(literal);
  if (const auto* integer = std::get_if<std::int64_t>(&*number)) return std::to_string(*integer);
  return float_as_json(std::get<double>(*number));
}

std::string number_as_text(std::string_view literal) {
  const std::optional<GoNumber> number = go_number(literal);
  if (!number) return std::string(literal);
  if (const auto* integer = std::get_if<std::int64_t>(&*number)) return std::to_string(*integer);
  return float_as_text(std::get<double>(*number));
}

}  // namespace dra::json

// src/json/yaml_scalar.cpp: see yaml_scalar.h.

#include "src/json/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

namespace dra::json {
namespace {

constexpr std::array<std::string_view, 11> kTrue = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                                    "True", "TRUE", "on",  "On",  "ON"};
constexpr std::array<std::string_view, 11> kFalse = {"n",     "N",     "no",  "No",  "NO", "false",
                                                     "False", "FALSE", "off", "Off", "OFF"};
constexpr std::array<std::string_view, 5> kNull = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 12> kNotFinite = {".nan",  ".NaN",  ".NAN",  ".inf",
                                                         ".Inf",  ".INF",  "+.inf", "+.Inf",
                                                         "+.INF", "-.inf", "-.Inf", "-.INF"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Go's strconv.ParseInt with base 0, then ParseUint: 0x, 0o, 0b and a leading 0 choose the base.
std::optional<std::string> integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  const bool has_sign = negative || text.starts_with('+');
  if (has_sign) text.remove_prefix(1);
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char mark = text[1];
    base = mark == 'x' || mark == 'X' ? 16 : mark == 'b' || mark == 'B' ? 2 : 8;
    text.remove_prefix(base != 8 || mark == 'o' || mark == 'O' ? 2 : 1);
  }
  std::uint64_t magnitude = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  constexpr std::uint64_t max_int = INT64_MAX;
  if (negative && magnitude > max_int + 1) return std::nullopt;
  if (has_sign && !negative && magnitude > max_int) return std::nullopt;
  return (negative && magnitude != 0 ? "-" : "") + std::to_string(magnitude);
}

// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
bool looks_like_float(std::string_view text) {
  std::size_t at = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const auto digits = [&text, &at] {
    const std::size_t start = at;
    while (at < text.size() && is_digit(text[at]))
      ++at;
    return at > start;
  };
  const bool whole = digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (!digits() && !whole) return false;
  } else if (!whole) {
    return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (!digits()) return false;
  }
  return at == text.size();
}

// As Go's encoding/json prints a float64: the fewest digits that say which number it is; exponents
// only below 1e-6 and from 1e21. From 2^53 on the fixed form of to_chars has all digits instead, so
// zeros take the place of those that say nothing.
std::string float_literal(double value) {
  constexpr double all_digits = 9007199254740992;
  const auto write = [value](std::chars_format format) {
    std::array<char, 400> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format).ptr;
    return std::string(buffer.data(), end);
  };
  const double size = std::fabs(value);
  std::string text = write(std::chars_format::fixed);
  if (size == 0 || (size >= 1e-6 && size < all_digits)) return text;
  std::string scientific = write(std::chars_format::scientific);
  if (size < 1e-6 || size >= 1e21) {
    const std::size_t exponent = scientific.rfind("e-0");
    if (exponent != std::string::npos) scientific.erase(exponent + 2, 1);  // Go: 1e-7, not 1e-07
    return scientific;
  }
  const std::string_view mantissa = std::string_view(scientific).substr(0, scientific.find('e'));
  const auto digits = mantissa.size() - (mantissa.find('.') == std::string_view::npos ? 0 : 1);
  for (std::size_t i = digits; i < text.size(); ++i)
    text[i] = '0';
  // The last digit that says something is rounded, not cut off.
  std::size_t at = 0;
  for (const char c : mantissa) {
    if (c != '.') text[at++] = c;
  }
  return text;
}

std::optional<double> floating(std::string_view text) {
  if (!looks_like_float(text)) return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Value> resolve_plain_scalar(std::string_view text) {
  if (contains(kNull, text)) return Value();
  if (contains(kTrue, text)) return Value(true);
  if (contains(kFalse, text)) return Value(false);
  if (contains(kNotFinite, text)) return std::nullopt;
  const char first = text.front();
  if (!is_digit(first) && first != '-' && first != '+' && first != '.') return Value(text);
  std::string plain(text);
  if (first != '.') std::erase(plain, '_');
  if (first != '.') {
    if (const auto literal = integer(plain)) return Value::number(*literal);
  }
  if (const auto value = floating(plain)) return Value::number(float_literal(*value));
  return Value(text);
}

}  // namespace dra::json

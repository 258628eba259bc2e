// src/json/yaml_scalar.cpp: resolve_plain_scalar(): named constants, then integers, then floats.

#include "src/json/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>

#include "dra/base/ascii.h"
#include "dra/json/go_number.h"

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

// Go's strconv.ParseInt with base 0, then ParseUint: 0x, 0o, 0b and a leading 0 choose the base.
// The library then reads 0b again with ParseInt, which accepts a sign there.
std::optional<std::string> integer_text(std::string_view text) {
  if (text.starts_with("0b-") || text.starts_with("0b+")) {
    return integer_text(std::string(text.substr(2, 1)) + "0b" + std::string(text.substr(3)));
  }
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
    while (at < text.size() && base::is_digit(text[at]))
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

// Go's strconv.underscoreOK: each stands between two digits.
bool separates_digits(std::string_view text) {
  for (std::size_t at = text.find('_'); at != std::string_view::npos; at = text.find('_', at + 1)) {
    if (at == 0 || at + 1 == text.size()) return false;
    if (!base::is_digit(text[at - 1]) || !base::is_digit(text[at + 1])) return false;
  }
  return true;
}

std::optional<double> floating(std::string_view text) {
  if (!looks_like_float(text)) return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  return parse_float(text);
}

}  // namespace

std::optional<Value> resolve_plain_scalar(std::string_view text) {
  if (contains(kNull, text)) return Value();
  if (contains(kTrue, text)) return Value(true);
  if (contains(kFalse, text)) return Value(false);
  if (contains(kNotFinite, text)) return std::nullopt;
  const char first = text.front();
  if (!base::is_digit(first) && first != '-' && first != '+' && first != '.') return Value(text);
  if (first == '.' && !separates_digits(text)) return Value(text);
  std::string plain(text);
  std::erase(plain, '_');
  if (first != '.') {
    if (const auto literal = integer_text(plain)) return Value::number(*literal);
  }
  if (const auto value = floating(plain)) return Value::number(float_as_json(*value));
  return Value(text);
}

std::optional<Value> resolve_tagged_scalar(std::string_view tag, std::string_view text) {
  constexpr std::string_view own = "tag:yaml.org,2002:";
  const std::string_view type = tag.starts_with(own) ? tag.substr(own.size()) : "str";
  // The library decodes base64 here. No field of Kubernetes wants such bytes in YAML.
  if (type == "binary") return std::nullopt;
  const bool is_integer = type == "int";
  if (!is_integer && type != "float" && type != "bool" && type != "null") return Value(text);
  auto value = resolve_plain_scalar(text);
  if (!value) return std::nullopt;
  std::string plain(text);
  std::erase(plain, '_');
  const bool fits = is_integer        ? value->is(Kind::Number) && integer_text(plain).has_value()
                    : type == "float" ? value->is(Kind::Number)
                    : type == "bool"  ? value->is(Kind::Bool)
                                      : value->is(Kind::Null);
  if (!fits) value.reset();
  return value;
}

}  // namespace dra::json

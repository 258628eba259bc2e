// src/render/go_template/literals.cpp: see literals.h. Follows text/template/parse, newNumber, over
// strconv.

#include "src/render/go_template/literals.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "dra/base/ascii.h"
#include "dra/base/text.h"
#include "dra/json/go_quote.h"
#include "dra/json/parse.h"
#include "dra/json/unicode.h"

namespace dra::render::go_template {
namespace {

// Underscores stand between digits only; a prefix such as 0x counts as a digit.
bool underscores_fit(std::string_view text) {
  char before = '^';
  std::size_t at = 0;
  if (text.size() >= 2 && text[0] == '0' &&
      base::lower(text.substr(1, 1)).find_first_of("xbo") == 0) {
    before = '0';
    at = 2;
  }
  const bool hexadecimal = at == 2 && (text[1] == 'x' || text[1] == 'X');
  for (; at < text.size(); ++at) {
    const char c = text[at];
    const bool digit =
        base::is_digit(c) ||
        (hexadecimal && std::string_view("abcdefABCDEF").find(c) != std::string_view::npos);
    if (c == '_' && before != '0') return false;
    if (c != '_' && !digit && before == '_') return false;
    before = digit ? '0' : c == '_' ? '_' : '!';
  }
  return before != '_';
}

struct Digits {
  std::string text;
  int base = 10;
};

// The digits of an integer behind its prefix.
Digits digits_of(std::string text) {
  std::erase(text, '_');
  const std::string prefix = base::lower(text.substr(0, 2));
  if (prefix == "0x") return {text.substr(2), 16};
  if (prefix == "0b") return {text.substr(2), 2};
  if (prefix == "0o") return {text.substr(2), 8};
  if (text.size() > 1 && text.front() == '0') return {text.substr(1), 8};
  return {std::move(text), 10};
}

template <class T>
std::optional<T> read_digits(const Digits& digits) {
  T value = 0;
  const char* const last = digits.text.data() + digits.text.size();
  const auto [end, error] = std::from_chars(digits.text.data(), last, value, digits.base);
  if (error != std::errc() || end != last || digits.text.empty()) return std::nullopt;
  return value;
}

// A float of decimal or hexadecimal digits; the latter need an exponent.
std::optional<double> read_float(std::string text) {
  if (!underscores_fit(text.substr(text.find_first_not_of("+-") == 1 ? 1 : 0))) return std::nullopt;
  std::erase(text, '_');
  const bool hexadecimal = base::lower(text).find("0x") != std::string::npos;
  if (hexadecimal && text.find_first_of("pP") == std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool whole = end == text.c_str() + text.size() && !text.empty();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<NumberLiteral> number_literal(std::string_view text) {
  NumberLiteral number{std::string(text)};
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative || text.starts_with('+') ? 1 : 0);
  const std::string lower = base::lower(text);
  const bool hexadecimal = digits.size() > 2 && base::lower(digits.substr(0, 2)) == "0x";
  const bool marked = lower.find_first_of(hexadecimal ? ".p" : ".ep") != std::string::npos;
  if (underscores_fit(digits)) {
    const auto magnitude = read_digits<std::uint64_t>(digits_of(std::string(digits)));
    constexpr std::uint64_t most = std::uint64_t{1} << 63U;
    if (magnitude && (*magnitude < most || (negative && *magnitude == most))) {
      number.integer = static_cast<std::int64_t>(negative ? 0 - *magnitude : *magnitude);
      return number;
    }
    // An unsigned integer, which becomes an error where it is used.
    if (magnitude && digits.size() == text.size()) return number;
  }
  const std::optional<double> value = read_float(std::string(text));
  if (!value || !marked) return std::nullopt;
  number.is_float = true;
  number.number = *value;
  return number;
}

std::optional<NumberLiteral> character_literal(std::string_view text) {
  const bool escaped = text.find('\\') != std::string_view::npos;
  std::optional<std::string> one = json::go_unquote(text);
  if (!one || one->empty()) return std::nullopt;
  // A byte that is not UTF-8 is itself only where it is escaped.
  if (!escaped) one = json::repaired_utf8(*one);
  const std::string_view character = json::character_at(*one, 0);
  if (character.size() != one->size()) return std::nullopt;
  NumberLiteral number{std::string(text)};
  number.integer = json::code_of(character);
  return number;
}

std::optional<std::string> string_literal(std::string_view text) {
  if (!text.starts_with('`')) return json::go_unquote(text);
  std::string raw(text.substr(1, text.size() - 2));
  std::erase(raw, '\r');
  return raw;
}

}  // namespace dra::render::go_template

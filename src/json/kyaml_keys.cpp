// src/json/kyaml_keys.cpp: see kyaml_keys.h. What looks like a number is decided by Go's strconv,
// after underscores are taken out.

#include "src/json/kyaml_keys.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/json/unicode.h"
#include "src/json/characters.h"

namespace dra::json {
namespace {

bool is_word_of(std::string_view lower, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, lower) != words.end();
}

// strconv.ParseBool, and the words of YAML 1.1.
bool looks_like_constant(std::string_view key) {
  if (is_word_of(
          key, {"1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"})) {
    return true;
  }
  return is_word_of(base::lower(key),
                    {"null", "true", "y", "yes", "on", "false", "n", "no", "off"});
}

// strconv.ParseInt with base 0, without a sign, in 64 bits.
bool looks_like_integer(std::string_view text) {
  int base = 10;
  const std::string prefix = base::lower(text.substr(0, 2));
  if (prefix == "0x" || prefix == "0b" || prefix == "0o") {
    base = prefix == "0x" ? 16 : prefix == "0b" ? 2 : 8;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.front() == '0') {
    base = 8;
    text.remove_prefix(1);
  }
  std::int64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value, base);
  return !text.empty() && text.front() != '-' && error == std::errc() && end == last;
}

// The part of `text` that consists of digits is cut off its front; false if there is none.
bool take_digits(std::string_view& text, bool hexadecimal) {
  std::size_t count = 0;
  const auto is_one = [hexadecimal](char c) {
    const bool letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    return (c >= '0' && c <= '9') || (hexadecimal && letter);
  };
  while (count < text.size() && is_one(text[count]))
    ++count;
  text.remove_prefix(count);
  return count > 0;
}

// strconv.ParseFloat, without a sign at the front. A number that is too large is none.
bool looks_like_float(std::string_view text) {
  const std::string lower = base::lower(text);
  if (is_word_of(lower, {"inf", "infinity", "nan"})) return true;
  const bool hexadecimal = lower.starts_with("0x");
  std::string_view rest = std::string_view(lower).substr(hexadecimal ? 2 : 0);
  bool digits = take_digits(rest, hexadecimal);
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    digits |= take_digits(rest, hexadecimal);
  }
  if (!digits) return false;
  const bool exponent = rest.starts_with(hexadecimal ? 'p' : 'e');
  if (exponent) {
    rest.remove_prefix(1);
    if (rest.starts_with('-') || rest.starts_with('+')) rest.remove_prefix(1);
    if (!take_digits(rest, false)) return false;
  }
  if (!rest.empty() || (hexadecimal && !exponent)) return false;
  return !std::isinf(std::strtod(lower.c_str(), nullptr));
}

// One or two digits off the front of the text. Go refuses a third one only where a dash is due.
int take_part(std::string_view& text) {
  int value = 0;
  const char* const most = text.data() + std::min<std::size_t>(text.size(), 2);
  const auto [end, error] = std::from_chars(text.data(), most, value);
  if (error != std::errc() || (!text.empty() && text.front() == '-')) return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

// A date as Go reads 2006-1-2. Times hold colons, which need quotes anyway.
bool looks_like_date(std::string_view text) {
  constexpr std::array days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  std::string_view rest = text;
  if (!take_digits(rest, false) || text.size() - rest.size() != 4 || !rest.starts_with('-')) {
    return false;
  }
  int year = 0;
  std::from_chars(text.data(), text.data() + 4, year);
  rest.remove_prefix(1);
  const int month = take_part(rest);
  if (month < 1 || month > 12 || !rest.starts_with('-')) return false;
  rest.remove_prefix(1);
  const int day = take_part(rest);
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  const int last = days[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
  return rest.empty() && day >= 1 && day <= last;
}

}  // namespace

bool is_plain_kyaml_key(std::string_view key) {
  if (key.empty() || looks_like_constant(key) || looks_like_date(key)) return false;
  std::string number(key);
  std::erase(number, '_');
  if (looks_like_integer(number) || looks_like_float(number)) return false;
  for (std::size_t at = 0; at < key.size();) {
    const std::string_view character = character_at(key, at);
    const std::uint32_t code = code_of(character);
    const bool inside = at > 0 && at + character.size() < key.size();
    const bool allowed = code == '_' || is_letter(code) || is_number(code) ||
                         (inside && (code == '-' || code == '.' || code == '/'));
    if (!allowed) return false;
    at += character.size();
  }
  return true;
}

}  // namespace dra::json

// src/cel/library/library_conversions.cpp: bool(), int(), string(), type() and other conversions.
// Upstream: cel-go common/stdlib, and ConvertToType of the values in common/types.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "dra/base/ascii.h"
#include "dra/base/text.h"
#include "dra/cel/library/library.h"
#include "dra/cel/syntax/utf8.h"
#include "dra/cel/values/go_text.h"
#include "dra/cel/values/time_values.h"

namespace dra::cel {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

Value same(const Invocation& call) { return call.args[0]; }

Value no_conversion(const Invocation& call, std::string_view to) {
  return call.scratch.failure(
      base::format("type conversion error from '{}' to '{}'", type_name(call.args[0]), to));
}

Value int_overflow() { return Value::error("integer overflow"); }
Value uint_overflow() { return Value::error("unsigned integer overflow"); }

// --- from strings

// Upstream: strconv.ParseBool.
Value string_to_bool(const Invocation& call) {
  constexpr std::array<std::string_view, 6> yes{"1", "t", "T", "TRUE", "true", "True"};
  constexpr std::array<std::string_view, 6> no{"0", "f", "F", "FALSE", "false", "False"};
  const std::string_view text = call.args[0].text();
  if (std::ranges::find(yes, text) != yes.end()) return Value::boolean(true);
  if (std::ranges::find(no, text) != no.end()) return Value::boolean(false);
  return no_conversion(call, "bool");
}

template <class T>
std::optional<T> parse_decimal(std::string_view text) {
  T value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool all = end.ec == std::errc() && end.ptr == text.data() + text.size();
  return all ? std::optional(value) : std::nullopt;
}

Value string_to_int(const Invocation& call) {
  std::string_view text = call.args[0].text();
  if (text.starts_with("+") && !text.starts_with("+-")) text.remove_prefix(1);
  const auto value = parse_decimal<std::int64_t>(text);
  return value ? Value::integer(*value) : no_conversion(call, "int");
}

Value string_to_uint(const Invocation& call) {
  const auto value = parse_decimal<std::uint64_t>(call.args[0].text());
  return value ? Value::uint(*value) : no_conversion(call, "uint");
}

bool is_one_of(std::string_view lower_text, std::string_view a, std::string_view b) {
  return lower_text == a || lower_text == b;
}

// The number without underscores if Go's strconv.ParseFloat accepts it; "" if not.
std::string float_digits(std::string_view text) {
  std::size_t at = text.starts_with("+") || text.starts_with("-") ? 1 : 0;
  const bool hex = text.size() > at + 2 && text[at] == '0' && (text[at + 1] | 0x20) == 'x';
  std::string out(text.substr(0, hex ? at + 2 : at));
  if (hex) at += 2;
  const auto is_hex = [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'f'; };
  bool after_digit = hex;  // underscores are allowed between digits and after the prefix
  bool point = false;
  bool digits = false;
  bool exponent = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    const bool digit = base::is_digit(c) || (hex && !exponent && is_hex(c));
    if (c == '_') {
      const bool before_digit =
          at + 1 < text.size() && (base::is_digit(text[at + 1]) || (hex && is_hex(text[at + 1])));
      if (!after_digit || !before_digit) return {};
      after_digit = false;
      continue;
    }
    const bool sign =
        exponent && (c == '+' || c == '-') && (out.back() | 0x20) == (hex ? 'p' : 'e');
    if (c == '.' && !point && !exponent) {
      point = true;
    } else if (digits && !exponent && (c | 0x20) == (hex ? 'p' : 'e')) {
      exponent = true;
    } else if (!digit && !sign) {
      return {};
    }
    digits = digits || digit;
    after_digit = digit;
    out += c;
  }
  const bool ends_well = digits && (!exponent || base::is_digit(out.back()));
  return ends_well && exponent >= hex ? out : std::string();
}

Value string_to_double(const Invocation& call) {
  const std::string_view text = call.args[0].text();
  const std::string lower = base::lower(text);
  std::string_view unsigned_text = lower;
  const bool negative = lower.starts_with("-");
  if (negative || lower.starts_with("+")) unsigned_text.remove_prefix(1);
  if (is_one_of(unsigned_text, "inf", "infinity")) {
    return Value::real(negative ? -HUGE_VAL : HUGE_VAL);
  }
  if (lower == "nan") return Value::real(std::nan(""));
  const std::string digits = float_digits(text);
  if (digits.empty()) return no_conversion(call, "double");
  const double value = std::strtod(digits.c_str(), nullptr);
  return std::isinf(value) ? no_conversion(call, "double") : Value::real(value);
}

Value string_to_bytes(const Invocation& call) { return Value::bytes(call.args[0].text()); }

Value string_to_duration(const Invocation& call) {
  const auto nanos = parse_nanos(call.args[0].text());
  return nanos ? Value::duration(*nanos) : no_conversion(call, "google.protobuf.Duration");
}

Value string_to_timestamp(const Invocation& call) {
  const auto moment = parse_moment(call.args[0].text());
  if (!moment) return no_conversion(call, "google.protobuf.Timestamp");
  if (!in_range(*moment)) return Value::error(kTimestampOverflow);
  return Value::timestamp(call.scratch.make<Moment>(*moment));
}

// --- between numbers

Value double_to_int(const Invocation& call) {
  const double value = call.args[0].as_double();
  // Both ends are excluded; NaN is outside.
  const bool fits = value > -kTwoTo63 && value < kTwoTo63;
  return fits ? Value::integer(static_cast<std::int64_t>(value)) : int_overflow();
}
Value uint_to_int(const Invocation& call) {
  const auto value = static_cast<std::int64_t>(call.args[0].as_uint());
  return value >= 0 ? Value::integer(value) : int_overflow();
}
Value double_to_uint(const Invocation& call) {
  const double value = call.args[0].as_double();
  const bool fits = value >= 0 && value < 2 * kTwoTo63;
  return fits ? Value::uint(static_cast<std::uint64_t>(value)) : uint_overflow();
}
Value int_to_uint(const Invocation& call) {
  const std::int64_t value = call.args[0].as_int();
  return value >= 0 ? Value::uint(static_cast<std::uint64_t>(value)) : uint_overflow();
}
Value int_to_double(const Invocation& call) {
  return Value::real(static_cast<double>(call.args[0].as_int()));
}
Value uint_to_double(const Invocation& call) {
  return Value::real(static_cast<double>(call.args[0].as_uint()));
}
Value duration_to_int(const Invocation& call) { return Value::integer(call.args[0].nanos()); }
Value timestamp_to_int(const Invocation& call) {
  return Value::integer(call.args[0].moment().seconds);
}
Value int_to_timestamp(const Invocation& call) {
  const Moment moment{.seconds = call.args[0].as_int()};
  if (!in_range(moment)) return Value::error(kTimestampOverflow);
  return Value::timestamp(call.scratch.make<Moment>(moment));
}

// --- to strings

Value basic_to_string(const Invocation& call) {
  return call.scratch.string(go_value(call.args[0]));
}
Value double_to_string(const Invocation& call) {
  return call.scratch.string(go_double(call.args[0].as_double()));
}
Value bytes_to_string(const Invocation& call) {
  const std::string_view octets = call.args[0].text();
  if (is_utf8(octets)) return Value::string(octets);
  return Value::error("invalid UTF-8 in bytes, cannot convert to string");
}
Value duration_to_string(const Invocation& call) {
  return call.scratch.string(format_nanos(call.args[0].nanos()));
}
Value timestamp_to_string(const Invocation& call) {
  return call.scratch.string(format_moment(call.args[0].moment()));
}

// Types compare by name; that of a list is "list" for all elements.
Value type_of(const Invocation& call) {
  const auto* type =
      call.scratch.make<Type>(Type{.kind = TypeKind::Opaque, .name = type_name(call.args[0])});
  return Value::type(type);
}

constexpr OverloadCode kConversionOverloads[] = {
    {"bool_to_bool", same},
    {"bool_to_string", basic_to_string},
    {"bytes_to_bytes", same},
    {"bytes_to_string", bytes_to_string},
    {"double_to_double", same},
    {"double_to_int64", double_to_int},
    {"double_to_string", double_to_string},
    {"double_to_uint64", double_to_uint},
    {"duration_to_duration", same},
    {"duration_to_int64", duration_to_int},
    {"duration_to_string", duration_to_string},
    {"int64_to_double", int_to_double},
    {"int64_to_int64", same},
    {"int64_to_string", basic_to_string},
    {"int64_to_timestamp", int_to_timestamp},
    {"int64_to_uint64", int_to_uint},
    {"string_to_bool", string_to_bool},
    {"string_to_bytes", string_to_bytes},
    {"string_to_double", string_to_double},
    {"string_to_duration", string_to_duration},
    {"string_to_int64", string_to_int},
    {"string_to_string", same},
    {"string_to_timestamp", string_to_timestamp},
    {"string_to_uint64", string_to_uint},
    {"timestamp_to_int64", timestamp_to_int},
    {"timestamp_to_string", timestamp_to_string},
    {"timestamp_to_timestamp", same},
    {"uint64_to_double", uint_to_double},
    {"uint64_to_int64", uint_to_int},
    {"uint64_to_string", basic_to_string},
    {"uint64_to_uint64", same},
};

constexpr FunctionCode kConversionFunctions[] = {
    {"dyn", same},
    {"type", type_of},
};

}  // namespace

std::span<const OverloadCode> conversion_codes() { return kConversionOverloads; }
std::span<const FunctionCode> conversion_functions() { return kConversionFunctions; }

}  // namespace dra::cel

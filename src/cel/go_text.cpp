// src/cel/go_text.cpp: see go_text.h.

#include "src/cel/go_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "dra/base/text.h"

namespace dra::cel {
namespace {

constexpr int kLargeInMessages = 21;  // fmt's %v

// "-1.25e+10" as its parts.
struct Digits {
  std::string sign;
  std::string digits;  // without point
  int exponent = 0;    // of the first digit
};

Digits digits_of(double value) {
  std::array<char, 32> buffer{};
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                     std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data()));
  Digits out;
  const std::size_t e = text.find('e');
  for (const char c : text.substr(0, e)) {
    if (c == '-') out.sign = "-";
    if (c >= '0' && c <= '9') out.digits += c;
  }
  out.exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
  return out;
}

}  // namespace

std::string go_double(double value, int large) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  Digits parts = digits_of(value);
  const int count = static_cast<int>(parts.digits.size());
  if (parts.exponent < -4 || parts.exponent >= large) {
    if (count > 1) parts.digits.insert(1, ".");
    const int exponent = std::abs(parts.exponent);
    return base::format("{}{}e{}{}{}", parts.sign, parts.digits, parts.exponent < 0 ? "-" : "+",
                        exponent < 10 ? "0" : "", exponent);
  }
  if (parts.exponent < 0) {
    return parts.sign + "0." + std::string(static_cast<std::size_t>(-parts.exponent - 1), '0') +
           parts.digits;
  }
  if (count <= parts.exponent + 1) {
    return parts.sign + parts.digits +
           std::string(static_cast<std::size_t>(parts.exponent + 1 - count), '0');
  }
  parts.digits.insert(static_cast<std::size_t>(parts.exponent) + 1, ".");
  return parts.sign + parts.digits;
}

std::string go_value(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Bool:
      return value.as_bool() ? "true" : "false";
    case ValueKind::Int:
      return base::format("{}", value.as_int());
    case ValueKind::Uint:
      return base::format("{}", value.as_uint());
    case ValueKind::Double:
      return go_double(value.as_double(), kLargeInMessages);
    case ValueKind::String:
    case ValueKind::Error:
      return std::string(value.text());
    case ValueKind::Opaque:
      return value.as_opaque().text();
    default:
      return std::string(type_name(value));
  }
}

std::string_view go_type(const Value& value) {
  constexpr std::string_view names[] = {
      "*types.Err",   "types.Null",      "types.Bool",     "types.Int",      "types.Uint",
      "types.Double", "types.String",    "types.Bytes",    "types.Duration", "types.Timestamp",
      "*types.Type",  "*types.baseList", "*types.baseMap", "*types.Optional"};
  if (value.is(ValueKind::Opaque)) return value.as_opaque().go_type();
  return names[static_cast<std::size_t>(value.kind())];
}

}  // namespace dra::cel

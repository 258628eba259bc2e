// src/cel/values/go_text.cpp: Go's formatting of numbers, durations and times.

#include "dra/cel/values/go_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "dra/base/text.h"
#include "dra/cel/values/time_values.h"

namespace dra::cel {
namespace {

constexpr int kLarge = 6;  // fmt's %g and %v write exponents from here on

// The parts of "-1.25e+10".
struct Digits {
  std::string sign;
  std::string digits;  // without the point
  int exponent = 0;    // exponent of the first digit
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

std::string go_double(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  Digits parts = digits_of(value);
  const int count = static_cast<int>(parts.digits.size());
  if (parts.exponent < -4 || parts.exponent >= kLarge) {
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

namespace {

std::string octets_text(std::string_view octets) {
  std::vector<std::string> numbers;
  for (const char c : octets)
    numbers.push_back(base::format("{}", static_cast<unsigned>(static_cast<unsigned char>(c))));
  return "[" + base::join(numbers, " ") + "]";
}

std::string go_list_text(const ListValue& list) {
  std::vector<std::string> elements;
  for (std::size_t i = 0; i < list.size(); ++i)
    elements.push_back(list.element_text(i));
  return "[" + base::join(elements, ", ") + "]";
}

std::string go_map_text(const MapValue& map) {
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const auto [key, content] = map.entry(i);
    entries.push_back(go_value(key) + ": " + go_value(content));
  }
  return "{" + base::join(entries, ", ") + "}";
}

// Upstream: time.Duration.String. "1h0m0.5s", "1.5ms".
std::string duration_text(std::int64_t nanos) {
  const auto size =
      nanos < 0 ? 0 - static_cast<std::uint64_t>(nanos) : static_cast<std::uint64_t>(nanos);
  const auto with_point = [](std::uint64_t value, std::uint64_t unit, std::size_t digits) {
    std::string out = base::format("{}", value % unit + unit).substr(1);
    out = base::format("{}.", value / unit) + out.substr(0, digits);
    out.resize(out.find_last_not_of('0') + 1);
    if (out.back() == '.') out.pop_back();
    return out;
  };
  constexpr std::uint64_t second = 1'000'000'000;
  const std::string sign = nanos < 0 ? "-" : "";
  if (size == 0) return "0s";
  if (size < 1'000) return base::format("{}{}ns", sign, size);
  if (size < 1'000'000) return sign + with_point(size, 1'000, 3) + "\u00B5s";
  if (size < second) return sign + with_point(size, 1'000'000, 6) + "ms";
  std::string out = with_point(size % (60 * second), second, 9) + "s";
  const std::uint64_t minutes = size / (60 * second);
  if (minutes > 0) out = base::format("{}m", minutes % 60) + out;
  if (minutes >= 60) out = base::format("{}h", minutes / 60) + out;
  return sign + out;
}

// Upstream: time.Time.String. "2020-01-02 03:04:05.678 +0200 +0200"
std::string moment_text(const Moment& moment) {
  std::string out = format_moment(moment);
  out.resize(out.find_first_of("Z+", 19) == std::string::npos ? out.find('-', 19)
                                                              : out.find_first_of("Z+", 19));
  out[10] = ' ';
  if (moment.offset == 0) return out + " +0000 UTC";
  const std::int32_t minutes = (moment.offset < 0 ? -moment.offset : moment.offset) / 60;
  const std::string zone =
      base::format("{}{:02}{:02}", moment.offset < 0 ? "-" : "+", minutes / 60, minutes % 60);
  return base::format("{} {} {}", out, zone, zone);
}

}  // namespace

std::string ListValue::element_text(std::size_t index) const { return go_value(at(index)); }

std::string go_value(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Null:
      return "0";  // the enumeration has no other value
    case ValueKind::Bool:
      return value.as_bool() ? "true" : "false";
    case ValueKind::Int:
      return base::format("{}", value.as_int());
    case ValueKind::Uint:
      return base::format("{}", value.as_uint());
    case ValueKind::Double:
      return go_double(value.as_double());
    case ValueKind::String:
    case ValueKind::Error:
      return std::string(value.text());
    case ValueKind::Bytes:
      return octets_text(value.text());
    case ValueKind::Duration:
      return duration_text(value.nanos());
    case ValueKind::Timestamp:
      return moment_text(value.moment());
    case ValueKind::List:
      return go_list_text(value.as_list());
    case ValueKind::Map:
      return go_map_text(value.as_map());
    case ValueKind::Optional:
      return value.content() == nullptr ? "optional.none()"
                                        : base::format("optional({})", go_value(*value.content()));
    case ValueKind::Type:
      return std::string(value.as_type().name);
    case ValueKind::Opaque:
      return value.as_opaque().text();
  }
  return std::string(type_name(value));
}

std::string_view go_type(const Value& value) {
  constexpr std::string_view names[] = {"*types.Err",      "types.Null",     "types.Bool",
                                        "types.Int",       "types.Uint",     "types.Double",
                                        "types.String",    "types.Bytes",    "types.Duration",
                                        "types.Timestamp", "*types.Type",    "",
                                        "*types.baseMap",  "*types.Optional"};
  if (value.is(ValueKind::Opaque)) return value.as_opaque().go_type();
  if (value.is(ValueKind::List)) return value.as_list().go_type();
  return names[static_cast<std::size_t>(value.kind())];
}

}  // namespace dra::cel

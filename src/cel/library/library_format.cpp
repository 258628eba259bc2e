// src/cel/library/library_format.cpp: "…".format([…]), in the older of its two implementations.
// Upstream: cel-go ext/formatting.go with the locale en_US, whose numbers golang.org/x/text/message
// prints.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "dra/base/text.h"
#include "dra/cel/library/format_clauses.h"
#include "dra/cel/library/library.h"
#include "dra/cel/syntax/utf8.h"
#include "dra/cel/values/go_text.h"
#include "dra/cel/values/time_values.h"

namespace dra::cel {
namespace {

constexpr int kDigits = 6;  // digits after the point by default

// Text, or an error.
struct Text {
  std::string text;
  bool failed = false;
};
Text failure(std::string message) { return {std::move(message), true}; }

// --- numbers

std::string fixed(double value, int digits) {
  std::string out(400 + static_cast<std::size_t>(digits), '\0');
  const auto end =
      std::to_chars(out.data(), out.data() + out.size(), value, std::chars_format::fixed, digits);
  out.resize(static_cast<std::size_t>(end.ptr - out.data()));
  return out;
}

// "1234567.8" -> "1,234,567.8"
std::string grouped(std::string digits) {
  const std::size_t first = digits.starts_with("-") ? 1 : 0;
  for (std::size_t at = std::min(digits.find('.'), digits.size()); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string special(double value) {
  if (std::isnan(value)) return "NaN";
  return value < 0 ? "-\u221E" : "\u221E";
}

// From here on Go's printer cannot read a precision and prints this.
constexpr std::int64_t kUnreadable = 10'000'010;
constexpr std::string_view kNoVerb = "%!(NOVERB)";

// The printer keeps the least number of digits in 8 bits and the greatest in 16.
std::string fixed_point(double value, std::int64_t precision) {
  if (precision >= kUnreadable) return std::string(kNoVerb);
  if (!std::isfinite(value)) return special(value);
  if (value == 0) value = 0;  // zero prints without sign
  const auto most = static_cast<std::int16_t>(precision);
  const auto least = static_cast<std::size_t>(precision & 0xFF);
  std::string digits;
  if (most < 0) {
    digits.assign(400, '\0');
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                   std::chars_format::fixed);
    digits.resize(static_cast<std::size_t>(end.ptr - digits.data()));
  } else {
    digits = fixed(value, most);
  }
  if (precision <= 0xFF) return grouped(digits);
  if (digits.find('.') == std::string::npos) digits += '.';
  const std::size_t point = digits.find('.');
  while (digits.size() > point + 1 + least && digits.back() == '0')
    digits.pop_back();
  if (digits.size() < point + 1 + least) digits.append(point + 1 + least - digits.size(), '0');
  if (digits.back() == '.') digits.pop_back();
  return grouped(digits);
}

// "1.052500×10⁰³". The precision becomes the minimum width.
std::string scientific(double value, std::int64_t width) {
  if (width >= kUnreadable) return std::string(kNoVerb);
  std::string out = special(value);
  if (std::isfinite(value)) {
    if (value == 0) value = 0;
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::scientific, kDigits);
    const std::string_view digits(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
    constexpr std::array<std::string_view, 10> raised{"⁰", "¹", "²", "³", "⁴",
                                                      "⁵", "⁶", "⁷", "⁸", "⁹"};
    const std::size_t e = digits.find('e');
    out = std::string(digits.substr(0, e)) + "×10";
    for (const char c : digits.substr(e + 1)) {
      if (c == '-') out += "⁻";
      if (c >= '0' && c <= '9') out += raised[static_cast<std::size_t>(c - '0')];
    }
  }
  const std::size_t wanted = static_cast<std::uint16_t>(width);
  const std::size_t has = count_runes(out);
  return std::string(wanted > has ? wanted - has : 0, ' ') + out;
}

std::string in_base(const Value& value, int base) {
  if (value.is(ValueKind::Bool)) return value.as_bool() ? "1" : "0";
  std::array<char, 72> buffer{};
  char* last = buffer.data() + buffer.size();
  const auto end = value.is(ValueKind::Int)
                       ? std::to_chars(buffer.data(), last, value.as_int(), base)
                       : std::to_chars(buffer.data(), last, value.as_uint(), base);
  return {buffer.data(), end.ptr};
}

std::string hexadecimal(const Value& value, bool upper) {
  std::string out;
  if (value.is(ValueKind::String) || value.is(ValueKind::Bytes)) {
    for (const char c : value.text())
      out += base::format("{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  } else {
    out = in_base(value, 16);
  }
  if (upper) {
    for (char& c : out)
      c = static_cast<char>(c >= 'a' && c <= 'f' ? c - 0x20 : c);
  }
  return out;
}

// --- %s

Text to_text(const Value& value);

// A value within a list or a map, in the syntax of an expression.
Text as_literal(const Value& value) {
  switch (value.kind()) {
    case ValueKind::String:
      return {go_quoted(value.text())};
    case ValueKind::Bytes: {
      Text text = to_text(value);
      if (!text.failed) text.text = "b" + go_quoted(text.text);
      return text;
    }
    case ValueKind::Double: {
      const double number = value.as_double();
      if (std::isfinite(number)) return {fixed(number, kDigits)};
      return {go_quoted(go_double(number))};
    }
    case ValueKind::Duration:
      return {base::format("duration({})", go_quoted(format_nanos(value.nanos())))};
    case ValueKind::Timestamp:
      return {base::format("timestamp({})", go_quoted(format_moment(value.moment())))};
    case ValueKind::Optional:
    case ValueKind::Opaque:
      return failure(base::format("no formatting function for {}", type_name(value)));
    default:
      return to_text(value);
  }
}

Text list_text(const ListValue& list) {
  std::vector<std::string> elements;
  for (std::size_t i = 0; i < list.size(); ++i) {
    Text element = as_literal(list.at(i));
    if (element.failed) return element;
    elements.push_back(std::move(element.text));
  }
  return {"[" + base::join(elements, ", ") + "]"};
}

Text map_text(const MapValue& map) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const auto [key, value] = map.entry(i);
    const bool basic = key.is(ValueKind::String) || key.is(ValueKind::Bool) ||
                       key.is(ValueKind::Int) || key.is(ValueKind::Uint);
    if (!basic) {
      return failure(base::format("no formatting function for map key of type {}", type_name(key)));
    }
    Text text = as_literal(value);
    if (text.failed) return text;
    entries.emplace_back(as_literal(key).text, std::move(text.text));
  }
  std::ranges::stable_sort(entries, {}, [](const auto& entry) { return entry.first; });
  std::vector<std::string> parts;
  parts.reserve(entries.size());
  for (const auto& [key, value] : entries)
    parts.push_back(base::format("{}:{}", key, value));
  return {"{" + base::join(parts, ", ") + "}"};
}

Text to_text(const Value& value) {
  switch (value.kind()) {
    case ValueKind::List:
      return list_text(value.as_list());
    case ValueKind::Map:
      return map_text(value.as_map());
    case ValueKind::Null:
      return {"null"};
    case ValueKind::Double:
      return {go_double(value.as_double())};
    case ValueKind::Duration:
      return {format_nanos(value.nanos())};
    case ValueKind::Timestamp:
      return {format_moment(value.moment())};
    case ValueKind::Type:
      return {std::string(value.as_type().name)};
    case ValueKind::Bytes:
      if (is_utf8(value.text())) return {std::string(value.text())};
      return failure(
          "could not convert argument \"invalid UTF-8 in bytes, cannot convert to string\" to "
          "string");
    default:
      return takes('s', value.kind()) ? Text{go_value(value)}
                                      : failure(refuse('s', type_name(value)));
  }
}

// --- clauses

std::optional<double> as_number(const Value& value) {
  if (value.is(ValueKind::Double)) return value.as_double();
  if (!value.is(ValueKind::String)) return std::nullopt;
  if (value.text() == "NaN") return std::nan("");
  if (value.text() == "Infinity") return HUGE_VAL;
  return value.text() == "-Infinity" ? std::optional(-HUGE_VAL) : std::nullopt;
}

Text run_clause(const FormatPart& part, const Value& value) {
  if (!takes(part.verb, value.kind())) return failure(refuse(part.verb, type_name(value)));
  const std::int64_t precision = part.precision.value_or(kDigits);
  const std::optional<double> number = as_number(value);
  switch (part.verb) {
    case 's':
      return to_text(value);
    case 'd':
      return {in_base(value, 10)};
    case 'b':
      return {in_base(value, 2)};
    case 'o':
      return {in_base(value, 8)};
    case 'f':
      return number ? Text{fixed_point(*number, precision)} : failure(refuse('f', "string"));
    case 'e':
      return number ? Text{scientific(*number, precision)} : failure(refuse('e', "string"));
    default:
      return {hexadecimal(value, part.verb == 'X')};
  }
}

Value format(const Invocation& call) {
  const ListValue& args = call.args[1].as_list();
  std::string out;
  std::size_t next = 0;
  for (const FormatPart& part : parse_format(call.args[0].text())) {
    if (!part.is_clause()) {
      out += part.text;
      continue;
    }
    if (next == args.size()) {
      return call.scratch.failure(base::format("index {} out of range", next));
    }
    if (part.cut_off) return Value::error("unexpected end of string");
    if (!part.problem.empty()) {
      return call.scratch.failure("could not parse formatting clause: " + part.problem);
    }
    const Text text = run_clause(part, args.at(next++));
    if (text.failed) return call.scratch.failure("error during formatting: " + text.text);
    out += text.text;
  }
  return call.scratch.string(out);
}

constexpr OverloadCode kFormatOverloads[] = {
    {"string_format", format},
};

}  // namespace

std::span<const OverloadCode> format_codes() { return kFormatOverloads; }

}  // namespace dra::cel

// src/checks/fields/field_words.cpp: for each kind of value what it must look like, and for common
// slips (quoted numbers, units such as GB) the value to write.

#include "src/checks/fields/field_words.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "dra/base/text.h"
#include "dra/json/yaml.h"
#include "src/checks/fields/go_scalars.h"

namespace dra::checks {
namespace {

using api::ValueKind;
using json::Kind;
using json::Value;

constexpr std::size_t kShownText = 60;

bool fits_int32(std::int64_t value) {
  using Limits = std::numeric_limits<std::int32_t>;
  return value >= Limits::min() && value <= Limits::max();
}

bool is_integer(std::string_view text, ValueKind kind) {
  const auto value = go_integer(text);
  return value && (kind == ValueKind::Int64 || fits_int32(*value));
}

// A value in words: `the string "x"`, `the number 1.5`, `true`, `a list`.
std::string shown(const Value& value) {
  switch (value.kind()) {
    case Kind::String:
      return "the string " + quoted(value.text());
    case Kind::Number:
      return "the number " + base::shorten_middle(value.text(), kShownText);
    case Kind::Bool:
      return value.text();
    default:
      return std::string(name_of(value.kind()));
  }
}

FieldWords wants(std::string_view what, const Value& value, std::string_view advice = {},
                 std::optional<Value> right = {}) {
  std::string message = base::format("wants {}, not {}", what, shown(value));
  if (!advice.empty()) message += base::format(": {}", advice);
  return {std::move(message), std::move(right)};
}

FieldWords wrong_string(const Value& value) {
  // A reader has 1.10 as 1.1, and 0755 as 493: the original text is not known.
  if (value.is(Kind::Number))
    return wants("a string", value, "put what is written there in quotes");
  // YAML 1.1 reads `on` and `yes` as true, so the original text is not known.
  if (value.is(Kind::Bool)) {
    return wants("a string", value,
                 "put what is written there in quotes; on, yes, y, off, no and n are booleans "
                 "without them");
  }
  return wants("a string", value,
               value.is(Kind::Object) ? "put quotes around text that begins with {"
                                      : "put quotes around text that begins with [");
}

FieldWords wrong_bool(const Value& value) {
  const bool in_quotes =
      value.is(Kind::String) && (value.text() == "true" || value.text() == "false");
  return in_quotes
             ? wants("true or false", value, "remove the quotes", Value(value.text() == "true"))
             : wants("true or false", value);
}

FieldWords wrong_integer(const Value& value, ValueKind kind) {
  constexpr const char* whole = "a whole number";
  if (value.is(Kind::String) && is_integer(value.text(), kind))
    return wants(whole, value, "remove the quotes", Value::number(value.text()));
  if (!value.is(Kind::Number)) return wants(whole, value);
  const bool digits_only = value.text().find_first_of(".eE") == std::string::npos;
  if (!digits_only) return wants("a whole number, without fraction and exponent", value);
  return kind == ValueKind::Int32
             ? wants("a whole number from -2147483648 to 2147483647", value)
             : wants("a whole number from -9223372036854775808 to 9223372036854775807", value);
}

FieldWords wrong_quantity(const Value& value) {
  constexpr const char* quantity = "a quantity such as 500m, 2 or 80Gi";
  if (!value.is(Kind::String)) return wants(quantity, value);
  // "80 GiB", "80GB"
  std::string text = value.text();
  std::erase(text, ' ');
  if (text.ends_with('B')) text.pop_back();
  if (text.empty() || text == value.text() || !is_go_quantity(text)) return wants(quantity, value);
  return wants(quantity, value, "write " + text, Value(text));
}

FieldWords wrong_list(const Value& value) {
  if (value.is(Kind::Object))
    return wants("a list", value, "put \"- \" in front of its first key, and indent the others");
  if (value.is(Kind::String))
    return wants("a list", value, "make it an item of one", Value::array({value}));
  return wants("a list", value);
}

FieldWords wrong_object(const Value& value) {
  return value.is(Kind::Array) ? wants("an object", value, "remove the \"- \" in front of its keys")
                               : wants("an object", value);
}

std::optional<FieldWords> wrong_scalar(const Value& value, ValueKind kind) {
  const bool is_text = value.is(Kind::String);
  const bool is_number = value.is(Kind::Number);
  switch (kind) {
    case ValueKind::String:
      if (is_text) return std::nullopt;
      return wrong_string(value);
    case ValueKind::Bool:
      if (value.is(Kind::Bool)) return std::nullopt;
      return wrong_bool(value);
    case ValueKind::Int32:
    case ValueKind::Int64:
      if (is_number && is_integer(value.text(), kind)) return std::nullopt;
      return wrong_integer(value, kind);
    case ValueKind::Quantity:
      if ((is_text || is_number) && is_go_quantity(value.text())) return std::nullopt;
      return wrong_quantity(value);
    case ValueKind::Timestamp:
      if (is_text && is_go_time(value.text())) return std::nullopt;
      return wants("a time such as 2026-11-20T08:30:00Z", value);
    case ValueKind::IntOrString:
      if (is_text || (is_number && is_integer(value.text(), ValueKind::Int32))) return std::nullopt;
      return wants("a string, or a whole number from -2147483648 to 2147483647", value);
    default:
      return std::nullopt;
  }
}

// What is written behind a key, read as YAML.
Value value_behind(std::string_view text) {
  constexpr std::string_view wide_space = "\xc2\xa0";
  if (text.starts_with(wide_space)) text.remove_prefix(wide_space.size());
  const auto read = json::parse_yaml(text);
  const bool scalar = read.ok() && read.value().size() == 1 &&
                      !read.value().front().is(Kind::Object) &&
                      !read.value().front().is(Kind::Array);
  return scalar ? read.value().front() : Value(base::trim(text));
}

}  // namespace

FieldWords text_for_object(const Value& text, const api::SchemaType& type) {
  const std::string_view written = text.text();
  const std::size_t end = written.find_first_of(":= \xc2");
  const std::string_view key = written.substr(0, end);
  if (end != std::string_view::npos && api::find_field(type, key) != nullptr) {
    const std::size_t mark = written.find_first_not_of(' ', end);
    const std::size_t value = mark + (written.substr(mark).starts_with("==") ? 2 : 1);
    Value right = Value::object();
    right.set(std::string(key), value_behind(written.substr(std::min(value, written.size()))));
    if (written[mark] == ':')
      return wants("an object", text, "a space is missing after the colon", std::move(right));
    if (written[mark] == '=')
      return wants("an object", text, "a colon belongs behind a key, not =", std::move(right));
  }
  const auto fields = api::fields_of(type);
  if (fields.size() != 1 || fields.front().value.kind != ValueKind::String)
    return wants("an object", text);
  Value right = Value::object();
  right.set(std::string(fields.front().name), text);
  return wants("an object", text, base::format("put it under {}", quoted(fields.front().name)),
               std::move(right));
}

std::string quoted(std::string_view text) {
  return "\"" + base::shorten_middle(text, kShownText) + "\"";
}

std::optional<FieldWords> wrong_value(const Value& value, ValueKind kind) {
  if (value.is(Kind::Null)) return std::nullopt;
  switch (kind) {
    case ValueKind::List:
      if (value.is(Kind::Array)) return std::nullopt;
      return wrong_list(value);
    case ValueKind::Object:
    case ValueKind::Map:
      if (value.is(Kind::Object)) return std::nullopt;
      return wrong_object(value);
    default:
      return wrong_scalar(value, kind);
  }
}

}  // namespace dra::checks

// src/render/go_template/values.cpp: see values.h.

#include "src/render/go_template/values.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <variant>

#include "dra/json/go_number.h"
#include "dra/json/path.h"

namespace dra::render::go_template {
namespace {

using Type = Operand::Type;

// How many items a list has room for when they were appended one by one: the next power of two, as
// long as Go doubles.
std::size_t grown(std::size_t items) { return items == 0 ? 0 : std::bit_ceil(items); }

Operand decoded(const json::Value& value) {
  Operand made;
  switch (value.kind()) {
    case json::Kind::Null:
      made.type = Type::Null;
      return made;
    case json::Kind::Bool:
      return of_bool(value.text() == "true");
    case json::Kind::String:
      return of_string(value.text());
    case json::Kind::Number: {
      const auto number = json::go_number(value.text());
      if (number && std::holds_alternative<std::int64_t>(*number)) {
        made.type = Type::Int64;
        made.integer = std::get<std::int64_t>(*number);
        return made;
      }
      made.type = Type::Float;
      made.number = number ? std::get<double>(*number) : HUGE_VAL;
      return made;
    }
    case json::Kind::Array:
      made.type = Type::List;
      made.data = &value;
      made.length = value.items().size();
      made.capacity = grown(made.length);
      return made;
    case json::Kind::Object:
      made.type = Type::Map;
      made.data = &value;
      return made;
  }
  return made;
}

}  // namespace

Operand operand_of(const json::Value& value) {
  Operand made = decoded(value);
  made.wrapped = true;
  return made;
}

Operand of_bool(bool value) {
  Operand made;
  made.type = Type::Bool;
  made.flag = value;
  return made;
}

Operand of_int(std::int64_t value) {
  Operand made;
  made.type = Type::Int;
  made.integer = value;
  return made;
}

Operand of_string(std::string text) {
  Operand made;
  made.type = Type::String;
  made.text = std::move(text);
  return made;
}

Operand unwrapped(Operand value) {
  if (value.type == Type::Null) value.type = Type::Nothing;
  value.wrapped = false;
  return value;
}

Operand item_of(const Operand& list, std::size_t index) {
  const std::vector<json::Value>& items = list.data->items();
  const std::size_t at = list.first + index;
  if (at < items.size()) return operand_of(items[at]);
  Operand null;
  null.type = Type::Null;
  return null;
}

std::optional<Operand> member_of(const Operand& map, std::string_view key) {
  const json::Value* member = map.data->find(key);
  return member == nullptr ? std::nullopt : std::optional(operand_of(*member));
}

std::string_view type_name(const Operand& value) {
  switch (value.type) {
    case Type::Nothing:
    case Type::Null:
      return "<nil>";
    case Type::Bool:
      return "bool";
    case Type::Int:
      return "int";
    case Type::Int64:
      return "int64";
    case Type::Byte:
      return "uint8";
    case Type::Float:
      return "float64";
    case Type::String:
      return "string";
    case Type::List:
      return "[]interface {}";
    case Type::Map:
      return "map[string]interface {}";
  }
  return "";
}

bool is_true(const Operand& value) {
  switch (value.type) {
    case Type::Nothing:
    case Type::Null:
      return false;
    case Type::Bool:
      return value.flag;
    case Type::Int:
    case Type::Int64:
    case Type::Byte:
      return value.integer != 0;
    case Type::Float:
      return value.number != 0;
    case Type::String:
      return !value.text.empty();
    case Type::List:
      return value.length > 0;
    case Type::Map:
      return !value.data->members().empty();
  }
  return false;
}

std::string sprint(const Operand& value) {
  switch (value.type) {
    case Type::Nothing:
    case Type::Null:
      return "<nil>";
    case Type::Bool:
      return value.flag ? "true" : "false";
    case Type::Int:
    case Type::Int64:
    case Type::Byte:
      return std::to_string(value.integer);
    case Type::Float:
      return json::float_as_text(value.number);
    case Type::String:
      return value.text;
    case Type::Map:
      return json::go_text({json::PathMatch::Type::Json, value.data});
    case Type::List:
      break;
  }
  std::string out = "[";
  for (std::size_t i = 0; i < value.length; ++i)
    out += (i == 0 ? "" : " ") + sprint(item_of(value, i));
  return out + "]";
}

}  // namespace dra::render::go_template

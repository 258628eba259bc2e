// src/json/value.cpp: see value.h.

#include "dra/json/value.h"

#include <algorithm>
#include <utility>

namespace dra::json {

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::Null:
      return "null";
    case Kind::Bool:
      return "a boolean";
    case Kind::Number:
      return "a number";
    case Kind::String:
      return "a string";
    case Kind::Object:
      return "an object";
    case Kind::Array:
      return "a list";
  }
  return "";
}

Value::Value() = default;
Value::Value(Kind kind, std::string text) : kind_(kind), text_(std::move(text)) {}
Value::Value(std::string text) : Value(Kind::String, std::move(text)) {}
Value::Value(std::string_view text) : Value(Kind::String, std::string(text)) {}
Value::Value(const char* text) : Value(Kind::String, text) {}
Value::Value(bool value) : Value(Kind::Bool, value ? "true" : "false") {}

Value Value::object() { return object(std::vector<Member>()); }

Value Value::object(std::vector<Member> members) {
  Value value;
  value.kind_ = Kind::Object;
  value.members_ = std::move(members);
  return value;
}

Value Value::array() { return array(std::vector<Value>()); }

Value Value::array(std::vector<Value> items) {
  Value value;
  value.kind_ = Kind::Array;
  value.items_ = std::move(items);
  return value;
}

Value Value::number(std::string literal) { return {Kind::Number, std::move(literal)}; }

const Value* Value::find(std::string_view key) const {
  const auto last = std::find_if(members_.rbegin(), members_.rend(),
                                 [key](const Member& member) { return member.key == key; });
  return last == members_.rend() ? nullptr : &last->value;
}

Value* Value::find(std::string_view key) {
  const auto last = std::find_if(members_.rbegin(), members_.rend(),
                                 [key](const Member& member) { return member.key == key; });
  return last == members_.rend() ? nullptr : &last->value;
}

const Value* Value::at(std::initializer_list<std::string_view> path) const {
  const Value* value = this;
  for (const std::string_view key : path) {
    if (value == nullptr) return nullptr;
    value = value->find(key);
  }
  return value;
}

const std::string& Value::string_at(std::initializer_list<std::string_view> path) const {
  static const std::string none;
  const Value* value = at(path);
  return value != nullptr && value->is(Kind::String) ? value->text_ : none;
}

Value& Value::set(std::string key, Value value) {
  kind_ = Kind::Object;
  if (Value* present = find(key)) {
    *present = std::move(value);
    return *present;
  }
  members_.push_back({std::move(key), std::move(value), {}});
  return members_.back().value;
}

void Value::remove(std::string_view key) {
  std::erase_if(members_, [key](const Member& member) { return member.key == key; });
}

Value& Value::push(Value item) {
  kind_ = Kind::Array;
  items_.push_back(std::move(item));
  return items_.back();
}

void sort_keys(Value& value) {
  std::stable_sort(value.members().begin(), value.members().end(),
                   [](const Member& a, const Member& b) { return a.key < b.key; });
  for (Member& member : value.members())
    sort_keys(member.value);
  for (Value& item : value.items())
    sort_keys(item);
}

}  // namespace dra::json

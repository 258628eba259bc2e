// src/render/go_template/values.h
//
// Values of a Go template: parts of the data, which kubectl decoded from JSON, and what functions
// make of them. Go's types are visible, in printf and where values of two types cannot be compared.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/json/value.h"

namespace dra::render::go_template {

struct Operand {
  enum class Type {
    Nothing,  // no value: a key that is missing, or null once it was looked at
    Null,     // null as a member, an item or a variable
    Bool,
    Int,    // int: a literal, a length, an index
    Int64,  // int64: an integer of the data
    Byte,   // uint8: a byte of text
    Float,
    String,
    List,
    Map,
  };

  Type type = Type::Nothing;
  bool wrapped = false;  // it comes from a list or a map, and no pipeline has looked at it
  bool flag = false;
  std::int64_t integer = 0;
  double number = 0;
  std::string text = {};
  bool literal = false;               // text of the template itself
  const json::Value* data = nullptr;  // of List and Map
  std::size_t first = 0;              // the part of a List that was sliced out
  std::size_t length = 0;
  std::size_t capacity = 0;  // how far it can be sliced, as in Go; there is null behind the end

  bool is_integer() const { return type == Type::Int || type == Type::Int64 || type == Type::Byte; }
  bool is_nothing() const { return type == Type::Nothing || type == Type::Null; }
};

Operand operand_of(const json::Value& value);  // as a member or an item
Operand of_bool(bool value);
Operand of_int(std::int64_t value);
Operand of_string(std::string text);

// The value without the interface around it, as a pipeline sees it.
Operand unwrapped(Operand value);

// An item of a List, from 0; one behind the end is null.
Operand item_of(const Operand& list, std::size_t index);
// A member of a Map; no value if there is none.
std::optional<Operand> member_of(const Operand& map, std::string_view key);

// "map[string]interface {}", as Go names it.
std::string_view type_name(const Operand& value);

// Whether `if` takes the value for true.
bool is_true(const Operand& value);

// As fmt.Sprint prints it.
std::string sprint(const Operand& value);

}  // namespace dra::render::go_template

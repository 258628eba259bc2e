// include/dra/json/value.h
//
// The one tree of the program: for YAML and JSON documents that need a tree, and for reports.
// Scalars keep their text, so numbers and unknown fields survive unchanged; members keep their
// order. Values that were read from a text know their position in it.
//
// Lists from a server do not become trees: see cursor.h.

#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dra::json {

enum class Kind : std::uint8_t { Null, Bool, Number, String, Object, Array };

// "a string", "an object": for messages.
std::string_view name_of(Kind kind);

// Line and column in the source, both from 1; 0 if the value was not read from text.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct Member;

class Value {
 public:
  Value();                       // null
  Value(std::string text);       // NOLINT: implicit on purpose, as the next ones
  Value(std::string_view text);  // NOLINT
  Value(const char* text);       // NOLINT
  Value(bool value);             // NOLINT
  template <std::integral T>
  requires(!std::same_as<T, bool>) Value(T value)
      : Value(Kind::Number, std::to_string(value)) {}  // NOLINT

  static Value object();
  static Value object(std::vector<Member> members);
  static Value array();
  static Value array(std::vector<Value> items);
  // A number as written: the text must follow JSON's grammar.
  static Value number(std::string literal);

  Kind kind() const { return kind_; }
  bool is(Kind kind) const { return kind_ == kind; }
  // The content of a string, the literal of a number, true or false; empty for the others.
  const std::string& text() const { return text_; }

  const std::vector<Member>& members() const { return members_; }
  std::vector<Member>& members() { return members_; }
  const std::vector<Value>& items() const { return items_; }
  std::vector<Value>& items() { return items_; }

  // The member of that name, the last if there are several (as Go decodes), or nullptr.
  const Value* find(std::string_view key) const;
  Value* find(std::string_view key);
  // find() along a path of keys.
  const Value* at(std::initializer_list<std::string_view> path) const;
  // The string there; empty if nothing is, or another kind of value.
  const std::string& string_at(std::initializer_list<std::string_view> path) const;
  const std::string& string_at(std::string_view key) const { return string_at({key}); }

  Value& set(std::string key, Value value);  // adds or replaces; returns the member's value
  void remove(std::string_view key);
  Value& push(Value item);

  Position position() const { return position_; }
  void set_position(Position position) { position_ = position; }

 private:
  Value(Kind kind, std::string text);

  Kind kind_ = Kind::Null;
  Position position_;
  std::string text_;
  std::vector<Member> members_;
  std::vector<Value> items_;
};

struct Member {
  std::string key;
  Value value;
  Position position;  // of the key
};

// Sorts members by the bytes of their keys, at every depth, as kubectl prints API objects.
void sort_keys(Value& value);

}  // namespace dra::json

// src/json/cursor.cpp: see cursor.h.

#include "dra/json/cursor.h"

#include "dra/base/text.h"
#include "dra/json/write.h"

namespace dra::json {

Error Reading::error() const {
  const std::string_view path = failure->path;
  const bool dotted = path.starts_with('.');
  return {ErrorKind::BadAnswer,
          failure->where + std::string(path.substr(dotted ? 1 : 0)) + (path.empty() ? "" : ": ") +
              failure->message,
          {}};
}

Result<Done> read_tree(const Value& tree, base::Arena& arena,
                       base::FunctionRef<void(Cursor&)> read) {
  Reading reading{.arena = arena};
  TreeCursor cursor(reading, tree);
  read(cursor);
  if (!reading.failed()) return Done{};
  Error error = reading.error();
  error.kind = ErrorKind::BadInput;
  return error;
}

void TreeCursor::members(OnMember on_member) {
  for (const Member& member : value_.members()) {
    if (reading_.failed()) return;
    TreeCursor child(reading_, member.value);
    on_member(reading_.arena.copy(member.key), child);
  }
}

void TreeCursor::items(OnItem on_item) {
  for (const Value& item : value_.items()) {
    if (reading_.failed()) return;
    TreeCursor child(reading_, item);
    on_item(child);
  }
}

std::string_view TreeCursor::raw() {
  return reading_.arena.copy(write_json(value_, Style::Compact));
}

std::string_view TreeCursor::peek(std::string_view key) {
  const Value* member = value_.find(key);
  return member != nullptr && member->is(Kind::String) ? reading_.arena.copy(member->text())
                                                       : std::string_view();
}

std::string TreeCursor::where() {
  const Position at = value_.position();
  return at.line == 0 ? std::string() : base::format("line {}, column {}: ", at.line, at.column);
}

Value to_value(Cursor& cursor) {
  Value value;
  switch (cursor.kind()) {
    case Kind::Null:
      cursor.scalar();
      return value;
    case Kind::Bool:
      return Value(cursor.scalar() == "true");
    case Kind::Number:
      return Value::number(std::string(cursor.scalar()));
    case Kind::String:
      return Value(std::string(cursor.scalar()));
    case Kind::Object:
      value = Value::object();
      cursor.members([&value](std::string_view key, Cursor& member) {
        value.members().push_back({std::string(key), to_value(member), {}});
      });
      return value;
    case Kind::Array:
      value = Value::array();
      cursor.items([&value](Cursor& item) { value.items().push_back(to_value(item)); });
      return value;
  }
  return value;
}

}  // namespace dra::json

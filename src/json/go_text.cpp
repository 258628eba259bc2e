// src/json/go_text.cpp: see go_text.h.

#include "src/json/go_text.h"

#include <algorithm>
#include <utility>

#include "dra/json/go_number.h"

namespace dra::json {
namespace {

bool name_less(const Member* a, const Member* b) { return a->key < b->key; }

void append_text(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Kind::Null:
      out += "<nil>";
      return;
    case Kind::Bool:
    case Kind::String:
      out += value.text();
      return;
    case Kind::Number:
      out += number_as_text(value.text());
      return;
    case Kind::Object: {
      std::string separator = "map[";
      for (const Member* member : sorted_members(value)) {
        out += std::exchange(separator, " ") + member->key + ":";
        append_text(out, member->value);
      }
      out += value.members().empty() ? "map[]" : "]";
      return;
    }
    case Kind::Array:
      out += '[';
      for (const Value& item : value.items()) {
        if (&item != value.items().data()) out += ' ';
        append_text(out, item);
      }
      out += ']';
      return;
  }
}

// The value with the members that a Go map has, in the order in which Go prints them.
Value decoded(const Value& value) {
  switch (value.kind()) {
    case Kind::Object: {
      std::vector<Member> members;
      for (const Member* member : sorted_members(value))
        members.push_back({member->key, decoded(member->value), {}});
      return Value::object(std::move(members));
    }
    case Kind::Array: {
      std::vector<Value> items;
      for (const Value& item : value.items())
        items.push_back(decoded(item));
      return Value::array(std::move(items));
    }
    default:
      return value;
  }
}

}  // namespace

std::vector<const Member*> effective_members(const Value& object) {
  std::vector<const Member*> members;
  for (const Member& member : object.members())
    members.push_back(&member);
  std::vector<const Member*> by_name = members;
  std::stable_sort(by_name.begin(), by_name.end(), name_less);
  std::erase_if(members, [&by_name](const Member* member) {
    return *(std::upper_bound(by_name.begin(), by_name.end(), member, name_less) - 1) != member;
  });
  return members;
}

std::vector<const Member*> sorted_members(const Value& object) {
  std::vector<const Member*> members = effective_members(object);
  std::sort(members.begin(), members.end(), name_less);
  return members;
}

std::string go_json(const Value& value, Style style) { return write_json(decoded(value), style); }

std::string go_text(const PathMatch& match) {
  if (match.value == nullptr) return "<no value>";
  if (match.type == PathMatch::Type::Float) {
    return float_as_text(parse_float(match.value->text()).value_or(0));
  }
  std::string out;
  append_text(out, *match.value);
  return out;
}

}  // namespace dra::json

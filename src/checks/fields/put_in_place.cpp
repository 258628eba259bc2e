// src/checks/fields/put_in_place.cpp: below each object first, so that what is moved is not looked
// at in the same step.

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "dra/base/text.h"
#include "dra/checks/fields/defaulting.h"
#include "src/checks/fields/objects_below.h"
#include "src/checks/fields/unknown_field.h"

namespace dra::checks {
namespace {

using api::SchemaType;
using json::Member;
using json::Value;

bool add_to(Value& object, Member member) {
  if (const Value* there = object.find(member.key)) {
    if (!there->is(json::Kind::Null)) return false;
    std::erase_if(object.members(), [&member](const Member& one) { return one.key == member.key; });
  }
  object.members().push_back(std::move(member));
  return true;
}

// The object under that name, which is made where there is none. nullptr: it is no object.
Value* object_below(Value& object, std::string_view name, const Member& like) {
  Value* below = object.find(name);
  if (below != nullptr && below->is(json::Kind::Null)) {
    const json::Position position = below->position();
    *below = Value::object();
    below->set_position(position);
  } else if (below == nullptr) {
    Value made = Value::object();
    made.set_position(like.position);
    object.members().push_back({std::string(name), std::move(made), like.position});
    below = &object.members().back().value;
  }
  return below->is(json::Kind::Object) ? below : nullptr;
}

// The field that is an object with a field of nearly that name. nullptr: there is none.
const api::SchemaField* child_meant(const SchemaType& type, std::string_view name) {
  for (const api::SchemaField& field : api::fields_of(type)) {
    if (field.value.kind == api::ValueKind::Object && field.name != "status" &&
        !field_meant(*api::type_of(field.value), name).empty())
      return &field;
  }
  return nullptr;
}

bool put_up(Value& object, Member member) {
  bool moved = false;
  for (Member& inner : member.value.members())
    moved = add_to(object, std::move(inner)) || moved;
  return moved;
}

// Puts the member into the object that `empty`, which is somewhere below `object`, has as a value.
bool fill(Value& object, const Member& empty, const Member& member) {
  for (Member& one : object.members()) {
    if (&one != &empty) {
      if (fill(one.value, empty, member)) return true;
      continue;
    }
    one.value = Value::object({member});
    one.value.set_position(one.position);
    return true;
  }
  return std::ranges::any_of(object.items(),
                             [&](Value& item) { return fill(item, empty, member); });
}

// Puts the member into an item of one of the object's lists.
bool put_into_item(Value& object, const Value& item, const Member& member) {
  for (Member& one : object.members()) {
    for (Value& of_list : one.value.items()) {
      if (&of_list == &item) return add_to(of_list, member);
    }
  }
  return false;
}

// False if nothing tells where the field belongs.
bool put(Value& object, const SchemaType& type, Member member) {
  const std::string_view meant = field_meant(type, member.key);
  const bool same = !meant.empty() && base::lower(meant) == base::lower(member.key);
  if (!same) {
    if (!is_misspelt(&object, meant) && is_a_level_too_many(member, type))
      return put_up(object, std::move(member));
    const api::SchemaField* child = child_with(type, member.key);
    if (child == nullptr && member.value.is(json::Kind::Object) &&
        !other_versions_with(type, member.key).empty())
      return put_up(object, std::move(member));
    if (child == nullptr) {
      if (const Member* empty = empty_place(object, type, member))
        return fill(object, *empty, member);
      if (const Value* item = item_above(object, type, member))
        return put_into_item(object, *item, member);
    }
    if (child == nullptr && meant.empty()) child = child_meant(type, member.key);
    if (child != nullptr) {
      Value* below = object_below(object, child->name, member);
      return below != nullptr && add_to(*below, std::move(member));
    }
  }
  if (meant.empty()) return false;
  member.key = meant;
  return add_to(object, std::move(member));
}

}  // namespace

bool put_in_place(Value& object, const SchemaType& type) {
  if (!object.is(json::Kind::Object)) return false;
  auto& members = object.members();
  const auto unknown = std::stable_partition(
      members.begin(), members.end(),
      [&type](const Member& member) { return api::find_field(type, member.key) != nullptr; });
  std::vector<Member> out_of_place(std::make_move_iterator(unknown),
                                   std::make_move_iterator(members.end()));
  members.erase(unknown, members.end());
  bool moved = false;
  for_each_below(object, type, [&moved](Value& below, const SchemaType& inner) {
    moved = put_in_place(below, inner) || moved;
  });
  for (Member& member : out_of_place)
    moved = put(object, type, std::move(member)) || moved;
  return moved;
}

}  // namespace dra::checks

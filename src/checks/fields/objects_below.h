// src/checks/fields/objects_below.h: the objects in the fields of an object, as its type has them.

#pragma once

#include "dra/api/schema.h"
#include "dra/json/value.h"

namespace dra::checks {

// Calls `on_object(Value&, const api::SchemaType&)` for the values of known fields: objects, items
// of lists, entries of maps. Unknown fields are passed over.
template <class F>
void for_each_below(json::Value& object, const api::SchemaType& type, F on_object) {
  for (json::Member& member : object.members()) {
    const api::SchemaField* field = api::find_field(type, member.key);
    const api::SchemaType* inner = field == nullptr ? nullptr : api::type_of(field->value);
    if (inner == nullptr) continue;
    if (field->value.kind == api::ValueKind::Object) {
      on_object(member.value, *inner);
    } else if (field->value.kind == api::ValueKind::List) {
      for (json::Value& item : member.value.items())
        on_object(item, *inner);
    } else if (member.value.is(json::Kind::Object)) {
      for (json::Member& entry : member.value.members())
        on_object(entry.value, *inner);
    }
  }
}

}  // namespace dra::checks

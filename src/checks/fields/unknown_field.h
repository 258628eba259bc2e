// src/checks/fields/unknown_field.h: guesses what an unknown field means: the same name in another
// place, another name here, another version of the API.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/schema.h"
#include "dra/json/value.h"
#include "src/checks/fields/field_words.h"

namespace dra::checks {

// An object on the way from the document down to the field.
struct FieldLevel {
  const api::SchemaType* type;
  std::string path;  // empty for the whole document
  const json::Value* value = nullptr;
};

struct UnknownField {
  FieldWords words;        // with the key and value to write instead
  bool misplaced = false;  // one level off, and the field exists here in no other version
};

// `levels` are the objects around the field, the outermost first; the last one holds it.
UnknownField describe_unknown(const json::Member& member, std::span<const FieldLevel> levels);

// The field of `type` that is an object and has the field; nullptr: there is none.
const api::SchemaField* child_with(const api::SchemaType& type, std::string_view name);

// A field of an object below `object` that has no value, stands above the member, and is an object
// with that field: its lines are indented too little. The last one; nullptr: there is none.
const json::Member* empty_place(const json::Value& object, const api::SchemaType& type,
                                const json::Member& member);

// The last item of the list directly above the member, if it lacks the member's field: the member
// is indented too little. nullptr: there is none.
const json::Value* item_above(const json::Value& object, const api::SchemaType& type,
                              const json::Member& member);

// The object has no field of the name that is meant, so an unknown one is likely that.
bool is_misspelt(const json::Value* object, std::string_view meant);

// All fields of the member, at least one, belong directly into an object of the type.
bool is_a_level_too_many(const json::Member& member, const api::SchemaType& type);

// The other versions of resource.k8s.io that have the field in this place.
std::vector<std::string> other_versions_with(const api::SchemaType& type, std::string_view name);

// The field with the most similar name; empty: there is none.
std::string_view field_meant(const api::SchemaType& type, std::string_view name);

}  // namespace dra::checks

// src/checks/fields/unknown_field.h: what may have been meant by a field that a type does not have:
// the same name elsewhere, another name here, another version of the API.

#pragma once

#include <span>
#include <string>

#include "dra/api/schema.h"
#include "dra/json/value.h"
#include "src/checks/fields/field_words.h"

namespace dra::checks {

// An object on the way from the document down to the field.
struct FieldLevel {
  const api::SchemaType* type;
  std::string path;  // empty for the whole document
};

struct UnknownField {
  FieldWords words;        // with the field as it should be written, key and all
  bool misplaced = false;  // one level off, and no other version has the field here
};

// `levels` are the objects around the field, the outermost first; the last is where it stands.
UnknownField describe_unknown(const json::Member& member, std::span<const FieldLevel> levels);

}  // namespace dra::checks

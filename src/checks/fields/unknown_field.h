// src/checks/fields/unknown_field.h: guesses what an unknown field means: the same name in another
// place, another name here, another version of the API.

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
  FieldWords words;        // with the key and value to write instead
  bool misplaced = false;  // one level off, and the field exists here in no other version
};

// `levels` are the objects around the field, the outermost first; the last one holds it.
UnknownField describe_unknown(const json::Member& member, std::span<const FieldLevel> levels);

}  // namespace dra::checks

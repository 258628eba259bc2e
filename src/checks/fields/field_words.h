// src/checks/fields/field_words.h: messages about values of the wrong type: what the field needs,
// what the manifest has, and what to write instead if that is certain.

#pragma once

#include <optional>
#include <string>

#include "dra/api/schema.h"
#include "dra/json/value.h"

namespace dra::checks {

struct FieldWords {
  std::string message;
  std::optional<json::Value> right = {};  // what to write instead, if that is certain
};

// No value if the API server's decoder accepts the value as this kind. Of objects, lists and maps
// only the outside is checked.
std::optional<FieldWords> wrong_value(const json::Value& value, api::ValueKind kind);

// The same for text where an object of that type belongs: its only field, or a key whose colon has
// no space behind it.
FieldWords text_for_object(const json::Value& text, const api::SchemaType& type);

// `"text"` for a message; the middle of long text is left out.
std::string quoted(std::string_view text);

}  // namespace dra::checks

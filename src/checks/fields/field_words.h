// src/checks/fields/field_words.h: what is said of a value of the wrong type: what the field wants,
// what stands there, and what to write instead if that can be told.

#pragma once

#include <optional>
#include <string>

#include "dra/api/schema.h"
#include "dra/json/value.h"

namespace dra::checks {

struct FieldWords {
  std::string message;
  std::optional<json::Value> right = {};  // what to write instead, if it can be told
};

// None if the API server's decoder takes the value as this kind. Of objects, lists and maps only
// the outside is looked at.
std::optional<FieldWords> wrong_value(const json::Value& value, api::ValueKind kind);

// `"text"` for a message: long text without its middle.
std::string quoted(std::string_view text);

}  // namespace dra::checks

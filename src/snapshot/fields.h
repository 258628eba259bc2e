// src/snapshot/fields.h: the fields that objects of a kind can be selected by, and their values.

#pragma once

#include <string>
#include <string_view>

#include "dra/api/kinds.h"
#include "dra/base/result.h"
#include "dra/json/value.h"

namespace dra::snapshot {

// BadInput, in an API server's words, if objects of that kind cannot be selected by the field.
// `api_version` is the version that the user asks for.
Result<Done> check_field(const api::KindInfo& kind, std::string_view api_version,
                         std::string_view field);

// The value of a field that check_field() accepts; `object` is the API object.
std::string field_value(api::Kind kind, std::string_view field, const json::Value& object);

}  // namespace dra::snapshot

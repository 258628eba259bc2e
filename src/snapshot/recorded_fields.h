// src/snapshot/recorded_fields.h
//
// What a recording keeps of an object.

#pragma once

#include <string_view>

#include "dra/json/value.h"

namespace dra::snapshot {

// Keeps what the program reads (api/decoded_fields.h), but of environments only the variables of
// TPUs, of annotations only those that are read, and nothing of drivers' own data.
void keep_recorded_fields(json::Value& object, std::string_view api_version, std::string_view kind);

}  // namespace dra::snapshot

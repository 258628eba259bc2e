// src/report/phrases/json_patch.h: operations of a JSON patch (RFC 6902).

#pragma once

#include <string>
#include <string_view>

#include "dra/json/value.h"

namespace dra::report {

json::Value operation(std::string_view op, std::string path);
json::Value operation(std::string_view op, std::string path, json::Value value);
// From one place of the patched object to another.
json::Value copy_of(std::string from, std::string path);

// A key as a part of a JSON pointer, whose "/" and "~" are not those of the key.
std::string pointer_to(std::string_view key);

// "/spec/devices/requests/0/exactly" -> "spec.devices.requests[0].exactly", as the API server
// writes paths. No key of it has a "." or "/".
std::string field_path(std::string_view pointer);

}  // namespace dra::report

// include/dra/cel/hints/value_fields.h
//
// The fields of an attribute's value in the API. In CEL an attribute is its value and has none of
// them, so an expression that names one was written after the YAML.

#pragma once

#include <string_view>

namespace dra::cel {

// "string", "stringValue", "int", ...: fields of DeviceAttribute and DeviceCapacity, of
// k8s.io/api/resource/v1 in YAML and in Go.
bool is_value_field(std::string_view name);

}  // namespace dra::cel

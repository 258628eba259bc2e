// src/cel/check/messages.h
//
// Messages for the checker: which types can be written as one, and their fields. Upstream: cel-go
// checker.checkCreateStruct and lookupFieldType, k8s.io/apiserver/pkg/cel DeclTypeProvider.

#pragma once

#include <string>
#include <string_view>

#include "dra/cel/library/environment.h"

namespace dra::cel {

// The name under which the fields of a message of the type are looked up. It is that of the largest
// number for wrappers: an Int32Value has the fields of Int64Value. Empty if there are no messages
// of the type.
std::string_view message_name(const Type& type);

// The type of a field; nullptr with the problem if there is no such field.
struct FieldType {
  const Type* type = nullptr;
  std::string problem = {};
};
FieldType field_type_of(const Environment& environment, std::string_view message,
                        std::string_view field, TypeArena& arena);

}  // namespace dra::cel

// include/dra/cel/values/messages.h
//
// The messages of google.protobuf that expressions can make, and their fields. Most are values of
// CEL's own types once they are made: an Int64Value is an int.
//
// Upstream: cel-go common/types/pb (DefaultDb) for the messages, common/types/types.go
// (checkedWellKnowns) for their types.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace dra::cel {

// What a field holds.
enum class FieldKind : std::uint8_t {
  Bool,
  Bytes,
  Double,
  Float,
  Int32,
  Int64,
  String,
  Uint32,
  Uint64,
  Enum,
  Json,        // a google.protobuf.Value
  JsonObject,  // a google.protobuf.Struct
  JsonArray,   // a google.protobuf.ListValue
  Jsons,       // repeated google.protobuf.Value
  JsonsByKey,  // map<string, google.protobuf.Value>
};

struct MessageField {
  std::string_view name;
  std::uint32_t number;
  FieldKind kind;
};

struct MessageType {
  std::string_view name;
  std::string_view type;  // of its values, as parse_type() reads it: "wrapper(int)"
  std::span<const MessageField> fields;
  bool only_checked;  // upstream's evaluator knows no type of this name

  const MessageField* find(std::string_view field) const;
};

// nullptr if there is no such message.
const MessageType* find_message(std::string_view name);

// The type of a field for the checker, as parse_type() reads it.
std::string_view type_of(FieldKind kind);

// The value 0 of the only enumeration; its name is an int.
inline constexpr std::string_view kNullValueName = "google.protobuf.NullValue.NULL_VALUE";

}  // namespace dra::cel

// src/cel/values/messages.cpp: the table of messages. Numbers of fields are those of protobuf's own
// files any.proto, duration.proto, empty.proto, struct.proto, timestamp.proto and wrappers.proto.

#include "dra/cel/values/messages.h"

#include <algorithm>
#include <iterator>

namespace dra::cel {
namespace {

constexpr MessageField kAnyFields[] = {{"type_url", 1, FieldKind::String},
                                       {"value", 2, FieldKind::Bytes}};
constexpr MessageField kBoolFields[] = {{"value", 1, FieldKind::Bool}};
constexpr MessageField kBytesFields[] = {{"value", 1, FieldKind::Bytes}};
constexpr MessageField kDoubleFields[] = {{"value", 1, FieldKind::Double}};
constexpr MessageField kFloatFields[] = {{"value", 1, FieldKind::Float}};
constexpr MessageField kInt32Fields[] = {{"value", 1, FieldKind::Int32}};
constexpr MessageField kInt64Fields[] = {{"value", 1, FieldKind::Int64}};
constexpr MessageField kStringFields[] = {{"value", 1, FieldKind::String}};
constexpr MessageField kUint32Fields[] = {{"value", 1, FieldKind::Uint32}};
constexpr MessageField kUint64Fields[] = {{"value", 1, FieldKind::Uint64}};
constexpr MessageField kTimeFields[] = {{"seconds", 1, FieldKind::Int64},
                                        {"nanos", 2, FieldKind::Int32}};
constexpr MessageField kListFields[] = {{"values", 1, FieldKind::Jsons}};
constexpr MessageField kStructFields[] = {{"fields", 1, FieldKind::JsonsByKey}};
constexpr MessageField kEntryFields[] = {{"key", 1, FieldKind::String},
                                         {"value", 2, FieldKind::Json}};
constexpr MessageField kValueFields[] = {
    {"null_value", 1, FieldKind::Enum},         {"number_value", 2, FieldKind::Double},
    {"string_value", 3, FieldKind::String},     {"bool_value", 4, FieldKind::Bool},
    {"struct_value", 5, FieldKind::JsonObject}, {"list_value", 6, FieldKind::JsonArray}};

constexpr MessageType kMessages[] = {
    {"google.protobuf.Any", "any", kAnyFields, true},
    {"google.protobuf.BoolValue", "wrapper(bool)", kBoolFields, true},
    {"google.protobuf.BytesValue", "wrapper(bytes)", kBytesFields, true},
    {"google.protobuf.DoubleValue", "wrapper(double)", kDoubleFields, true},
    {"google.protobuf.Duration", "duration", kTimeFields, false},
    {"google.protobuf.Empty", "google.protobuf.Empty", {}, false},
    {"google.protobuf.FloatValue", "wrapper(double)", kFloatFields, true},
    {"google.protobuf.Int32Value", "wrapper(int)", kInt32Fields, true},
    {"google.protobuf.Int64Value", "wrapper(int)", kInt64Fields, true},
    {"google.protobuf.ListValue", "list(dyn)", kListFields, true},
    {"google.protobuf.StringValue", "wrapper(string)", kStringFields, true},
    {"google.protobuf.Struct", "map(string, dyn)", kStructFields, true},
    {"google.protobuf.Struct.FieldsEntry", "google.protobuf.Struct.FieldsEntry", kEntryFields,
     false},
    {"google.protobuf.Timestamp", "timestamp", kTimeFields, false},
    {"google.protobuf.UInt32Value", "wrapper(uint)", kUint32Fields, true},
    {"google.protobuf.UInt64Value", "wrapper(uint)", kUint64Fields, true},
    {"google.protobuf.Value", "dyn", kValueFields, true},
};

}  // namespace

const MessageField* MessageType::find(std::string_view field) const {
  const auto found = std::ranges::find(fields, field, &MessageField::name);
  return found == fields.end() ? nullptr : &*found;
}

const MessageType* find_message(std::string_view name) {
  const auto* found = std::ranges::lower_bound(kMessages, name, {}, &MessageType::name);
  return found != std::end(kMessages) && found->name == name ? found : nullptr;
}

std::string_view type_of(FieldKind kind) {
  constexpr std::string_view types[] = {"bool",      "bytes",     "double",
                                        "double",    "int",       "int",
                                        "string",    "uint",      "uint",
                                        "int",       "dyn",       "map(string, dyn)",
                                        "list(dyn)", "list(dyn)", "map(string, dyn)"};
  return types[static_cast<std::size_t>(kind)];
}

}  // namespace dra::cel

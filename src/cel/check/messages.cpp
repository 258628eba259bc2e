// src/cel/check/messages.cpp: looks up fields in the environment, in the table of messages, and
// among the names that only Kubernetes takes for types with fields.

#include "src/cel/check/messages.h"

#include <algorithm>
#include <span>

#include "dra/base/text.h"
#include "dra/cel/values/messages.h"

namespace dra::cel {
namespace {

struct NamedKind {
  TypeKind kind;
  std::string_view message;
};
constexpr NamedKind kWellKnown[] = {
    {TypeKind::Any, "google.protobuf.Any"},
    {TypeKind::Dyn, "google.protobuf.Value"},
    {TypeKind::Duration, "google.protobuf.Duration"},
    {TypeKind::Null, "google.protobuf.NullValue"},
    {TypeKind::Timestamp, "google.protobuf.Timestamp"},
};
constexpr NamedKind kWrappers[] = {
    {TypeKind::Bool, "google.protobuf.BoolValue"},
    {TypeKind::Bytes, "google.protobuf.BytesValue"},
    {TypeKind::Double, "google.protobuf.DoubleValue"},
    {TypeKind::Int, "google.protobuf.Int64Value"},
    {TypeKind::String, "google.protobuf.StringValue"},
    {TypeKind::Uint, "google.protobuf.UInt64Value"},
};

// Kubernetes' names of types without fields. The type `map` has any field.
constexpr std::string_view kScalars[] = {"bool", "bytes",     "double", "duration",  "int", "list",
                                         "map",  "null_type", "string", "timestamp", "uint"};

bool is_dyn_type(const Type* type) { return type->kind == TypeKind::Dyn; }

FieldType missing(std::string_view field) {
  return {nullptr, base::format("undefined field '{}'", field)};
}

}  // namespace

std::string_view message_name(const Type& type) {
  for (const NamedKind& one : type.nullable ? std::span<const NamedKind>(kWrappers)
                                            : std::span<const NamedKind>(kWellKnown)) {
    if (one.kind == type.kind) return one.message;
  }
  if (type.kind == TypeKind::Struct) return type.name;
  if (type.kind == TypeKind::List && is_dyn_type(type.params[0]))
    return "google.protobuf.ListValue";
  const bool by_text = type.kind == TypeKind::Map && type.params[0]->kind == TypeKind::String;
  return by_text && is_dyn_type(type.params[1]) ? "google.protobuf.Struct" : std::string_view();
}

FieldType field_type_of(const Environment& environment, std::string_view message,
                        std::string_view field, TypeArena& arena) {
  for (const Structure& structure : environment.structures) {
    if (structure.type->name != message) continue;
    const auto found = std::ranges::find(structure.fields, field, &Field::name);
    return found == structure.fields.end() ? missing(field) : FieldType{found->type, {}};
  }
  if (const MessageType* known = find_message(message)) {
    const MessageField* found = known->find(field);
    return found == nullptr ? missing(field)
                            : FieldType{parse_type(type_of(found->kind), arena), {}};
  }
  if (message == "map") return {basic(TypeKind::Any), {}};
  if (std::ranges::find(kScalars, message) != std::end(kScalars)) return missing(field);
  return {nullptr, base::format("unexpected failed resolution of '{}'", message)};
}

}  // namespace dra::cel

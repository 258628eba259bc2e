// include/dra/api/schema.h
//
// Which fields the API has: of every kind in every version that manifests are written in, the names
// of its fields and what each may hold. The table is made from k8s.io/api v0.37.1, so it knows all
// fields, also those that the program never reads; what is decoded is said in decode.h.
//
// The kinds: those of resource.k8s.io in v1, v1beta2, v1beta1 and v1alpha3, Pod and PodTemplate,
// the workloads of apps/v1 and batch/v1. That a kind is here does not mean that a server serves it.
// Names are case-sensitive, as the API server's decoder takes them.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace dra::api {

// What the API server's decoder takes for a value. Null stands for any of them: it means absent.
enum class ValueKind : std::uint8_t {
  String,
  Bool,
  Int32,
  Int64,
  Quantity,     // text such as 500m or 80Gi, or a number
  Timestamp,    // text such as 2026-11-20T08:30:00Z
  IntOrString,  // 32 bits
  Any,          // whatever it is, it is kept as it is: nothing inside is looked at
  Object,       // has the fields of a SchemaType
  List,
  Map,  // an object with any keys
};

struct SchemaValue {
  ValueKind kind = ValueKind::Any;
  std::uint16_t type = 0;              // a number for type_of(), where there is an object
  ValueKind element = ValueKind::Any;  // what a list or a map holds; never a list or a map
};

struct SchemaField {
  std::string_view name;
  SchemaValue value;
  // Go holds a pointer, so that a value that is left away is another one than 0, false or "".
  bool pointer = false;
};

struct SchemaType {
  std::string_view name;  // "resource/v1.DeviceRequest": group, version and the name in Go
  std::uint16_t first_field = 0;
  std::uint16_t field_count = 0;
};

// The type of objects with this apiVersion and kind, or nullptr if the table does not have it.
const SchemaType* schema_of(std::string_view api_version, std::string_view kind);

// The type of that name, such as "core/v1.PodTemplateSpec", or nullptr.
const SchemaType* schema_type(std::string_view name);

// In order of their names; what Go's types inline is among them.
std::span<const SchemaField> fields_of(const SchemaType& type);

// The field of exactly this name, or nullptr.
const SchemaField* find_field(const SchemaType& type, std::string_view name);

// The type of an object, or of the objects in a list or a map; nullptr where there is none.
const SchemaType* type_of(const SchemaValue& value);

// What the items of a list or the entries of a map may be.
SchemaValue element_of(const SchemaValue& container);

// The field that may be meant by a name that is none: the same but for upper and lower case, or the
// nearest if it is near enough. Empty if there is none.
std::string_view nearest_field(const SchemaType& type, std::string_view name);

}  // namespace dra::api

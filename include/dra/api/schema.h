// include/dra/api/schema.h
//
// The fields of the API: for every kind in every version that manifests are written in, the names
// of its fields and their types. The table is generated from k8s.io/api v0.37.1, and what is
// required from the OpenAPI document of k8s.io/kubernetes v1.37.1. It has all fields, even those
// that the program never decodes (decode.h).
//
// The kinds: those of resource.k8s.io in v1, v1beta2, v1beta1 and v1alpha3, Pod and PodTemplate,
// the workloads of apps/v1 and batch/v1. A server need not serve all of them. Names are
// case-sensitive, as in the API server's decoder.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace dra::api {

// A type of values in the API server's decoder. Null is accepted for all: it means absent.
enum class ValueKind : std::uint8_t {
  String,
  Bool,
  Int32,
  Int64,
  Quantity,     // text such as 500m or 80Gi, or a number
  Timestamp,    // text such as 2026-11-20T08:30:00Z
  IntOrString,  // 32 bits
  Any,          // kept as it is, and not checked
  Object,       // has the fields of a SchemaType
  List,
  Map,  // an object with any keys
};

struct SchemaValue {
  ValueKind kind = ValueKind::Any;
  std::uint16_t type = 0;              // of an object: a number for type_of()
  ValueKind element = ValueKind::Any;  // of a list or a map; never a list or a map itself
};

struct SchemaField {
  std::string_view name;
  SchemaValue value;
  // Go has a pointer, so an absent value is not the same as 0, false or "".
  bool pointer = false;
  // By the OpenAPI schema, which a client may check; the API server has rules of its own.
  bool required = false;
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

// By name, with the fields that Go's types inline.
std::span<const SchemaField> fields_of(const SchemaType& type);

// The field of exactly this name, or nullptr.
const SchemaField* find_field(const SchemaType& type, std::string_view name);

// The type of an object, or of the objects in a list or a map; nullptr where there is none.
const SchemaType* type_of(const SchemaValue& value);

// The type of a list's items or a map's entries.
SchemaValue element_of(const SchemaValue& container);

// The field that a wrong name probably means: the same but for upper and lower case, or the nearest
// if it is near enough. Empty: there is none.
std::string_view nearest_field(const SchemaType& type, std::string_view name);

}  // namespace dra::api

// src/api/schema.cpp: see schema.h.

#include "dra/api/schema.h"

#include <algorithm>
#include <vector>

#include "dra/base/text.h"

namespace dra::api {
namespace {

struct SchemaKind {
  std::string_view api_version;
  std::string_view kind;
  std::uint16_t type;
};

using enum ValueKind;
#include "src/api/schema_table.inc"

}  // namespace

const SchemaType* schema_of(std::string_view api_version, std::string_view kind) {
  const auto* found = std::ranges::find_if(kKinds, [&](const SchemaKind& row) {
    return row.kind == kind && row.api_version == api_version;
  });
  return found == std::end(kKinds) ? nullptr : &kTypes[found->type];
}

const SchemaType* schema_type(std::string_view name) {
  const auto* found = std::ranges::find(kTypes, name, &SchemaType::name);
  return found == std::end(kTypes) ? nullptr : found;
}

std::span<const SchemaField> fields_of(const SchemaType& type) {
  return std::span(kFields).subspan(type.first_field, type.field_count);
}

const SchemaField* find_field(const SchemaType& type, std::string_view name) {
  const auto fields = fields_of(type);
  const auto found = std::ranges::lower_bound(fields, name, {}, &SchemaField::name);
  return found != fields.end() && found->name == name ? &*found : nullptr;
}

const SchemaType* type_of(const SchemaValue& value) {
  const bool holds = value.kind == Object || value.element == Object;
  return holds ? &kTypes[value.type] : nullptr;
}

SchemaValue element_of(const SchemaValue& container) {
  return {container.element, container.type, Any};
}

std::string_view nearest_field(const SchemaType& type, std::string_view name) {
  std::vector<std::string_view> names;
  const std::string lower = base::lower(name);
  for (const SchemaField& field : fields_of(type)) {
    if (base::lower(field.name) == lower) return field.name;
    names.push_back(field.name);
  }
  return base::nearest(name, names);
}

}  // namespace dra::api

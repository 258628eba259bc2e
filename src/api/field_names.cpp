// src/api/field_names.cpp: every decoded field by name, for the comparison with upstream's types.

#include "dra/api/decode.h"
#include "dra/api/kinds.h"
#include "src/api/fields.h"
#include "src/api/tables.h"

namespace dra::api {

namespace {

void list(const std::string& path, const FieldTable& table, std::vector<FieldName>& out) {
  for (const Field& field : table.fields()) {
    const std::string here = path + "." + std::string(field.name);
    out.push_back({here, field.number});
    if (field.nested != nullptr) list(here, field.nested(), out);
  }
}

}  // namespace

// Kinds without protobuf have no numbers of upstream's.
std::vector<FieldName> all_fields() {
  std::vector<FieldName> out;
  for (const KindInfo& kind : all_kinds()) {
    if (kind.wire) list(std::string(kind.name), fields_of(kind), out);
  }
  return out;
}

}  // namespace dra::api

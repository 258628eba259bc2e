// src/api/field_names.cpp: every decoded field by name, for the comparison with upstream's types.

#include "dra/api/decode.h"
#include "src/api/fields.h"

namespace dra::api {

// Each one is instantiated next to its field list.
extern template const FieldTable& table_of<ResourceClaim>();
extern template const FieldTable& table_of<ResourceClaimTemplate>();
extern template const FieldTable& table_of<DeviceClass>();
extern template const FieldTable& table_of<ResourceSlice>();
extern template const FieldTable& table_of<DeviceTaintRule>();
extern template const FieldTable& table_of<Pod>();
extern template const FieldTable& table_of<Node>();
extern template const FieldTable& table_of<Namespace>();
extern template const FieldTable& table_of<Event>();
extern template const FieldTable& table_of<ResourceQuota>();
extern template const FieldTable& table_of<ConfigMap>();

namespace {

void list(const std::string& path, const FieldTable& table, std::vector<FieldName>& out) {
  for (const Field& field : table.fields()) {
    const std::string here = path + "." + std::string(field.name);
    out.push_back({here, field.number});
    if (field.nested != nullptr) list(here, field.nested(), out);
  }
}

}  // namespace

std::vector<FieldName> all_fields() {
  std::vector<FieldName> out;
  list("ResourceClaim", table_of<ResourceClaim>(), out);
  list("ResourceClaimTemplate", table_of<ResourceClaimTemplate>(), out);
  list("DeviceClass", table_of<DeviceClass>(), out);
  list("ResourceSlice", table_of<ResourceSlice>(), out);
  list("DeviceTaintRule", table_of<DeviceTaintRule>(), out);
  list("Pod", table_of<Pod>(), out);
  list("Node", table_of<Node>(), out);
  list("Namespace", table_of<Namespace>(), out);
  list("Event", table_of<Event>(), out);
  list("ResourceQuota", table_of<ResourceQuota>(), out);
  list("ConfigMap", table_of<ConfigMap>(), out);
  return out;
}

}  // namespace dra::api

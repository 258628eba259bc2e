// src/report/lists/list.cpp: API objects as `kubectl get -o json` prints them, alone and in a List.

#include "dra/report/lists/list.h"

#include "dra/json/parse.h"
#include "dra/snapshot/builder.h"

namespace dra::report {

json::Value api_object(const api::Origin& origin, bool managed_fields) {
  auto parsed = json::parse_json(origin.raw);
  DRA_CHECK(parsed.ok());  // the same text was decoded before
  json::Value object = std::move(parsed).take();
  object.set("apiVersion", origin.api_version);
  object.set("kind", origin.kind);
  json::Value* meta = object.find("metadata");
  if (meta != nullptr && !managed_fields) meta->remove("managedFields");
  json::sort_keys(object);
  return object;
}

json::Value api_list(std::vector<json::Value> objects) {
  json::Value meta = json::Value::object();
  meta.set("resourceVersion", "");
  json::Value list = json::Value::object();
  list.set("apiVersion", "v1");
  list.set("items", json::Value::array(std::move(objects)));
  list.set("kind", "List");
  list.set("metadata", std::move(meta));
  return list;
}

}  // namespace dra::report

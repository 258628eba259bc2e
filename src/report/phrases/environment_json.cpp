// src/report/phrases/environment_json.cpp: variables and overrides, one object each.

#include "dra/report/phrases/environment_json.h"

#include "dra/api/pod.h"
#include "dra/base/text.h"

namespace dra::report {

json::Value variables_json(const topology::TpuEnvironment& environment) {
  json::Value variables = json::Value::array();
  for (const topology::TpuVariable& variable : environment.variables) {
    json::Value& one = variables.push(json::Value::object());
    one.set("name", variable.name);
    one.set("value", variable.value);
  }
  return variables;
}

json::Value overrides_json(const std::vector<topology::TpuOverride>& overrides) {
  json::Value list = json::Value::array();
  for (const topology::TpuOverride& set : overrides) {
    json::Value& one = list.push(json::Value::object());
    one.set("pod", base::format("{}/{}", set.pod->meta.namespace_, set.pod->meta.name));
    one.set("container", set.container);
    one.set("name", set.name);
    one.set("value", set.value ? json::Value(*set.value) : json::Value());
    if (!set.from.empty()) one.set("from", set.from);
    one.set("differs", set.differs());
  }
  return list;
}

}  // namespace dra::report

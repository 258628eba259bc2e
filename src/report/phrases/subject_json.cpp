// src/report/phrases/subject_json.cpp: see subject_json.h.

#include "dra/report/phrases/subject_json.h"

#include <string_view>
#include <utility>

#include "dra/base/text.h"

namespace dra::report {

json::Value subject_json(const diag::SubjectName& subject) {
  json::Value out = json::Value::object();
  out.set("kind", subject.kind);
  if (!subject.namespace_.empty()) out.set("namespace", subject.namespace_);
  if (!subject.name.empty()) out.set("name", subject.name);
  return out;
}

json::Value pods_json(const std::vector<const api::Pod*>& pods) {
  json::Value out = json::Value::array();
  for (const api::Pod* pod : pods)
    out.push(base::format("{}/{}", pod->meta.namespace_, pod->meta.name));
  return out;
}

json::Value requirement_json(const api::NodeSelectorRequirement& requirement) {
  json::Value out = json::Value::object();
  out.set("key", requirement.key);
  out.set("operator", requirement.op);
  json::Value values = json::Value::array();
  for (const std::string_view value : requirement.values)
    values.push(value);
  if (!requirement.values.empty()) out.set("values", std::move(values));
  return out;
}

}  // namespace dra::report

// src/report/phrases/subject_json.cpp: see subject_json.h.

#include "dra/report/phrases/subject_json.h"

#include <string_view>
#include <utility>

#include "dra/base/text.h"

namespace dra::report {
namespace {

json::Value requirements_json(const std::vector<api::NodeSelectorRequirement>& requirements) {
  json::Value out = json::Value::array();
  for (const api::NodeSelectorRequirement& requirement : requirements)
    out.push(requirement_json(requirement));
  return out;
}

}  // namespace

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

json::Value node_selector_json(const api::NodeSelector& selector) {
  json::Value terms = json::Value::array();
  for (const api::NodeSelectorTerm& term : selector.terms) {
    json::Value one = json::Value::object();
    if (!term.expressions.empty()) one.set("matchExpressions", requirements_json(term.expressions));
    if (!term.fields.empty()) one.set("matchFields", requirements_json(term.fields));
    terms.push(std::move(one));
  }
  json::Value out = json::Value::object();
  out.set("nodeSelectorTerms", std::move(terms));
  return out;
}

}  // namespace dra::report

// src/engine/facts/node_match.cpp: see node_match.h.

#include "dra/engine/facts/node_match.h"

#include <algorithm>
#include <string>
#include <vector>

#include "dra/base/selector.h"
#include "dra/base/text.h"

namespace dra::engine {
namespace {

constexpr std::string_view kNameField = "metadata.name";

Result<base::Requirement> requirement_of(const api::NodeSelectorRequirement& from) {
  const auto op = DRA_TRY(base::parse_label_operator(from.op));
  std::vector<std::string> values(from.values.begin(), from.values.end());
  return base::Requirement::make(std::string(from.key), op, std::move(values));
}

// Upstream reads the whole selector before it matches: an unreadable requirement is an error even
// where an earlier one is false.
Result<bool> expressions_match(const api::NodeSelectorTerm& term, const base::Labels& labels) {
  bool matched = true;
  for (const api::NodeSelectorRequirement& expression : term.expressions) {
    const auto requirement = DRA_TRY(requirement_of(expression));
    matched = matched && requirement.matches(labels);
  }
  return matched;
}

// Fields take In and NotIn of exactly one value; a node has the field metadata.name only.
Result<bool> fields_match(const api::NodeSelectorTerm& term, std::string_view name) {
  bool matched = true;
  for (const api::NodeSelectorRequirement& field : term.fields) {
    const bool in = field.op == "In";
    const std::string_view node = field.key == kNameField ? name : std::string_view();
    if ((!in && field.op != "NotIn") || field.values.size() != 1) {
      return Error{ErrorKind::BadInput,
                   base::format("node selector: cannot read the field requirement {} {}", field.key,
                                field.op),
                   {}};
    }
    matched = matched && (field.values.front() == node) == in;
  }
  return matched;
}

}  // namespace

Result<bool> matches(const api::NodeSelector& selector, const api::Node& node) {
  base::Labels labels;
  for (const auto& label : node.meta.labels)
    labels.emplace_back(label.key, label.value);
  bool matched = false;
  for (const api::NodeSelectorTerm& term : selector.terms) {
    if (term.expressions.empty() && term.fields.empty()) continue;
    const bool by_label = DRA_TRY(expressions_match(term, labels));
    const bool by_field = DRA_TRY(fields_match(term, node.meta.name));
    matched = matched || (by_label && by_field);
  }
  return matched;
}

std::string_view only_node(const api::NodeSelector& selector) {
  if (selector.terms.size() != 1) return {};
  const api::NodeSelectorTerm& term = selector.terms.front();
  if (!term.expressions.empty() || term.fields.size() != 1) return {};
  const api::NodeSelectorRequirement& field = term.fields.front();
  const bool names_one = field.key == kNameField && field.op == "In" && field.values.size() == 1;
  return names_one ? field.values.front() : std::string_view();
}

std::string describe(const api::NodeSelector& selector) {
  if (const std::string_view node = only_node(selector); !node.empty()) return std::string(node);
  std::vector<std::string> terms;
  for (const api::NodeSelectorTerm& term : selector.terms) {
    std::vector<std::string> parts;
    for (const auto* list : {&term.expressions, &term.fields}) {
      for (const api::NodeSelectorRequirement& requirement : *list) {
        const auto readable = requirement_of(requirement);
        parts.push_back(readable.ok() ? readable.value().to_string()
                                      : std::string(requirement.key));
      }
    }
    terms.push_back(base::join(parts, ","));
  }
  return base::join(terms, " or ");
}

}  // namespace dra::engine

// src/engine/facts/node_match.cpp: see node_match.h.

#include "dra/engine/facts/node_match.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "dra/base/text.h"

namespace dra::engine {
namespace {

constexpr std::string_view kNameField = "metadata.name";

Result<base::Requirement> requirement_of(const api::NodeSelectorRequirement& from) {
  const auto op = DRA_TRY(base::parse_label_operator(from.op));
  std::vector<std::string> values(from.values.begin(), from.values.end());
  return base::Requirement::make(std::string(from.key), op, std::move(values));
}

}  // namespace

// Fields take In and NotIn of exactly one value; a node has the field metadata.name only.
Result<NodeMatcher::Term> NodeMatcher::read(const api::NodeSelectorTerm& term) {
  Term out;
  for (const api::NodeSelectorRequirement& expression : term.expressions)
    out.expressions.push_back(DRA_TRY(requirement_of(expression)));
  for (const api::NodeSelectorRequirement& field : term.fields) {
    const bool in = field.op == "In";
    if ((!in && field.op != "NotIn") || field.values.size() != 1) {
      return Error{ErrorKind::BadInput,
                   base::format("node selector: cannot read the field requirement {} {}", field.key,
                                field.op),
                   {}};
    }
    out.fields.push_back({field.key, field.values.front(), in});
  }
  return out;
}

// Upstream reads the whole selector before it matches: an unreadable requirement is an error even
// where an earlier one is false.
NodeMatcher::NodeMatcher(const api::NodeSelector& selector) {
  for (const api::NodeSelectorTerm& term : selector.terms) {
    if (term.expressions.empty() && term.fields.empty()) continue;
    Result<Term> read_term = read(term);
    if (!read_term.ok()) {
      error_ = std::move(read_term).take_error();
      return;
    }
    terms_.push_back(std::move(read_term).take());
  }
}

Result<bool> NodeMatcher::matches(const api::Node& node) const {
  if (error_) return *error_;
  base::Labels labels;
  for (const auto& label : node.meta.labels)
    labels.emplace_back(label.key, label.value);
  const auto holds = [&node](const Field& field) {
    const std::string_view value = field.key == kNameField ? node.meta.name : std::string_view();
    return (field.value == value) == field.in;
  };
  return std::ranges::any_of(terms_, [&](const Term& term) {
    return std::ranges::all_of(term.expressions,
                               [&labels](const base::Requirement& requirement) {
                                 return requirement.matches(labels);
                               }) &&
           std::ranges::all_of(term.fields, holds);
  });
}

Result<bool> matches(const api::NodeSelector& selector, const api::Node& node) {
  return NodeMatcher(selector).matches(node);
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

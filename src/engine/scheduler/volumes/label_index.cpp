// src/engine/scheduler/volumes/label_index.cpp: see label_index.h.

#include "src/engine/scheduler/volumes/label_index.h"

#include <algorithm>

namespace dra::engine {
namespace {

// The labels of which one is needed, by a condition that names values; nullptr: there is none.
const api::NodeSelectorRequirement* named_values(
    const std::vector<api::NodeSelectorRequirement>& conditions) {
  const auto found = std::ranges::find(conditions, "In", &api::NodeSelectorRequirement::op);
  return found == conditions.end() ? nullptr : &*found;
}

}  // namespace

void LabelIndex::file(const std::vector<Label>& any_of) {
  for (const auto& [key, value] : any_of)
    filed_[key][value].push_back(size_);
  ++size_;
}

void LabelIndex::add_for_all() { unfiled_.push_back(size_++); }

void LabelIndex::add(const api::NodeSelector& nodes) {
  std::vector<Label> labels;
  for (const api::NodeSelectorTerm& term : nodes.terms) {
    const auto* named = named_values(term.expressions);
    if (named == nullptr) return add_for_all();
    for (const std::string_view value : named->values)
      labels.emplace_back(named->key, value);
  }
  file(labels);
}

void LabelIndex::add(const api::LabelSelector& nodes) {
  for (const auto& [key, value] : nodes.labels)
    return file({{key, value}});
  const auto* named = named_values(nodes.expressions);
  if (named == nullptr) return add_for_all();
  std::vector<Label> labels;
  labels.reserve(named->values.size());
  for (const std::string_view value : named->values)
    labels.emplace_back(named->key, value);
  file(labels);
}

std::vector<std::size_t> LabelIndex::find(const api::Node& node) const {
  std::vector<std::size_t> found = unfiled_;
  for (const auto& [key, values] : filed_) {
    const std::string_view* label = api::find(node.meta.labels, key);
    const auto things = label == nullptr ? values.end() : values.find(*label);
    if (things != values.end())
      found.insert(found.end(), things->second.begin(), things->second.end());
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace dra::engine

// src/engine/facts/label_match.cpp: judges labels where they are. Most pods differ in the first
// condition, so nothing is compiled for one look.

#include "dra/engine/facts/label_match.h"

#include <algorithm>
#include <vector>

#include "dra/base/text.h"

namespace dra::engine {
namespace {

std::optional<bool> meets(const api::NodeSelectorRequirement& condition,
                          const api::Map<std::string_view>& labels) {
  const bool lists = condition.op == "In" || condition.op == "NotIn";
  const bool exists = condition.op == "Exists";
  if (!lists && !exists && condition.op != "DoesNotExist") return std::nullopt;
  if (lists == condition.values.empty()) return std::nullopt;
  const std::string_view* label = api::find(labels, condition.key);
  if (!lists) return (label != nullptr) == exists;
  const bool listed =
      label != nullptr && std::ranges::find(condition.values, *label) != condition.values.end();
  return listed == (condition.op == "In");
}

std::string text_of(const api::NodeSelectorRequirement& condition) {
  if (condition.op == "Exists") return std::string(condition.key);
  if (condition.op == "DoesNotExist") return base::format("!{}", condition.key);
  const std::vector<std::string> values(condition.values.begin(), condition.values.end());
  return base::format("{} {} ({})", condition.key, base::lower(condition.op),
                      base::join(values, ","));
}

}  // namespace

std::optional<bool> selects(const api::LabelSelector& selector,
                            const api::Map<std::string_view>& labels) {
  for (const auto& [key, value] : selector.labels) {
    const std::string_view* label = api::find(labels, key);
    if (label == nullptr || *label != value) return false;
  }
  bool readable = true;
  for (const api::NodeSelectorRequirement& condition : selector.expressions) {
    const std::optional<bool> met = meets(condition, labels);
    if (met == false) return false;
    readable = readable && met;
  }
  return readable ? std::optional(true) : std::nullopt;
}

bool selects_all(const api::LabelSelector& selector) {
  return selector.labels.empty() && selector.expressions.empty();
}

std::string describe(const api::LabelSelector& selector) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : selector.labels)
    parts.push_back(base::format("{}={}", key, value));
  for (const api::NodeSelectorRequirement& condition : selector.expressions)
    parts.push_back(text_of(condition));
  return base::join(parts, ",");
}

}  // namespace dra::engine

// src/report/phrases/environment_words.cpp: groups containers that override the same variables with
// the same values, and words each group once.

#include "dra/report/phrases/environment_words.h"

#include <algorithm>
#include <map>
#include <utility>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/facts/tpu_variables.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using topology::TpuOverride;

bool is_older_name(std::string_view variable) {
  const engine::TpuVariableName* known = engine::tpu_variable(variable);
  return known != nullptr && !known->newer.empty();
}

std::string container_words(std::string_view container, const std::string& pods) {
  return base::format("container {}{}", container, pods.empty() ? "" : " of " + pods);
}

std::string pod_words(const api::Pod& pod, const api::Pod* spoken_of) {
  return &pod == spoken_of ? std::string() : base::format("pod {}", pod.meta.name);
}

}  // namespace

bool repeats_another(const topology::TpuVariable& variable) { return is_older_name(variable.name); }

std::string own_value(const TpuOverride& set) {
  if (!set.from.empty()) return base::format("from {}", set.from);
  if (!set.value) return std::string(kUnknown);
  return set.value->empty() ? "\"\"" : *set.value;
}

std::vector<std::string> difference_words(const std::vector<TpuOverride>& overrides,
                                          const api::Pod* spoken_of) {
  // The overrides of a container of a pod, in the order of the variables.
  using Key = std::pair<const api::Pod*, std::string_view>;
  std::vector<std::pair<Key, std::vector<std::string>>> by_container;
  for (const TpuOverride& set : overrides) {
    if (!set.differs()) continue;
    const Key key{set.pod, set.container};
    auto found = std::ranges::find(by_container, key, &decltype(by_container)::value_type::first);
    if (found == by_container.end()) found = by_container.insert(found, {key, {}});
    found->second.push_back(
        base::format("{} to {} (the driver: {})", set.name, own_value(set), *set.driver));
  }
  std::map<std::pair<std::string_view, std::string>, std::vector<const api::Pod*>> alike;
  for (const auto& [key, parts] : by_container)
    alike[{key.second, base::join(parts, ", ")}].push_back(key.first);
  std::vector<std::string> words;
  for (const auto& [what, pods] : alike) {
    const std::string whose = pods.size() == 1
                                  ? pod_words(*pods.front(), spoken_of)
                                  : base::plural(static_cast<std::int64_t>(pods.size()), "pod");
    words.push_back(base::format("{} sets {}", container_words(what.first, whose), what.second));
  }
  return words;
}

}  // namespace dra::report

// src/snapshot/component_gates.cpp: see component_gates.h.

#include "src/snapshot/component_gates.h"

#include <algorithm>
#include <array>
#include <set>

#include "dra/api/component_flags.h"

namespace dra::snapshot {
namespace {

constexpr std::string_view kApiServer = "kube-apiserver";
constexpr std::string_view kScheduler = "kube-scheduler";

// Static pods of kubeadm have the label, and names that begin with the program's.
bool is_pod_of(const api::Pod& pod, std::string_view program) {
  if (pod.meta.namespace_ != "kube-system" || pod.finished()) return false;
  const std::string_view* label = api::find(pod.meta.labels, "component");
  return (label != nullptr && *label == program) || pod.meta.name.starts_with(program);
}

std::vector<api::ComponentFlags> flags_of_all(std::span<const api::Pod> pods,
                                              std::string_view program) {
  std::vector<api::ComponentFlags> all;
  for (const api::Pod& pod : pods) {
    if (!is_pod_of(pod, program)) continue;
    api::ComponentFlags flags = api::flags_of(pod, program);
    if (flags.known) all.push_back(std::move(flags));
  }
  return all;
}

}  // namespace

std::vector<std::pair<std::string, bool>> gates_of_components(
    std::span<const api::Pod> pods, std::span<const std::string_view> stored) {
  std::vector<api::ComponentFlags> all = flags_of_all(pods, kApiServer);
  std::vector<api::ComponentFlags> schedulers = flags_of_all(pods, kScheduler);
  const bool silence_counts =
      !schedulers.empty() &&
      std::ranges::none_of(schedulers, &api::ComponentFlags::has_gates_by_stage);
  std::ranges::move(schedulers, std::back_inserter(all));
  std::set<std::string, std::less<>> names(stored.begin(), stored.end());
  for (const api::ComponentFlags& flags : all) {
    for (const auto& [gate, on] : flags.gates)
      names.insert(gate);
  }
  std::vector<std::pair<std::string, bool>> gates;
  for (const std::string& name : names) {
    const auto says = [&name](bool on) {
      return [&name, on](const api::ComponentFlags& flags) { return flags.gate(name) == on; };
    };
    const bool is_stored = std::ranges::find(stored, name) != stored.end();
    if (std::ranges::any_of(all, says(false)))
      gates.emplace_back(name, false);
    else if ((!all.empty() && std::ranges::all_of(all, says(true))) ||
             (is_stored && !silence_counts))
      gates.emplace_back(name, true);
  }
  return gates;
}

}  // namespace dra::snapshot

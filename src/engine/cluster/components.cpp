// src/engine/cluster/components.cpp: see components.h.

#include "dra/engine/cluster/components.h"

#include <algorithm>
#include <array>

#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/cluster/unready.h"
#include "dra/engine/facts/full_name.h"

namespace dra::engine {
namespace {

constexpr std::string_view kScheduler = "kube-scheduler";
constexpr std::array<std::string_view, 5> kNamingLabels = {
    "component", "app", "k8s-app", "app.kubernetes.io/name", "app.kubernetes.io/component"};

bool is_labelled(const api::Pod& pod, std::string_view component) {
  return std::ranges::any_of(kNamingLabels, [&](std::string_view label) {
    return label_of(pod.meta, label) == component;
  });
}

// Static pods have the node's name behind their own, pods of a Deployment a hash.
bool is_named(const api::Pod& pod, std::string_view component) {
  const std::string_view name = pod.meta.name;
  return name == component || (name.starts_with(component) && name[component.size()] == '-');
}

std::string trouble_of(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  return base::format("its pod {} is not ready ({})", full_name(pod.meta),
                      unready_in_words(snapshot, pod));
}

template <class F>
Component find_component(const snapshot::Snapshot& snapshot, F is_of_it) {
  Component found;
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (pod.finished() || !is_of_it(pod)) continue;
    if (!pod.meta.deleted && api::is_true(pod.status.conditions, "Ready")) return {.ready = &pod};
    if (found.down == nullptr || restarts_of(pod) > restarts_of(*found.down)) found.down = &pod;
  }
  if (found.down != nullptr) found.trouble = trouble_of(snapshot, *found.down);
  return found;
}

}  // namespace

std::int64_t restarts_of(const api::Pod& pod) {
  std::int64_t restarts = 0;
  for (const api::ContainerStatus& container : pod.status.containers)
    restarts += container.restarts;
  return restarts;
}

Component component_named(const snapshot::Snapshot& snapshot, std::string_view name) {
  return find_component(snapshot, [name](const api::Pod& pod) {
    return is_labelled(pod, name) || (pod.meta.namespace_ == "kube-system" && is_named(pod, name));
  });
}

Component scheduler_named(const snapshot::Snapshot& snapshot, std::string_view name) {
  const std::string_view component = component_of(name);
  if (component == kScheduler) return component_named(snapshot, component);
  const bool says_so = component.find("scheduler") != std::string_view::npos;
  return find_component(snapshot, [&](const api::Pod& pod) {
    if (pod.spec.scheduler_name == name) return false;
    if (is_labelled(pod, component)) return true;
    return is_named(pod, component) &&
           (says_so || pod.meta.name.substr(component.size()).starts_with("-scheduler"));
  });
}

std::string_view component_of(std::string_view scheduler) {
  return scheduler.empty() || scheduler == api::kDefaultScheduler ? kScheduler : scheduler;
}

}  // namespace dra::engine

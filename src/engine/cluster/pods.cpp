// src/engine/cluster/pods.cpp: see pods.h.

#include "dra/engine/cluster/pods.h"

#include <algorithm>

#include "dra/base/log_line.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/extended_resources.h"

namespace dra::engine {

bool uses_claims(const api::Pod& pod) {
  return !pod.spec.claims.empty() || pod.status.extended_resource_claim.has_value();
}

bool waits_for_node(const api::Pod& pod) {
  return pod.spec.node_name.empty() && !pod.finished() && !pod.meta.deleted;
}

std::vector<const api::Pod*> waiting_pods(const snapshot::Snapshot& snapshot) {
  std::vector<const api::Pod*> pods;
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (waits_for_node(pod) && (uses_claims(pod) || extended_claim_of(snapshot, pod) != nullptr ||
                                !resources_nowhere(snapshot, pod).empty()))
      pods.push_back(&pod);
  }
  std::ranges::stable_sort(pods, {}, [](const api::Pod* pod) { return pod->meta.created; });
  return pods;
}

const api::Pod* consuming_pod(const snapshot::Snapshot& snapshot, std::string_view ns,
                              const api::Consumer& consumer) {
  if (!consumer.is_pod()) return nullptr;
  const auto* pod = snapshot.find<api::Pod>(ns, consumer.name);
  return pod != nullptr && pod->meta.uid == consumer.uid ? pod : nullptr;
}

bool have_ended(const api::Pod& pod) {
  const auto& statuses = pod.status.containers;
  return !statuses.empty() && std::ranges::all_of(statuses, [](const api::ContainerStatus& one) {
    return one.state.terminated.has_value();
  });
}

bool is_crash_looping(const api::ContainerStatus& container) {
  return container.state.waiting && container.state.waiting->reason == "CrashLoopBackOff";
}

std::string container_state(const api::Pod& pod) {
  for (const auto* statuses : {&pod.status.init_containers, &pod.status.containers}) {
    for (const api::ContainerStatus& container : *statuses) {
      const auto& waiting = container.state.waiting;
      const bool init = statuses == &pod.status.init_containers;
      if (init && container.state.running && !container.ready)
        return base::format("waiting for its init container {}", container.name);
      if (!waiting || waiting->reason.empty()) continue;
      return container.restarts > 0 ? base::format("{}, {}", waiting->reason,
                                                   base::plural(container.restarts, "restart"))
                                    : std::string(waiting->reason);
    }
  }
  return std::string(pod.status.phase);
}

std::string trouble_in_words(const api::Pod& pod) {
  constexpr std::string_view usual = "Error";
  std::string words = container_state(pod);
  for (const auto* statuses : {&pod.status.init_containers, &pod.status.containers}) {
    for (const api::ContainerStatus& container : *statuses) {
      const auto& last = container.last.terminated;
      if (!container.state.waiting) continue;
      if (!container.state.waiting->message.empty() && !last)
        return base::format("{}: {}", words, base::plain_log(container.state.waiting->message));
      if (!last) continue;
      if (!last->reason.empty() && last->reason != usual)
        words += base::format(", {} (exit code {})", last->reason, last->exit_code);
      if (!last->message.empty()) words += base::format(": {}", base::plain_log(last->message));
      return words;
    }
  }
  return words;
}

}  // namespace dra::engine

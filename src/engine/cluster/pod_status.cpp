// src/engine/cluster/pod_status.cpp: the status of a pod as the API server's table has it: what
// stops the init containers comes before the states of containers, and these before the phase.

#include <algorithm>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/pods.h"

namespace dra::engine {
namespace {

std::string ended_words(const api::ContainerTerminated& ended) {
  if (!ended.reason.empty()) return std::string(ended.reason);
  return ended.signal != 0 ? base::format("Signal:{}", ended.signal)
                           : base::format("ExitCode:{}", ended.exit_code);
}

bool is_sidecar(const api::Pod& pod, std::string_view container) {
  const auto found = std::ranges::find(pod.spec.init_containers, container, &api::Container::name);
  return found != pod.spec.init_containers.end() && found->sidecar();
}

// "Init:..." of the first init container that has not done its part; empty: all have.
std::string init_status(const api::Pod& pod) {
  const auto& statuses = pod.status.init_containers;
  const auto open = std::ranges::find_if(statuses, [&pod](const api::ContainerStatus& one) {
    const bool done = one.state.terminated && one.state.terminated->exit_code == 0;
    return !done && !(one.started && is_sidecar(pod, one.name));
  });
  if (open == statuses.end()) return {};
  const api::ContainerState& state = open->state;
  if (state.terminated) return "Init:" + ended_words(*state.terminated);
  if (state.waiting && !state.waiting->reason.empty() && state.waiting->reason != "PodInitializing")
    return base::format("Init:{}", state.waiting->reason);
  return base::format("Init:{}/{}", open - statuses.begin(), pod.spec.init_containers.size());
}

// The status of the first container that waits or has ended, else `otherwise`.
std::string container_status(const api::Pod& pod, std::string otherwise) {
  std::string status = std::move(otherwise);
  bool runs = false;
  const auto& all = pod.status.containers;
  for (std::size_t i = all.size(); i-- > 0;) {
    const api::ContainerStatus& one = all[i];
    if (one.state.waiting && !one.state.waiting->reason.empty()) {
      status = one.state.waiting->reason;
    } else if (one.state.terminated) {
      status = ended_words(*one.state.terminated);
    } else if (one.ready && one.state.running) {
      runs = true;
    }
  }
  if (status != "Completed" || !runs) return status;
  return api::is_true(pod.status.conditions, "Ready") ? "Running" : "NotReady";
}

}  // namespace

std::string pod_status(const api::Pod& pod) {
  const bool gone_node = pod.status.reason == "NodeLost";
  if (pod.meta.deleted && (gone_node || !pod.finished()))
    return gone_node ? "Unknown" : "Terminating";
  std::string status(pod.status.reason.empty() ? pod.status.phase : pod.status.reason);
  if (status.empty()) status = "<unknown>";
  const bool gated =
      std::ranges::any_of(pod.status.conditions, [](const api::Condition& condition) {
        return condition.type == "PodScheduled" && condition.reason == "SchedulingGated";
      });
  if (gated) status = "SchedulingGated";
  std::string init = init_status(pod);
  if (init.empty() || api::is_true(pod.status.conditions, "Initialized"))
    return container_status(pod, init.empty() ? std::move(status) : std::move(init));
  return init;
}

}  // namespace dra::engine

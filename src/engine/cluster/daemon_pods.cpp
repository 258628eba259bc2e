// src/engine/cluster/daemon_pods.cpp: see daemon_pods.h.

#include "dra/engine/cluster/daemon_pods.h"

#include "dra/api/daemon_pod.h"
#include "dra/engine/facts/node_match.h"

namespace dra::engine {

std::string_view node_of_daemon(const api::Pod& pod) {
  if (api::daemon_set_of(pod) == nullptr) return {};
  if (!pod.spec.node_name.empty()) return pod.spec.node_name;
  const auto& required = pod.spec.affinity.to_nodes.required;
  return required ? only_node(*required) : std::string_view();
}

}  // namespace dra::engine

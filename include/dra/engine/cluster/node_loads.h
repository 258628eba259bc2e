// include/dra/engine/cluster/node_loads.h
//
// The load that pods put on their nodes: how many there are, what they request of each resource,
// which ports of the host they use. Pods that have ended count no more; a pod that is being deleted
// counts until then. Computed once for any number of pods that look for a node.
//
// Pods that are nominated for a node do not count, and are listed: nominated_pods.h judges nodes
// with them.
//
// Upstream: k8s.io/kubernetes/pkg/scheduler/framework.NodeInfo. Pods that the scheduler has assumed
// but not bound are not visible.

#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dra/engine/cluster/pod_requests.h"

namespace dra::engine {

struct ResourceLoad {
  std::string_view resource;
  std::int64_t requested = 0;
  std::int64_t pods = 0;  // that request the resource
};
struct PortUse {
  HostPort port;
  const api::Pod* pod;
};
struct NodeLoad {
  std::int64_t pods = 0;
  std::vector<ResourceLoad> resources;
  std::vector<PortUse> ports;

  ResourceLoad of(std::string_view resource) const;
};

// Pods that are supposed to be on nodes, and no others.
struct OnlyPods {
  std::span<const api::Pod* const> pods;
};

class NodeLoads {
 public:
  // The snapshot must outlive it. `gone`: pods that do not count.
  explicit NodeLoads(const snapshot::Snapshot& snapshot,
                     std::span<const api::Pod* const> gone = {});
  // Of these pods, which need not be the snapshot's, on the nodes that they name.
  NodeLoads(const snapshot::Snapshot& snapshot, const OnlyPods& placed);

  const NodeLoad& on(std::string_view node) const;
  // Why the load is not known, in a few words; empty: it is.
  std::string_view gap() const { return gap_; }
  const RequestRules& rules() const { return rules_; }
  // Whether all pods were read.
  bool saw_pods() const { return saw_pods_; }
  // The pods that count, in the order of the snapshot.
  const std::vector<const api::Pod*>& placed() const { return placed_; }
  // Those of them whose anti-affinity may keep other pods away.
  const std::vector<const api::Pod*>& repelling() const { return repelling_; }
  // Pods without a node for which the scheduler keeps room on one, status.nominatedNodeName.
  const std::vector<const api::Pod*>& nominated() const { return nominated_; }
  // The pod gets a node, so that no room is kept for it any more.
  void end_nomination(const api::Pod& pod) { std::erase(nominated_, &pod); }

 private:
  void add(const api::Pod& pod);

  RequestRules rules_;
  std::string_view gap_;
  std::unordered_map<std::string_view, NodeLoad> loads_;
  NodeLoad nothing_;
  bool saw_pods_ = true;
  std::vector<const api::Pod*> placed_;
  std::vector<const api::Pod*> repelling_;
  std::vector<const api::Pod*> nominated_;
};

}  // namespace dra::engine

// include/dra/answers/explain/kept_away.h
//
// Nodes on which the DaemonSet of a driver's kubelet plugin is not to run, by its node selector,
// its node affinity or the node's taints, or on which its pod does not run: whatever hardware they
// have, nothing publishes it.
//
// Upstream: k8s.io/kubernetes/pkg/controller/daemon, predicates, and its util package,
// AddOrUpdateDaemonPodTolerations.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/api/workload.h"
#include "dra/diag/remedy.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/left_out_nodes.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/selectors/silent_drivers.h"
#include "dra/snapshot/snapshot.h"

namespace dra::answers {

struct KeptAway {
  std::string_view driver;
  const api::Workload* daemon_set;  // nullptr: not known, and there is a pod
  const api::Node* node;
  std::string why;                // "taint a=b:NoSchedule is not tolerated"
  bool tainted = false;           // only taints keep it away: the labels match
  const api::Pod* pod = nullptr;  // the driver's, which is there and is not ready
};

// The nodes that a driver with devices elsewhere should serve and that its DaemonSet is kept from:
// nodes that its selector or affinity chooses and whose taints it does not tolerate, and nodes
// without devices, unlike others of their node pool (`left_out`). Before them, nodes without
// devices on which the driver's pod does not get ready.
std::vector<KeptAway> nodes_kept_away(const snapshot::Snapshot& snapshot,
                                      const engine::Inventory& inventory,
                                      std::span<const engine::LeftOutNode> left_out,
                                      const engine::NodeLoads& loads, std::string_view driver);

// Says of a driver whose DaemonSet is to run on no node what keeps it away.
void say_what_keeps_away(const snapshot::Snapshot& snapshot, const engine::NodeLoads& loads,
                         std::span<engine::SilentDriver> drivers);

// "DaemonSet a/b of driver d does not run there: taint a=b:NoSchedule is not tolerated"
std::string words_of(const KeptAway& kept);
diag::Remedy remedy_of(const KeptAway& kept);

}  // namespace dra::answers

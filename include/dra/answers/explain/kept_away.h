// include/dra/answers/explain/kept_away.h
//
// Nodes on which the DaemonSet of a driver's kubelet plugin is not to run, by its node selector,
// its node affinity or the node's taints, or on which its pod does not run, or finds no device:
// whatever hardware they have, nothing publishes it.
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
  const api::Pod* pod = nullptr;  // the driver's, which is there
  // The pod is ready, and it publishes nothing for the node: with `has_slice` a slice without
  // devices, else no slice.
  bool finds_nothing = false;
  bool has_slice = false;
  // "K=V": all that the DaemonSet selects and the node does not have.
  std::string label = {};
  // What the node has in common with one that has devices: "same machine type m as node n". Empty:
  // its hardware is not known.
  std::string like = {};
  std::string cause = {};  // the same for nodes that share the cause, without names of pods
  bool is_stated = false;  // the cause of an explanation has all of it

  // The node probably has such devices.
  bool is_likely() const { return !finds_nothing || !like.empty(); }
};

// The nodes that a driver with devices elsewhere should serve and does not:
// - nodes without devices on which the driver's pod does not get ready;
// - nodes that its DaemonSet's selector or affinity chooses and whose taints it does not tolerate;
// - nodes without devices, unlike others of their node pool (`left_out`), or unlike others with the
//   same machine type or the same labels, which its DaemonSet does not choose for one label;
// - nodes on which the driver is ready and finds no device. Only those with `like` are known to be
//   a trouble: a driver that runs everywhere finds nothing on most nodes.
// Control planes are not among the last three.
std::vector<KeptAway> nodes_kept_away(const snapshot::Snapshot& snapshot,
                                      const engine::Inventory& inventory,
                                      std::span<const engine::LeftOutNode> left_out,
                                      const engine::NodeLoads& loads, std::string_view driver);

// Says of a driver whose DaemonSet is to run on no node what keeps it away.
void say_what_keeps_away(const snapshot::Snapshot& snapshot, const engine::NodeLoads& loads,
                         std::span<engine::SilentDriver> drivers);

// "DaemonSet a/b of driver d does not run there: taint a=b:NoSchedule is not tolerated"
std::string words_of(const KeptAway& kept);
// Of nodes that share the cause; at least one.
std::string words_of(std::span<const KeptAway* const> kept);
diag::Remedy remedy_of(const KeptAway& kept);

}  // namespace dra::answers

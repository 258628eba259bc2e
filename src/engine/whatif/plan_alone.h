// src/engine/whatif/plan_alone.h: what a waiting pod comes to if it were the first of the queue,
// found once for each kind of pod, over all nodes.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/scheduler/demands.h"
#include "dra/engine/scheduler/node_filters.h"
#include "dra/engine/scheduler/verdict.h"
#include "src/engine/whatif/node_future.h"
#include "src/engine/whatif/node_room.h"

namespace dra::engine {

using NodePlace = std::size_t;  // among the nodes

// What a kind of pod comes to if it were the first.
struct Alone {
  Decision decision = {};
  std::string not_simulated = {};
  std::vector<NodePlace> nodes = {};  // on which it may fit
  // On which it may fit once other pods are placed: these and more, if it is tied or gives up.
  std::vector<NodePlace> open = {};
  std::vector<std::int64_t> spare = {};  // devices, of each of `nodes`; empty: not counted
  bool gives_up = false;
  bool shares_devices = false;  // some device that it may get is of more nodes than the one
  bool tied = false;            // what other waiting pods do elsewhere decides about it, too
};

class AlonePods {
 public:
  // The cluster that pods are placed in. The loads may change if that is said.
  struct Cluster {
    const snapshot::Snapshot& snapshot;
    const Inventory& inventory;
    const NodeLoads& loads;
    const Nodes& nodes;
  };

  // All must outlive it.
  AlonePods(const Cluster& cluster, const std::vector<const api::Pod*>& queue);

  KindOfPod with_kind(const api::Pod& pod);
  const Alone& of(const KindOfPod& pod);
  // Of a kind that was asked about.
  const PodTakes& takes(const KindOfPod& pod) const { return takes_.at(pod.kind); }
  // The loads have changed. What was answered ends.
  void forget() { alone_.clear(); }

 private:
  void note_claims(const api::Pod& pod);
  std::vector<std::string> not_simulated(const NodeFilters& filters, const api::Pod& pod) const;
  Alone look(const api::Pod& pod) const;
  void note_nodes(const std::vector<NodeResult>& results, Alone& alone) const;
  bool may_share_devices(const Subject& subject, const Demands& demands) const;
  bool uses_shared_claim(const Subject& subject) const;

  const snapshot::Snapshot& snapshot_;
  const Inventory& inventory_;
  const NodeLoads& loads_;
  const Nodes& nodes_;
  std::size_t waiting_;                                   // pods
  std::vector<const api::ResourceSlice*> shared_slices_;  // of more nodes than one
  std::map<std::string, int> users_;  // waiting pods, by the claim that is still to be allocated
  std::map<std::string, std::size_t> kinds_;
  std::map<std::size_t, Alone> alone_;     // by kind
  std::map<std::size_t, PodTakes> takes_;  // by kind
};

// The verdict on such a pod, with the reasons for it.
PlanVerdict judge_alone(const Alone& alone, const NodeLoads& loads,
                        std::vector<diag::Reason>& reasons);

}  // namespace dra::engine

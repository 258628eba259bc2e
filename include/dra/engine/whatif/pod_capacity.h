// include/dra/engine/whatif/pod_capacity.h
//
// How many more pods of one template fit in a cluster, and where. Each pod takes its devices, its
// share of the node's resources and its ports, as the scheduler assigns them, before the next one
// is tried. Nodes are filled one after the other. The scheduler spreads pods over the nodes, which
// changes the count only where nodes share devices.
//
// Pods that wait now hold nothing, so waiting pods of the same workload are among the pods that
// fit. Pods of other workloads may take the devices first; that is not foreseen. A node on which
// the pod would not start does not count: see host_parts.h.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dra/api/workload.h"
#include "dra/engine/facts/change.h"
#include "dra/engine/whatif/hypothesis.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct PodCapacity {
  std::int64_t fit = 0;
  bool complete = true;  // false: the budget ended the search, there may be more
  bool known = true;     // false: something was not readable, or is not simulated
  std::string unknown_because = {};
  std::vector<std::pair<std::string, std::int64_t>> nodes = {};  // by name, those that take some
};

struct PodCapacityBudget {
  std::int64_t most = 100;  // replicas
  // Devices of the cluster times replicas: each replica looks at all of them.
  std::int64_t devices = 4'000'000;
};

PodCapacity pod_capacity(const snapshot::Snapshot& snapshot, const api::Workload& workload,
                         const api::PodRole& role, const PodCapacityBudget& budget = {});

// Changes for one of a workload's pods.
struct PodChanges {
  const Wanted& pod;
  std::span<const Change> changes;
};

// The capacity with changes. Changes of the pod's claims are made in the templates, as a user has
// to make them. No value: a change is of that one pod only, or cannot be made.
std::optional<PodCapacity> pod_capacity_if(const snapshot::Snapshot& snapshot,
                                           const api::Workload& workload, const api::PodRole& role,
                                           const PodChanges& made, const PodCapacityBudget& budget);

}  // namespace dra::engine

// include/dra/engine/whatif/pod_capacity.h
//
// How many more pods of one template a cluster has room for, and where. Each that fits takes its
// devices, its room on the node and its ports, as the scheduler would give them to it, before the
// next is tried. Nodes are filled one after the other: the scheduler goes back and forth between
// them, which changes the count only where nodes share devices.
//
// Pods that wait now hold nothing, also those of the same workload: they are among the ones that
// still fit. What other workloads' pods may take first is not foreseen.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dra/engine/facts/change.h"
#include "dra/engine/whatif/hypothesis.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct PodCapacity {
  std::int64_t fit = 0;
  bool complete = true;  // false: there may be more, but looking for them was ended
  bool known = true;     // false: it cannot be said, for what could not be read or is not simulated
  std::string unknown_because = {};
  std::vector<std::pair<std::string, std::int64_t>> nodes = {};  // by name, those that take some
};

struct PodCapacityBudget {
  std::int64_t most = 100;  // replicas
  // Devices of the cluster times replicas: each of them is looked at anew for each replica.
  std::int64_t devices = 4'000'000;
};

PodCapacity pod_capacity(const snapshot::Snapshot& snapshot, const api::Workload& workload,
                         const api::PodRole& role, const PodCapacityBudget& budget = {});

// What is changed for one of a workload's pods.
struct PodChanges {
  const Wanted& pod;
  std::span<const Change> changes;
};

// The same if changes were made: what they change of the pod's claims is changed in the templates,
// as people have to do it. No value: they are of that one pod only, or cannot be made.
std::optional<PodCapacity> pod_capacity_if(const snapshot::Snapshot& snapshot,
                                           const api::Workload& workload, const api::PodRole& role,
                                           const PodChanges& made, const PodCapacityBudget& budget);

}  // namespace dra::engine

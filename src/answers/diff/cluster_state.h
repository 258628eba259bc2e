// src/answers/diff/cluster_state.h
//
// One state of a cluster with its inventory and node loads, which are computed once and shared by
// the answers about all subjects.

#pragma once

#include "dra/answers/diff/comparison.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/whatif/hypothesis.h"

namespace dra::answers {

// The snapshot must outlive this object.
class ClusterState {
 public:
  explicit ClusterState(const snapshot::Snapshot& snapshot)
      : snapshot_(snapshot), inventory_(snapshot), loads_(snapshot) {}

  StateAnswer answer(const engine::Wanted& wanted) const;
  const snapshot::Snapshot& snapshot() const { return snapshot_; }
  const engine::Inventory& inventory() const { return inventory_; }

 private:
  const snapshot::Snapshot& snapshot_;
  engine::Inventory inventory_;
  engine::NodeLoads loads_;
};

// A group of claims is named by its first claim.
SubjectName subject_of(const engine::Wanted& wanted);

}  // namespace dra::answers

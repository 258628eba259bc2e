// src/answers/diff/cluster_state.h
//
// One state of a cluster, ready for questions about several subjects: what all answers are computed
// from is computed once.

#pragma once

#include "dra/answers/diff/comparison.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/whatif/hypothesis.h"

namespace dra::answers {

// The snapshot must outlive it.
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

SubjectName subject_of(const engine::Wanted& wanted);  // of several claims the first

}  // namespace dra::answers

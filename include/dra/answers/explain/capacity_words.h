// include/dra/answers/explain/capacity_words.h
//
// What components that add nodes or queue pods say about a pod: cluster-autoscaler, Karpenter,
// Kueue.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dra/base/time.h"
#include "dra/snapshot/snapshot.h"

namespace dra::answers {

struct CapacityWord {
  std::string who;  // "cluster-autoscaler"
  std::string message;
  std::optional<base::Instant> at;
};

// The newest word of each component, from the pod's events: of cluster-autoscaler only
// NotTriggerScaleUp, TriggeredScaleUp and FailedToScaleUpGroup.
std::vector<CapacityWord> capacity_words(const snapshot::Snapshot& snapshot, const api::Pod& pod);

}  // namespace dra::answers

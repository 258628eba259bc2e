// include/dra/answers/explain/capacity_words.h
//
// Messages about a pod from components that add nodes or queue pods: cluster-autoscaler, Karpenter,
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

// The newest event of each component about the pod. For cluster-autoscaler only reasons
// about more nodes count.
std::vector<CapacityWord> capacity_words(const snapshot::Snapshot& snapshot, const api::Pod& pod);

}  // namespace dra::answers

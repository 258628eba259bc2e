// include/dra/answers/explain/pending_pods.h
//
// `kubectl dra explain --pending`: all pods that wait for devices, by cause, the most frequent
// first.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dra/answers/explain/pods_by_cause.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/node_loads.h"

namespace dra::answers {

struct PendingPods {
  std::string namespace_;  // empty: all
  std::size_t pods = 0;
  std::size_t elsewhere = 0;  // pods that wait in other namespaces, as far as these were read
  PodsByCause by_cause = {};
  snapshot::Coverage coverage = {};

  // Why it is not known whether pods wait: "pods are not in the files". Empty: it is known, or some
  // are seen to wait.
  std::string unknown() const;
};

PendingPods pending_pods(const snapshot::Snapshot& snapshot, std::string_view ns,
                         OfNodes nodes = OfNodes::Keep);

// Explains the first pods of causes again, with what was dropped of their nodes.
class ExplainedAgain {
 public:
  // The snapshot must outlive it.
  explicit ExplainedAgain(const snapshot::Snapshot& snapshot)
      : snapshot_(snapshot), inventory_(snapshot), loads_(snapshot) {}

  Explanation of(const PodsOfCause& pods) const {
    return explain_pod(snapshot_, inventory_, loads_, *pods.pods.front());
  }

 private:
  const snapshot::Snapshot& snapshot_;
  engine::Inventory inventory_;
  engine::NodeLoads loads_;
};

}  // namespace dra::answers

// include/dra/answers/explain/change_facts.h: the cluster's facts about the objects that a change
// names.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/answers/explain/deployer.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/facts/change.h"
#include "dra/engine/scheduler/pod_claims.h"

namespace dra::answers {

// A pod that a change ends, so that its devices become free.
struct ReleasedPod {
  std::string namespace_;
  std::string name;
  std::string standing;       // "Running 5d13h"
  bool deleted = false;       // already, and still there
  std::int64_t priority = 0;  // lower than that of the subject's pod does not help: no preemption
  // What creates the pod again: its Deployment rather than the ReplicaSet. Empty: nothing does.
  std::string owner_kind = {};
  std::string owner_name = {};
  // Pods of the owner, or of its JobSet, that have a node; this one included.
  std::int64_t replicas = 0;
  bool owner_waits = false;   // the owner has pods without a node, which it would end first
  std::int64_t ordinal = -1;  // in a StatefulSet; -1: none
  std::string job_set = {};   // that its Job is a part of
  // Of PodDisruptionBudgets because of which it is not evicted now, as words_for_budgets() has it.
  std::string budgets = {};
};

struct ChangeFacts {
  // Of added nodes: the node pool of the node that they are like, and its place in a ComputeClass.
  std::string node_pool = {};
  std::optional<engine::NodePriority> priority = {};
  // Of a release: its pods that the subject's own controller created and creates again, and the
  // kind of that controller.
  std::string own_controller = {};
  std::vector<std::string> own_pods = {};
  std::vector<ReleasedPod> released = {};  // its pods, in their order
  bool budgets_unread = false;             // PodDisruptionBudgets of its pods could not be read
  // Of other nodes: what creates the subject's pod, as ReleasedPod has it.
  std::string owner_kind = {};
  std::string owner_name = {};
  std::vector<std::string> unreserved = {};  // its claims that no pod has reserved
  // In the explanation of a workload, names of its further pods that wait for the same: they keep
  // the claims of the old template, too.
  std::vector<std::string> pods_alike = {};
  bool last_selector = false;  // of a selector that is removed: the request has no other
  // Of an edit of an object that a tool writes again from its own files: the tool.
  std::optional<Deployer> deployer = {};
};

// One for each change.
std::vector<ChangeFacts> facts_of(std::span<const engine::Change> changes,
                                  const engine::Subject& subject,
                                  const snapshot::Snapshot& snapshot);

}  // namespace dra::answers

// include/dra/answers/explain/change_facts.h: the cluster's facts about the objects that a change
// names.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/engine/cluster/nodes.h"
#include "dra/engine/facts/change.h"
#include "dra/engine/scheduler/pod_claims.h"

namespace dra::answers {

struct ChangeFacts {
  // Of added nodes: the node pool of the node that they are like, and its place in a ComputeClass.
  std::string node_pool = {};
  std::optional<engine::NodePriority> priority = {};
  // Of a release: its pods that the subject's own controller created and creates again, and the
  // kind of that controller.
  std::string own_controller = {};
  std::vector<std::string> own_pods = {};
};

// One for each change.
std::vector<ChangeFacts> facts_of(std::span<const engine::Change> changes,
                                  const engine::Subject& subject,
                                  const snapshot::Snapshot& snapshot);

}  // namespace dra::answers

// include/dra/engine/scheduler/verdict.h
//
// What the scheduler decides about a subject over all nodes. A verdict is only given when it is
// proven: what depends on something that is not computed or could not be read is Undetermined.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "dra/diag/reason.h"
#include "dra/engine/scheduler/node_result.h"

namespace dra::engine {

enum class Verdict { Fits, DoesNotFit, Blocked, Scheduled, Undetermined };
std::string_view name_of(Verdict verdict);

// The scheduler looks at all nodes of a small cluster; of a large one only until so many fit.
// Upstream: k8s.io/kubernetes/pkg/scheduler, numFeasibleNodesToFind.
std::size_t nodes_to_find(std::size_t all);

// Over the nodes that the other filters let through. `all_simulated`: no filter is left out that
// could reject a node as well.
Verdict judge_nodes(std::span<const NodeResult> nodes, bool all_simulated);

struct Decision {
  Verdict verdict = Verdict::Undetermined;
  // What stops the subject before any node is looked at, or leaves open what the nodes come to.
  std::vector<diag::Reason> blockers = {};
};
Decision judge(const snapshot::Coverage& coverage, const Subject& subject,
               std::span<const NodeResult> nodes, bool all_simulated);

}  // namespace dra::engine

// include/dra/engine/whatif/gang.h
//
// Whether the pods of a gang fit together: those that wait, one after the other in the order of the
// scheduler's queue, beside those that have a node. The gang is bound if with them at least as many
// have a node as its minCount says; pods beyond that which find no room wait for another time.
//
// As in a plan, a verdict is given where it holds whichever of several nodes the scheduler chooses
// for each pod (plan.h), and also in whichever order it takes pods that came in the same second.
//
// Upstream: k8s.io/kubernetes/pkg/scheduler (podGroupSchedulingDefaultAlgorithm) and its plugin
// gangscheduling (PlacementFeasible).

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/pod.h"
#include "dra/engine/cluster/scheduling_group.h"
#include "dra/engine/whatif/plan.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// Pods of a gang that are placed for one answer, and orders in which that is tried.
inline constexpr std::size_t kMostOfGang = 100;
inline constexpr std::size_t kMostOrders = 24;

enum class GangVerdict : std::uint8_t { Fits, DoesNotFit, Undetermined };
std::string_view name_of(GangVerdict verdict);  // "Fits", as in reports

struct Gang {
  std::string name;
  std::int64_t min_count = 0;
  std::int64_t with_node = 0;  // pods that have a node
  std::int64_t placed = 0;     // pods that wait and certainly fit, in any order
  std::int64_t possible = 0;   // pods that wait and may fit, in some order
  GangVerdict verdict = GangVerdict::Undetermined;  // of the gang
  GangVerdict own = GangVerdict::Undetermined;      // of the pod, if its gang fits
  // The pods that wait, in their order. Shared, because the steps point into the plan's state.
  std::shared_ptr<const Plan> plan;

  // The first pod that does not fit; nullptr: none.
  const PlanStep* in_the_way() const;
};

// Whether its pods are placed in an answer: it is a gang that the scheduler looks at, and not too
// large.
bool is_placed_together(const SchedulingGroup& group);
// What comes of a gang with these steps of all its waiting pods, in the state of the plan. Nothing
// is said of one pod alone. Open if it may be otherwise in another order of pods that came in one
// second.
std::shared_ptr<const Gang> gang_of_steps(const snapshot::Snapshot& state,
                                          const SchedulingGroup& group,
                                          const std::vector<PlanStep>& steps);
// Where a gang that fits has room for some of its pods alike, each of them may be the one that is
// left.
void share_room(std::vector<PlanStep>& steps, const std::shared_ptr<const Gang>& gang);
// No value: the pod is of no gang that the scheduler looks at, has a node, or too much would have
// to be placed.
std::optional<Gang> gang_of(const snapshot::Snapshot& snapshot, const api::Pod& pod);

}  // namespace dra::engine

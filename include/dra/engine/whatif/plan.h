// include/dra/engine/whatif/plan.h
//
// What becomes of all waiting pods if nothing else changes: which get a node, one after the other
// in the order of the scheduler's queue, each with less left by those before it.
//
// The scheduler scores the nodes that fit, which is not simulated. So a pod that fits on several
// nodes is on one of them, and a verdict about a pod behind it is given only where it holds
// whichever that is. This is proven by counting: a pod fits for certain if those before it, each on
// a node of its own choice, are too few to close all of its nodes; it does not fit for certain if
// no node is left by the pods whose place is certain, or if pods alike have all the room that there
// is. Otherwise it depends on the choices before it.
//
// The order is that of PrioritySort: by priority, then by the time of the last attempt, of which
// only the first failed one is visible. Every pod is taken to be tried once.
//
// The pods of a gang are taken together, where the first of them stands. They are placed one after
// the other; if with them too few have a node, none of them is, and their room stays free.
//
// Upstream: k8s.io/kubernetes/pkg/scheduler/framework/plugins/queuesort, PrioritySort;
// k8s.io/kubernetes/pkg/scheduler, scheduleOnePodGroup.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dra/base/time.h"
#include "dra/diag/reason.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct Gang;  // gang.h

enum class PlanVerdict : std::uint8_t {
  Fits,
  DoesNotFit,
  Depends,       // on which nodes the scheduler chooses for pods before it
  Blocked,       // the scheduler does not look at any node
  Undetermined,  // something could not be read, or is not simulated
};
std::string_view name_of(PlanVerdict verdict);  // "Fits", as in reports

struct PlannedDevice {
  std::string claim;    // namespace/name
  std::string request;  // "req" or "req/sub"
  std::string device;   // driver/pool/device
};

struct PlanStep {
  const api::Pod* pod = nullptr;
  std::size_t kind = 0;  // pods of one kind ask for the same
  PlanVerdict verdict = PlanVerdict::Undetermined;
  // By name: if it is bound, then to one of these. Empty if it is not.
  std::vector<std::string_view> nodes = {};
  // Set where it gets these and no others.
  std::vector<PlannedDevice> devices = {};
  // It would fit if it were the first.
  bool fits_alone = false;
  // Pods of the plan that take, or may take, what it could have: the first of them, and how many
  // there are.
  std::vector<const api::Pod*> before = {};
  std::size_t all_before = 0;
  // What stops a blocked pod, or why nothing can be said.
  std::vector<diag::Reason> reasons = {};
  // Of a pod whose gang certainly or perhaps is not bound: what comes of its pods, with their steps
  // as if it were bound.
  std::shared_ptr<const Gang> gang = {};
};

// When it came into the queue, as far as that is visible.
base::Instant queued_at(const api::Pod& pod);

// Pods that wait for a node, first the one that the scheduler takes first. Equal ones are in the
// order of their names.
std::vector<const api::Pod*> queue_of(const snapshot::Snapshot& snapshot);

// One step for each pod of the queue, in its order. The snapshot must outlive the result. Claims
// that are still to be made from templates are taken to be made.
struct Plan {
  snapshot::Snapshot state;  // with these claims; the steps point into it
  std::vector<PlanStep> steps = {};
};
Plan plan_for(const snapshot::Snapshot& snapshot);
// Its state: makes the claims of pods that lack nothing else, as the claim controller does within
// seconds.
snapshot::Snapshot with_claims(const snapshot::Snapshot& snapshot);
// The steps of some waiting pods alone, in that order, as if each were scheduled by itself, also
// those of a gang. The state must outlive them.
std::vector<PlanStep> steps_one_by_one(const snapshot::Snapshot& state,
                                       std::vector<const api::Pod*> order);

}  // namespace dra::engine

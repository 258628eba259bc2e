// include/dra/engine/running/after_scheduling.h
//
// What keeps a pod from running although it has its devices: from there on the scheduler is out of
// it, and the driver and the kubelet have to act. Nobody says it in one place. It is put together
// from the pod's events and conditions, the reservations and device conditions of its claims, the
// slices, the driver's pods on the node, and what is known of the driver.
//
// A finding is a cause that somebody can act on. What only follows from another one is a fact of
// that one. The scheduler's part:
// k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources (PreBind); the kubelet's:
// pkg/kubelet/cm/dra.

#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/diag/finding.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/running/repair.h"
#include "dra/engine/scheduler/pod_claims.h"
#include "dra/engine/scheduler/standing.h"

namespace dra::engine {

// What does not happen for that reason.
enum class Fails : std::uint8_t {
  Bind,     // the scheduler does not bring the pod to the node
  Prepare,  // the devices are not made ready, and no container starts
  Start,    // a container does not start
  Run,      // it runs, and what it runs on is not as it should be
};
std::string_view name_of(Fails fails);  // "bind"

struct AfterFinding {
  diag::Finding finding;  // of the claim, if it is about one
  std::int64_t devices = 0;
  std::vector<std::string> examples = {};  // of these, as driver/pool/device
  Fails fails = Fails::Prepare;
  std::string driver = {};
  std::string node = {};
  // What tells it from others of its code and driver, in words that name nobody who has it.
  std::string what = {};
  Repair repair = {};
  // Of a lost host: whatever else could serve the pod is held by pods of its own workload, which
  // do not go before it comes.
  bool held_by_own = false;
  // It would be so on some of the nodes that fit. On the others nothing is wrong.
  bool on_some_nodes = false;
};

// What is wrong, whoever has it and wherever: pods on a hundred nodes that a driver fails for one
// reason have one trouble.
struct Trouble {
  diag::Code code;
  Fails fails;
  std::string driver;
  std::string what;

  friend auto operator<=>(const Trouble&, const Trouble&) = default;
};
Trouble trouble_of(const AfterFinding& finding);

// "device gpu-0", "2 devices (gpu-0, gpu-1)".
std::string name_devices(const std::vector<std::string>& names);

// Whether a pod that has reserved the claim runs: then its devices were made ready once.
bool runs_with(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim);

// The decisive one first. Of a pod that has a node, or a subject whose claims are allocated; of
// others what would go wrong with the allocation that `nodes` foresee. Nothing of a pod that is
// done.
std::vector<AfterFinding> after_scheduling(const snapshot::Snapshot& snapshot,
                                           const Inventory& inventory, const Subject& subject,
                                           std::span<const NodeStanding> nodes);

}  // namespace dra::engine

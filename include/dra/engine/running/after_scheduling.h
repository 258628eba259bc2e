// include/dra/engine/running/after_scheduling.h
//
// Why a pod does not run although it has its devices. From there on the driver and the kubelet have
// to act, and no single object tells what goes wrong. Findings are assembled from the pod's events
// and conditions, the reservations and device conditions of its claims, the slices, the driver's
// pods on the node, and knowledge of the driver.
//
// A finding is a cause that a person can act on. A consequence of a cause is a fact of its finding.
// The scheduler's part: k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources
// (PreBind); the kubelet's: pkg/kubelet/cm/dra.

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
#include "dra/engine/scheduler/node_result.h"
#include "dra/engine/scheduler/pod_claims.h"

namespace dra::engine {

// The step that fails.
enum class Fails : std::uint8_t {
  Bind,     // the scheduler does not bind the pod to the node
  Prepare,  // the devices are not prepared, and no container starts
  Start,    // a container does not start
  Run,      // the pod runs, but its devices are not as they should be, or a container crashes
  End,      // the pod does not go away
};
std::string_view name_of(Fails fails);  // "bind"

struct AfterFinding {
  diag::Finding finding;  // of the claim, if it is about one
  std::int64_t devices = 0;
  std::vector<std::string> examples = {};  // of these, as driver/pool/device
  Fails fails = Fails::Prepare;
  std::string driver = {};
  std::string node = {};
  // What distinguishes it from other findings of its code and driver, without names of affected
  // objects.
  std::string what = {};
  // Replaces the title of the code, where that covers more than this case. Empty: it is not
  // replaced.
  std::string_view title = {};
  Repair repair = {};
  // For a lost host: all other chips that could serve the pod are held by pods of its own workload,
  // which do not end before it starts.
  bool held_by_own = false;
  // It would happen on some of the nodes that fit, not on all.
  bool on_some_nodes = false;
};

// The key of a finding without affected objects: pods on a hundred nodes that a driver fails for
// one reason have one trouble.
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

// Whether a pod that has reserved the claim runs, so that its devices were prepared once.
bool runs_with(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim);

// The decisive finding first. For a pod with a node, or a subject with allocated claims; for others
// what would go wrong with the allocations in `nodes`. Nothing for a pod that has ended.
std::vector<AfterFinding> after_scheduling(const snapshot::Snapshot& snapshot,
                                           const Inventory& inventory, const Subject& subject,
                                           std::span<const NodeResult> nodes);

}  // namespace dra::engine

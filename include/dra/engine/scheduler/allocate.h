// include/dra/engine/scheduler/allocate.h
//
// What the scheduler's allocator does with a subject's claims on one node: the devices it would
// pick, or why it finds none. The same pools, the same order, the same first solution and the same
// errors; beside them what the scheduler throws away, the reasons against every device.
//
// Upstream: k8s.io/dynamic-resource-allocation/structured, Allocator.Allocate. Which of its
// variants decides, and what it can, follows from the server's release and gates. The search goes
// back as upstream's does, over claims, requests, alternatives and combinations of devices; what it
// leaves out are choices that differ from one that failed only in which of several equal devices
// they take. Where upstream's search would not come to an end within its time, this one mostly
// does.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/base/quantity.h"
#include "dra/diag/reason.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/facts/features.h"
#include "dra/engine/scheduler/demands.h"
#include "dra/engine/scheduler/device_verdict.h"
#include "dra/engine/scheduler/pod_claims.h"

namespace dra::engine {

// One result of an allocation.
struct PickedDevice {
  const SubjectClaim* claim;
  std::string request;  // "req" or "req/sub"
  PoolDevice published;
  bool admin_access = false;
  bool share = false;  // of a device that allows several allocations
  std::vector<std::pair<std::string_view, base::Quantity>> consumed = {};  // by a share

  DeviceId id() const { return published.id(); }
};

enum class Ending : std::uint8_t {
  Fits,
  NoSolution,
  PoolError,  // no solution, and there is an invalid pool: only this node is rejected
  Fatal,      // an error for which the scheduler gives up on the whole pod
  Budget,     // not decided: the search was too long
  Unknown,    // something could not be read, or a claim is not there
};

struct NodeAllocation {
  Ending ending = Ending::Unknown;
  std::vector<PickedDevice> devices = {};  // where it fits, in the scheduler's order
  std::optional<diag::Reason> fatal = {};  // the error, or what was left out
  std::vector<diag::Reason> reasons = {};  // against devices, folded; only where it does not fit
  // Devices that each demand could have if it were alone, in the order of the demands; as far as
  // the allocator came before an error.
  std::vector<std::int64_t> usable = {};
};

// How much may be looked at for all nodes together: devices asked for in searches. About 20 ns
// each.
struct SearchBudget {
  std::int64_t all_nodes = 20'000'000;
  std::int64_t each_node = 4'000'000;
};

// How much is said of a node.
enum class Depth : std::uint8_t {
  Answer,    // only whether it fits, what is allocated, and whether the scheduler gives up there
  Reasons,   // and what is against it
  Evidence,  // with what stands behind that
};

struct AllocationInput;

class Allocator {
 public:
  // All must outlive this object; the inventory and the demands are of this snapshot and subject.
  Allocator(const snapshot::Snapshot& snapshot, const Inventory& inventory, const Demands& demands,
            const Subject& subject, Depth depth = Depth::Reasons);

  const Features& features() const { return features_; }

  // `pools` as seen from the node. Takes what it looks at from the budget.
  NodeAllocation allocate(const api::Node& node, const SeenPools& pools,
                          SearchBudget& budget) const;

  // The same of one device that the node sees: for each demand in their order whether it could be
  // among its devices, whatever the allocator prefers. As far as the demands are known; an error
  // that ends the allocator is against every device.
  std::vector<DeviceVerdict> verdicts(const api::Node& node, const SeenPools& pools,
                                      const DeviceId& device, SearchBudget& budget) const;

 private:
  AllocationInput input() const;

  const snapshot::Snapshot& snapshot_;
  const Inventory& inventory_;
  const Demands& demands_;
  const Subject& subject_;
  Features features_;
  int release_;
  AllocatorVariant variant_;
  Depth depth_;
};

}  // namespace dra::engine

// include/dra/engine/scheduler/allocate.h
//
// The scheduler's allocator for a subject's claims on one node: the devices that it would pick, or
// why it finds none. It has upstream's order, first solution and errors, and adds what the
// scheduler throws away: the reasons against every device.
//
// Upstream: k8s.io/dynamic-resource-allocation/structured, Allocator.Allocate. The server's release
// and gates decide which of its variants runs. The search backtracks as upstream's does, over
// claims, requests, alternatives and combinations of devices; it leaves out choices that differ
// from a failed one only in which of several equal devices they take. Where upstream's search runs
// out of time, this one mostly ends.

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
  bool share = false;  // the device allows several allocations
  std::vector<std::pair<std::string_view, base::Quantity>> consumed = {};  // by a share

  DeviceId id() const { return published.id(); }
};

enum class Ending : std::uint8_t {
  Fits,
  NoSolution,
  PoolError,  // no solution, and there is an invalid pool: only this node is rejected
  Fatal,      // an error: the scheduler gives up on the whole pod
  Budget,     // not decided: the search was too long
  Unknown,    // something could not be read, or a claim does not exist
};

struct NodeAllocation {
  Ending ending = Ending::Unknown;
  std::vector<PickedDevice> devices = {};  // if it fits, in the scheduler's order
  std::optional<diag::Reason> fatal = {};  // the error, or why the search was not finished
  std::vector<diag::Reason> reasons = {};  // against devices, folded; if it does not fit
  // The number of devices that each demand could get if it were alone, in the order of the demands,
  // up to the first error.
  std::vector<std::int64_t> usable = {};
};

// Limits for the number of devices that searches look at, about 20 ns each.
struct SearchBudget {
  std::int64_t all_nodes = 20'000'000;
  std::int64_t each_node = 4'000'000;
};

// How much is explained about a node.
enum class Depth : std::uint8_t {
  Answer,    // whether it fits, the allocation, whether the scheduler gives up
  Reasons,   // and the reasons against it
  Evidence,  // and the figures behind these
};

struct AllocationInput;

class Allocator {
 public:
  // All must outlive this object. The inventory and the demands belong to this snapshot and
  // subject.
  Allocator(const snapshot::Snapshot& snapshot, const Inventory& inventory, const Demands& demands,
            const Subject& subject, Depth depth = Depth::Reasons);

  const Features& features() const { return features_; }

  // `pools` as the node sees them. Devices that are looked at count against the budget.
  NodeAllocation allocate(const api::Node& node, const SeenPools& pools,
                          SearchBudget& budget) const;

  // The verdict on one device that the node sees, for each demand in their order: whether it could
  // be among the demand's devices, whichever ones the allocator prefers. Covers the demands before
  // an error; an error that ends the attempt is against every device.
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

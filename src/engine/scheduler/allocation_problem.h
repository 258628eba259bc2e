// src/engine/scheduler/allocation_problem.h
//
// The problem that the allocator solves on one node: the devices that the node sees, the demands of
// the claims in their order, and the judgement on each device for each demand before any is picked.
//
// Upstream: k8s.io/dynamic-resource-allocation/structured/internal/incubating and experimental:
// Allocate up to the search, validateDeviceRequest, isSelectable.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/facts/capacity.h"
#include "dra/engine/scheduler/allocate.h"
#include "src/engine/scheduler/constraint.h"
#include "src/engine/scheduler/derived_attribute.h"
#include "src/engine/scheduler/ledger.h"
#include "src/engine/scheduler/rules/rule.h"

namespace dra::engine {

// The input that is the same for every node.
struct AllocationInput {
  const snapshot::Snapshot& snapshot;
  const Inventory& inventory;
  const Demands& demands;
  const Subject& subject;
  const Features& features;
  int release;
  AllocatorVariant variant;
  Depth depth = Depth::Reasons;
  // Assembles the problem beyond the first error, for an explanation of everything else.
  bool past_errors = false;

  bool on(Gate gate) const { return features.on(gate); }
  // The variant tries combinations of devices. Until 1.35, and in the stable variant, permutations
  // are tried, in which one device may give two shares to one demand.
  bool tries_combinations() const { return release >= 36 && variant != AllocatorVariant::Stable; }
  bool is_experimental() const { return variant == AllocatorVariant::Experimental; }
  bool as_in_34() const { return features.pools_as_in_34(); }
  // Until 1.35 a device that is rejected for a taint, a constraint or its capacity keeps the
  // counters that it was about to take, and so does a share that is given back. Other quirks of
  // that time are named where they apply.
  bool as_before_36() const { return release <= 35; }
  bool knows_binding_and_capacity() const {
    return engine::knows_binding_and_capacity(variant, release);
  }
  bool binding_conditions() const {
    return on(Gate::DRADeviceBindingConditions) && on(Gate::DRAResourceClaimDeviceStatus);
  }
};

// A device that the allocator may try; they stand in its order.
struct SeenDevice {
  PoolDevice published;
  std::size_t pool;        // index
  std::size_t ledger = 0;  // index into ledgers, if it consumes counters
  bool for_node = true;    // false: its slice is for the node, the device is not
  bool held = false;       // as a whole
  bool shared = false;     // by shares
  bool shareable = false;  // allows several allocations
  bool paid = false;       // a share has paid for its counters
  CapacityUse used = {};   // by shares
  std::span<const DeviceTaintOf> taints = {};

  DeviceId id() const { return published.id(); }
  // Before any device is picked: another share of a device that is paid for costs nothing more.
  bool draws_counters(const AllocationInput& input) const {
    return !published.device->consumes.empty() && !(shareable && paid && !input.as_in_34());
  }
};

enum class Fault : std::uint8_t { None, Selector, Capacity };

// The judgement on a device for a demand, whatever else is picked.
struct Judgement {
  Rules against = {};
  Fault fault = Fault::None;  // an error if the search comes to the device
  std::int32_t draw = -1;     // index into draws; -1: it takes no capacity that others could want
  bool usable() const { return fault == Fault::None && against.none(); }
};

struct DemandHere {
  const SubjectClaim* subject_claim;
  std::size_t claim;  // among those to be allocated
  const api::DeviceDemand* demand;
  std::string name;                           // "req" or "req/sub"
  std::string_view request;                   // "req"
  std::int64_t count = 0;                     // of devices; for "all" the number of them
  std::vector<std::size_t> constraints = {};  // indices of its claim's constraints that concern it
  // For each of these what computes its attribute; nullptr: it is a published one.
  std::vector<DerivedAttribute*> derived = {};
  std::vector<Judgement> judged = {};  // by device
  std::vector<CapacityDraw> draws = {};
  std::vector<std::size_t> every = {};  // for "all": the devices
  // The search for its devices can end in an error.
  bool may_fail = false;

  // Its draw on a device's capacity; nullptr: none that others could want.
  const CapacityDraw* draw_for(std::size_t device) const {
    const std::int32_t draw = judged[device].draw;
    return draw < 0 ? nullptr : &draws[static_cast<std::size_t>(draw)];
  }
  bool all() const { return demand->all(); }
  bool admin() const { return demand->admin_access; }
};

struct RequestHere {
  std::size_t claim;
  bool first_of_claim;
  bool alternatives;
  std::vector<std::size_t> demands;  // indices; one, or the alternatives in order
};

struct ClaimHere {
  const SubjectClaim* claim;
  std::vector<ConstraintState> constraints = {};
  // By constraint and device: the attribute that it compares.
  std::vector<std::vector<const api::DeviceAttribute*>> attributes = {};
};

struct Problem {
  std::vector<SeenDevice> devices;
  std::vector<Ledger> ledgers;  // one for each pool with counters
  // Devices before which an invalid pool stands: the search ends there in an error.
  std::vector<std::size_t> barriers;
  std::vector<ClaimHere> claims;
  std::vector<RequestHere> requests;
  std::vector<DemandHere> demands;
  std::map<std::string_view, std::unique_ptr<DerivedAttribute>> derived;  // by expression
  bool invalid_pool = false;
  // Some demand takes a negative amount of a capacity, so "short" is only known during the search.
  bool negative_draws = false;
  // The error with which the attempt ends before the search.
  std::optional<diag::Reason> fatal = {};
  bool unknown = false;  // a claim or class could not be read
};

Problem problem_of(const AllocationInput& input, const api::Node& node, const SeenPools& pools);

}  // namespace dra::engine

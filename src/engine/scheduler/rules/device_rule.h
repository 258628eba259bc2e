// src/engine/scheduler/rules/device_rule.h
//
// What a rule against a device consists of: how it is judged, how its reason is worded, and which
// figures stand behind that. Each family of rules is one file in this folder, and defines a
// DeviceRule kNAME for each row of rules.def that belongs to it. A new rule is one such file and
// its row; what it reads of a device must be in node_signature.cpp, too, or nodes that differ get
// one result.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/diag/evidence.h"
#include "dra/diag/reason.h"
#include "src/engine/scheduler/allocation_problem.h"
#include "src/engine/scheduler/rules/rule.h"

namespace dra::engine {

// A device that is judged for a demand before any device is picked. What several rules ask for is
// computed once, when the first of them asks.
struct DeviceCheck {
  const AllocationInput& input;
  const api::Node& node;
  const Problem& problem;
  const DemandHere& demand;
  const api::DeviceDemand& chooser;  // whose selectors count: mostly the demand itself
  const SeenDevice& device;

  // What the selectors say of the device.
  Outcome outcome();
  // What the demand takes of the device's capacity. nullptr: nothing that others could want, or the
  // device is out anyway.
  const CapacityDraw* draw();
  // The error that ends the attempt when the search comes to the device.
  Fault fault() const;

  // Computed so far.
  std::optional<Outcome> known_outcome = {};
  bool drawn = false;
  std::optional<CapacityDraw> known_draw = {};
};

// The devices that a rule rejects for one demand.
struct Rejection {
  const AllocationInput& input;
  const Problem& problem;
  std::size_t demand;  // index
  Rule rule;
  std::span<const std::size_t> devices;  // indices, at least one

  const DemandHere& demanded() const { return problem.demands[demand]; }
  const SeenDevice& first() const { return problem.devices[devices.front()]; }
  std::string count() const;  // "3 devices"
};

struct DeviceRule {
  // Whether it rejects the device whatever else is picked. nullptr: only the search can tell.
  bool (*rejects)(DeviceCheck& check) = nullptr;
  // Nothing else is asked of a device that it rejects.
  bool ends = false;
  // A demand for all devices does not mean those that it rejects; others that it means and cannot
  // get are why it fails.
  bool outside_all = false;
  // The reason's message. nullptr where the node's own reasons say it (ReasonPlace::WithNode).
  std::string (*words)(const Rejection& rejection) = nullptr;
  // The figures behind it. nullptr: there are none.
  void (*evidence)(const Rejection& rejection, diag::Evidence& evidence) = nullptr;
};

namespace rules {
#define DRA_DEVICE_RULE(name, code, place) extern const DeviceRule k##name;
#include "src/engine/scheduler/rules/rules.def"
#undef DRA_DEVICE_RULE
}  // namespace rules

const DeviceRule& device_rule(Rule rule);
// Those whose reasons stand among the demand's, in the order in which they stand there.
std::span<const Rule> rules_in_order();
// Those that reject the device whatever else is picked.
Rules judge(DeviceCheck& check);
// Those whose devices a demand for all devices does not mean.
Rules rules_outside_all();

// --- capacity

// What the demand takes of the device's capacity; no value where it takes the whole device, which
// always suffices.
std::optional<CapacityDraw> draw_for(const AllocationInput& input, const DemandHere& demand,
                                     const SeenDevice& device);
// Before 1.37, steps beyond 64 bits make a negative amount, which adds to what is left for others.
bool takes_less_than_nothing(const CapacityDraw& draw);
// Whether the draw fits beside what shares hold and what picked devices take.
bool fits_beside(const CapacityDraw& draw, const CapacityUse& held, const CapacityUse& picked);
// A demand for all devices does not mean those that are too small for it.
bool is_too_small_for_all(const AllocationInput& input, const DemandHere& demand,
                          std::size_t device);

// --- constraints

Rule rule_of(Objection objection);
// A device without an attribute that a constraint needs is out whatever else is picked.
bool misses_attribute(const Problem& problem, const DemandHere& demand, std::size_t device);

// --- of one device, all that there is to say

// Which claims hold it, and for which pods.
diag::Reason in_use_reason(const AllocationInput& input, const DemandHere& demand,
                           const SeenDevice& device);
// Every selector that is false for it, not only the first.
void add_false_selectors(const AllocationInput& input, const DemandHere& demand,
                         const SeenDevice& device, std::vector<diag::Reason>& reasons);
// Every taint that is not tolerated.
void add_taints(const DemandHere& demand, const SeenDevice& device,
                std::vector<diag::Reason>& reasons);
// A reason about this device alone, still without a message.
diag::Reason reason_about(diag::Code code, const DemandHere& demand, const SeenDevice& device);

}  // namespace dra::engine

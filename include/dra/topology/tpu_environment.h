// include/dra/topology/tpu_environment.h
//
// The environment that the TPU driver sets in containers that hold a host's chips. It is not
// published. It is derived here from published attributes and node labels, as the open driver does
// (v0.2.0); variables that do not follow from these are left out, with a note. A driver that takes
// other facts from its flags or from the machine sets other values.
//
// A pod's own spec may set the same variables. Then the value depends on the container runtime: the
// driver's values are edits of the container (CDI), which containerd applies after the pod's own
// environment, while CRI-O applied them before it until 2025.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"

namespace dra::topology {

// The scope in which a variable has one value: everywhere, on all hosts of a slice, in all
// containers on a host, or for one device.
enum class VariableScope : std::uint8_t { Everywhere, Slice, Host, Device };

struct TpuVariable {
  std::string name;
  std::string value;
  VariableScope scope;
  std::string_view device = {};  // of scope Device
};
// The name of the variable for a device.
std::string device_variable(std::string_view device);

struct TpuEnvironment {
  std::string_view node;
  std::vector<TpuVariable> variables = {};  // empty if the driver refuses the claim
  std::string refused = {};                 // the reason of a refusal
  std::vector<std::string> notes = {};      // variables that are left out, and why
};

// No value: the claim has no TPUs.
std::optional<TpuEnvironment> tpu_environment(const snapshot::Snapshot& snapshot,
                                              const engine::Inventory& inventory,
                                              const api::ResourceClaim& claim);

// A variable of a container's spec that the driver also sets, or would set for one host.
struct TpuOverride {
  const api::Pod* pod;
  std::string_view container;
  std::string name;
  std::optional<std::string> value;   // no value: it is not in the spec
  std::string from = {};              // its source instead, if the spec names one: "a Secret"
  std::optional<std::string> driver;  // the driver's value; no value: it sets none

  // The value is known to be another one than the driver's.
  bool differs() const;
};

// For the pod's containers that get chips of the claim, in the order in which they run.
std::vector<TpuOverride> tpu_overrides(const TpuEnvironment& environment,
                                       const api::ResourceClaim& claim, const api::Pod& pod);

// The pods that have reserved the claim and exist.
std::vector<const api::Pod*> pods_with(const snapshot::Snapshot& snapshot,
                                       const api::ResourceClaim& claim);

}  // namespace dra::topology

// include/dra/topology/tpu_environment.h
//
// The environment that the TPU driver sets in the containers of whoever holds the chips of a host.
// Nobody publishes it. It is derived here from what the driver publishes and how nodes are
// labelled, as the open driver does (v0.2.0); what does not follow from that is left out, and a
// note says so. A driver that was given other facts by its flags or by the machine sets other
// values.
//
// A pod's own spec may set the same variables. Then it depends on the container runtime what the
// program sees: the driver's values are edits of the container (CDI), which containerd makes after
// the pod's own environment is in it, while CRI-O did so before it until 2025.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"

namespace dra::topology {

// Where a variable has one value: wherever the driver sets it, on all hosts of a slice, in all
// containers on a host, or for one device.
enum class VariableScope : std::uint8_t { Everywhere, Slice, Host, Device };

struct TpuVariable {
  std::string name;
  std::string value;
  VariableScope scope;
  std::string_view device = {};  // that it is for
};
// The name of the one for a device.
std::string device_variable(std::string_view device);

struct TpuEnvironment {
  std::string_view node;
  std::vector<TpuVariable> variables = {};  // none, if the driver refuses the claim
  std::string refused = {};                 // why it does
  std::vector<std::string> notes = {};      // what is not there, and why
};

// No value: the claim has no TPUs.
std::optional<TpuEnvironment> tpu_environment(const snapshot::Snapshot& snapshot,
                                              const engine::Inventory& inventory,
                                              const api::ResourceClaim& claim);

// A variable that a container has in its spec, and the driver sets, or would set for one host.
struct TpuOverride {
  const api::Pod* pod;
  std::string_view container;
  std::string name;
  std::optional<std::string> value;   // no value: it is not in the spec
  std::string from = {};              // where it comes from instead, if that is said: "a Secret"
  std::optional<std::string> driver;  // what the driver sets; no value: nothing

  // Whether it is known to be another value than the driver's.
  bool differs() const;
};

// Of the containers of the pod that get chips of the claim: by container, those first that run
// first.
std::vector<TpuOverride> tpu_overrides(const TpuEnvironment& environment,
                                       const api::ResourceClaim& claim, const api::Pod& pod);

// Pods that have reserved the claim, as far as they are there.
std::vector<const api::Pod*> pods_with(const snapshot::Snapshot& snapshot,
                                       const api::ResourceClaim& claim);

}  // namespace dra::topology

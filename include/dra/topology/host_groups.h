// include/dra/topology/host_groups.h
//
// Groups TPU hosts into slices. The driver does not publish it. A slice of several hosts is one
// node pool, in the newest generation also one `gke-tpu-slice`. Without either label, hosts of one
// accelerator and topology form a slice if their number is exactly that of a slice. All other hosts
// are groups of one.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/topology/shape.h"

namespace dra::topology {

// Facts about one host: published by the driver, else from labels of the node.
struct HostFacts {
  std::string_view name;           // of the node
  const api::Node* node;           // nullptr: there is no such object
  const engine::Pool* pool;        // nullptr: no chips are published for it
  std::string_view topology = {};  // of its slice; empty: not known
  std::string_view generation = {};
  std::string_view accelerator = {};  // as nodes are labelled: "tpu-v5p-slice"
  std::int64_t chips = 0;             // expected; 0: not known
};

// A node pool with this label has its chips served by the driver, not by a device plugin.
inline constexpr std::string_view kTpuDriverLabel = "cloud.google.com/gke-tpu-dra-driver";
// The driver, if the node has the label; else empty.
std::string_view driver_by_label(const api::Node& node);

// The facts about one node. Without a pool they are those of its labels.
HostFacts host_facts(const snapshot::Snapshot& snapshot, std::string_view node,
                     const engine::Pool* pool);

struct HostGroup {
  std::string_view driver;
  std::string_view name;         // of the node pool or the slice; of a single host its own
  std::optional<Shape> slice;    // of several hosts; no value: the shape is that of the chips
  std::vector<HostFacts> hosts;  // by name
  // The reason why a host that may be a part of a slice is a group of its own; else empty.
  std::string apart = {};
};

// By driver, then name. Needs slices; without nodes every host is a group of its own.
std::vector<HostGroup> host_groups(const snapshot::Snapshot& snapshot,
                                   const engine::Inventory& inventory);

}  // namespace dra::topology

// include/dra/topology/host_groups.h
//
// Which hosts of TPUs belong together. Nothing that is published tells: a slice of several hosts is
// one node pool, of the newest generation also one `gke-tpu-slice`; where neither label is there,
// hosts of one accelerator and topology are taken together if they are exactly as many as a slice
// has. Hosts of which that cannot be known stand alone.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/topology/shape.h"

namespace dra::topology {

// What the driver publishes counts, then what labels of the node say.
struct HostFacts {
  std::string_view name;           // of the node
  const api::Node* node;           // nullptr: there is no such object
  const engine::Pool* pool;        // nullptr: nobody publishes chips for it
  std::string_view topology = {};  // of the slice that it is in; empty: not known
  std::string_view generation = {};
  std::string_view accelerator = {};  // as nodes are labelled: "tpu-v5p-slice"
  std::int64_t chips = 0;             // that it should have; 0: not known
};

// By this label a node pool says that the driver serves its chips, and no device plugin.
inline constexpr std::string_view kTpuDriverLabel = "cloud.google.com/gke-tpu-dra-driver";
// The driver for which the node has it; empty: it has not.
std::string_view driver_by_label(const api::Node& node);

// Of one node; without a pool what its labels say.
HostFacts host_facts(const snapshot::Snapshot& snapshot, std::string_view node,
                     const engine::Pool* pool);

struct HostGroup {
  std::string_view driver;
  std::string_view name;         // of the node pool or the slice; of a host alone its own
  std::optional<Shape> slice;    // of several hosts; else the shape is that of the chips there are
  std::vector<HostFacts> hosts;  // by name
  // Why hosts that may be parts of a slice stand alone; empty if they do not.
  std::string apart = {};
};

// By driver, then name. Needs slices; without nodes every host stands alone.
std::vector<HostGroup> host_groups(const snapshot::Snapshot& snapshot,
                                   const engine::Inventory& inventory);

}  // namespace dra::topology

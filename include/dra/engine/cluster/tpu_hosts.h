// include/dra/engine/cluster/tpu_hosts.h
//
// Hosts of TPUs. Their driver publishes a pool for each host and hands out all chips of a host or
// none. A chip that fails vanishes from the pool, and a host that fails takes its pool along: what
// is missing shows only beside the number of chips that the host should have, and the number of
// hosts that the slice should have. A slice is a set of hosts whose chips are wired together; the
// labels of the nodes tell which hosts are one, as nothing that is published does.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"

namespace dra::engine {

// What the labels of a node say of its chips; empty, or 0, where they say nothing.
struct TpuLabels {
  std::string_view accelerator;  // "tpu-v5p-slice"
  std::string_view topology;     // of the slice: "2x2x4"
  std::string_view node_pool;    // of Google's cloud
  std::string_view slice;        // that the node is a host of; the newest generation has it
  std::int64_t chips = 0;        // of this host

  // What all hosts of one slice have in common: a slice may be of several node pools, or one of
  // several in a node pool, if the nodes say so.
  std::string_view slice_or_pool() const { return slice.empty() ? node_pool : slice; }
};
TpuLabels tpu_labels_of(const api::Node& node);

// The node that alone publishes the pool; empty: it is not a node's.
std::string_view host_of(const Pool& pool);
// Whether nobody holds any of its devices; who shares one, or has admin access, does not.
bool is_free(const Inventory& inventory, const Pool& pool);
// Of its first chip: an attribute of the driver's own, written with its domain or without; nullptr
// if there is none.
const api::DeviceAttribute* chip_attribute(const Pool& pool, std::string_view name);

struct TpuHost {
  std::string_view node;
  std::int64_t chips = 0;                 // that it should have
  std::int64_t published = 0;             // that its pool has
  std::vector<std::string> missing = {};  // names of the others, where chips are numbered

  bool degraded() const { return published < chips; }
};

// No value: the driver hands out single devices, or the pool is not a node's.
std::optional<TpuHost> tpu_host_of(const snapshot::Snapshot& snapshot, const Pool& pool);

struct LostHost {
  std::string_view node;
  bool ready = false;  // the kubelet there reports that all is well
};

struct TpuSlice {
  std::string_view name;      // its own, else of the node pool
  std::string_view topology;  // "2x2x4"
  std::int64_t hosts = 0;     // that it should have
  // Nodes whose chips nobody publishes, or nobody can get: the node is down, and they are free.
  std::vector<LostHost> lost = {};
  std::vector<TpuHost> degraded = {};  // hosts that have lost chips
  std::int64_t absent = 0;             // hosts of which there is not even a node
};

// The slices of several hosts that a driver's nodes belong to. Needs slices and nodes.
class TpuSlices {
 public:
  TpuSlices(const snapshot::Snapshot& snapshot, const Inventory& inventory,
            std::string_view driver);

  // Of the slice of a node, else of its node pool; empty if it has none.
  std::string_view name_of(std::string_view node) const;
  // No value: the node is not one of several hosts, or that is not known.
  std::optional<TpuSlice> of(std::string_view node) const;

 private:
  const snapshot::Snapshot& snapshot_;
  const Inventory& inventory_;
  std::string_view driver_;
  std::map<std::string_view, std::vector<const api::Node*>> nodes_;  // by slice
};

}  // namespace dra::engine

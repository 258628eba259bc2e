// include/dra/engine/cluster/tpu_hosts.h
//
// Hosts of TPUs. Their driver publishes a pool for each host and hands out all chips of a host or
// none. A failed chip vanishes from its pool, and a failed host's pool vanishes: what is missing
// shows only by comparison with the number of chips that the host should have, and of hosts that
// the slice should have. A slice is a set of hosts whose chips are wired together; only labels of
// the nodes say which hosts belong to one.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"

namespace dra::engine {

// The labels of a node about its chips; empty or 0 without a label.
struct TpuLabels {
  std::string_view accelerator;  // "tpu-v5p-slice"
  std::string_view topology;     // the slice's: "2x2x4"
  std::string_view node_pool;    // GKE's
  std::string_view slice;        // the node's slice; only the newest generation has the label
  std::int64_t chips = 0;        // on this host

  // The same for all hosts of one slice. With the label of a slice, a slice may span node pools,
  // and a node pool may hold several slices.
  std::string_view slice_or_pool() const { return slice.empty() ? node_pool : slice; }
};
TpuLabels tpu_labels_of(const api::Node& node);

// The node that the pool belongs to; empty: it belongs to no single node.
std::string_view host_of(const Pool& pool);
// Whether no claim holds a device of the pool as a whole; shares and admin access do not count.
bool is_free(const Inventory& inventory, const Pool& pool);
// An attribute of the pool's first chip, of the driver itself, written with its domain or without;
// nullptr if there is none.
const api::DeviceAttribute* chip_attribute(const Pool& pool, std::string_view name);

struct TpuHost {
  std::string_view node;
  std::int64_t chips = 0;                 // expected
  std::int64_t published = 0;             // in its pool
  std::vector<std::string> missing = {};  // names of missing chips, if chips are numbered

  bool degraded() const { return published < chips; }
};

// No value: the driver hands out single devices, or the pool belongs to no single node.
std::optional<TpuHost> tpu_host_of(const snapshot::Snapshot& snapshot, const Pool& pool);

struct LostHost {
  std::string_view node;
  bool ready = false;  // as its kubelet reports
};

struct TpuSlice {
  std::string_view name;      // of the slice, else of the node pool
  std::string_view topology;  // "2x2x4"
  std::int64_t hosts = 0;     // expected
  // Nodes without published chips, and nodes that are down with free chips, which no pod can get.
  std::vector<LostHost> lost = {};
  std::vector<TpuHost> degraded = {};  // hosts with missing chips
  std::int64_t absent = 0;             // expected hosts without a node
};

// The multi-host slices of a driver's nodes. Needs slices and nodes.
class TpuSlices {
 public:
  TpuSlices(const snapshot::Snapshot& snapshot, const Inventory& inventory,
            std::string_view driver);

  // The name of a node's slice, else of its node pool; empty if it has neither.
  std::string_view name_of(std::string_view node) const;
  // No value: the node's slice has one host, or that is not known.
  std::optional<TpuSlice> of(std::string_view node) const;

 private:
  const snapshot::Snapshot& snapshot_;
  const Inventory& inventory_;
  std::string_view driver_;
  std::map<std::string_view, std::vector<const api::Node*>> nodes_;  // by slice
};

// Those of each driver that hands out hosts; and the slice of a node among them, as
// TpuSlices::of().
std::vector<TpuSlices> all_tpu_slices(const snapshot::Snapshot& snapshot,
                                      const Inventory& inventory);
std::optional<TpuSlice> slice_of(std::span<const TpuSlices> all, std::string_view node);

}  // namespace dra::engine

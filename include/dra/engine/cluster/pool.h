// include/dra/engine/cluster/pool.h
//
// A pool is the set of devices that one driver publishes under one name, assembled from its slices.
//
// Slices arrive one by one; each carries the pool's generation and the number of slices in that
// generation. Until all have arrived the scheduler treats the pool as incomplete, not as small, and
// so do we: a pool never silently loses devices. Devices of older generations are stale and never
// count.
//
// Upstream: k8s.io/dynamic-resource-allocation/structured/internal/incubating, GatherPools.

#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/api/slice.h"
#include "dra/base/result.h"
#include "dra/engine/cluster/usage.h"
#include "dra/engine/facts/features.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

enum class PoolState {
  Complete,
  Incomplete,  // the newest generation has fewer or more slices than they say
  Invalid,     // a duplicate device or counter set, or a counter that no set defines
};
std::string_view name_of(PoolState state);

struct PoolDevice {
  const api::ResourceSlice* slice;
  const api::Device* device;

  DeviceId id() const { return {slice->spec.driver, slice->spec.pool.name, device->name}; }
};

// A view of items elsewhere, or a list of its own.
template <class T>
class Items {
 public:
  Items() = default;
  Items(std::initializer_list<T> own) : own_(own) {}
  explicit Items(std::span<const T> elsewhere) : elsewhere_(elsewhere) {}

  // Only if it has a list of its own.
  void add(const T& item) { own_.push_back(item); }
  void add(std::span<const T> items) { own_.insert(own_.end(), items.begin(), items.end()); }
  void clear() { own_.clear(); }

  std::span<const T> all() const { return own_.empty() ? elsewhere_ : std::span<const T>(own_); }
  const T* begin() const { return all().data(); }
  const T* end() const { return all().data() + all().size(); }
  std::size_t size() const { return all().size(); }
  bool empty() const { return all().empty(); }
  const T& front() const { return all().front(); }
  const T& operator[](std::size_t index) const { return all()[index]; }

 private:
  std::vector<T> own_;
  std::span<const T> elsewhere_;
};

struct Pool {
  std::string_view driver;
  std::string_view name;
  std::int64_t generation = 0;
  PoolState state = PoolState::Complete;
  // Some device of its slices has binding conditions, even if it is for other nodes.
  bool binding_conditions = false;
  std::string problem;  // why it is invalid, in upstream's words
  std::int64_t slices_expected = 0;
  std::int64_t slices_seen = 0;             // of this generation, in the whole cluster
  Items<const api::ResourceSlice*> slices;  // of this generation, by name; for a node: its own
  // For a complete pool as a node sees it: the slices of this generation for other nodes, by name.
  // Empty if the node's own slices were as many as expected: then no others are looked at.
  std::vector<const api::ResourceSlice*> elsewhere;
  Items<PoolDevice> devices;  // in the scheduler's order
};

// The pools that one node sees, in the scheduler's order. Most look the same from every node: these
// are not copied, so the Pools must outlive it.
class SeenPools {
 public:
  SeenPools() = default;
  SeenPools(SeenPools&&) = default;
  SeenPools& operator=(SeenPools&&) = default;

  void add(const Pool& pool) { pools_.push_back(&pool); }
  void add(Pool&& pool) {
    own_.push_back(std::make_unique<Pool>(std::move(pool)));
    add(std::as_const(*own_.back()));
  }
  template <class F>
  void put_last(F is_last) {
    std::stable_partition(pools_.begin(), pools_.end(),
                          [&](const Pool* pool) { return !is_last(*pool); });
  }

  std::size_t size() const { return pools_.size(); }
  bool empty() const { return pools_.empty(); }
  const Pool& operator[](std::size_t index) const { return *pools_[index]; }
  // Iterates over pools.
  class Iterator {
   public:
    explicit Iterator(const Pool* const* at) : at_(at) {}
    const Pool& operator*() const { return **at_; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    const Pool* const* at_;
  };
  Iterator begin() const { return Iterator(pools_.data()); }
  Iterator end() const { return Iterator(pools_.data() + pools_.size()); }

 private:
  std::vector<const Pool*> pools_;
  std::vector<std::unique_ptr<Pool>> own_;
};

// All pools of a snapshot, as a whole and as one node sees them.
class Pools {
 public:
  Pools(const snapshot::Snapshot& snapshot, const Features& features,
        const Overrides& overrides = {});
  // Whether the allocator sees none of the slice's devices.
  bool hides(const api::ResourceSlice& slice) const;
  Pools(const Pools&) = delete;  // the pools point into it
  Pools& operator=(const Pools&) = delete;

  // The newest generation of each pool, for whichever nodes; sorted by driver, then name.
  const std::vector<Pool>& whole() const { return whole_; }

  // The pools that a node sees, in the scheduler's order: by driver and name, pools with binding
  // conditions last. An incomplete pool has the devices that the node would see. An error where the
  // scheduler fails: a node selector that cannot be read.
  Result<SeenPools> seen_from(const api::Node& node) const;

  // The slice is of an older generation, and ignored.
  bool is_stale(const api::ResourceSlice& slice) const;

 private:
  struct Group {  // all slices of one pool, of all generations, by name
    std::string_view driver;
    std::string_view name;
    std::span<const api::ResourceSlice* const> slices;
    std::int64_t newest = 0;
    bool beyond_one_node = false;  // some slice names no node
    // A node sees all of it or nothing: there is one generation, for one node.
    bool undivided = false;
  };
  struct NodeGroup {  // a group with slices that name a node
    std::string_view node;
    std::size_t group;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy takes the comparison with 0 for a pointer's
    friend auto operator<=>(const NodeGroup&, const NodeGroup&) = default;
  };

  void group_slices(const snapshot::Snapshot& snapshot);
  void look_at(std::size_t group);
  void put_together(const Group& group);
  void sort_by_node();
  std::span<const NodeGroup> naming(const api::Node& node) const;
  std::span<const NodeGroup> look_up(std::string_view node) const;
  std::vector<std::size_t> candidates(const api::Node& node) const;
  Result<std::optional<Pool>> seen(const Group& group, const api::Node& node) const;
  bool counts(const api::ResourceSlice& slice) const;
  bool ignored(const api::ResourceSlice& slice) const;
  void complete(Pool& pool, const Group& group) const;

  const Features features_;
  const Overrides overrides_;
  std::span<const api::Node> nodes_;               // of the snapshot
  std::vector<const api::ResourceSlice*> slices_;  // by group
  std::vector<PoolDevice> devices_;                // of pools as a whole
  std::vector<Group> groups_;                      // by driver, then name
  std::vector<std::size_t> group_of_;              // by the pool's number
  std::vector<Pool> whole_;                        // of each group
  std::vector<std::size_t> beyond_one_node_;       // groups, in their order
  std::vector<NodeGroup> by_node_;                 // sorted
  // Where the groups of the node begin that comes after the last one asked about: nodes are asked
  // about in their order.
  mutable std::size_t next_node_ = 0;
  // What names each of `nodes_`, once it was asked about. Empty: none was.
  mutable std::vector<std::optional<std::span<const NodeGroup>>> found_;
};

// Whether some device of the slice has them.
bool has_binding_conditions(const api::ResourceSlice& slice);

// Where the devices of a slice can be used, in short: a node's name, "all nodes", a selector.
std::string describe_nodes(const api::ResourceSlice& slice);

// The nodes that each publish a whole pool under this one name, sorted; fewer than two: none do.
// The scheduler counts slices for each node, so each finds the pool complete; but devices are told
// apart by driver, pool and name alone, so one that is held on a node counts as held on all.
std::vector<std::string_view> nodes_sharing_name(const Pool& pool);

// The only node that can use the device; empty if several or none can.
std::string_view only_node_of(const PoolDevice& device);

// Whether the allocator takes only the counters of the slice and none of its devices: since 1.35
// they belong into slices of their own, and one from before may still be there. Upstream:
// k8s.io/dynamic-resource-allocation/structured, buildPool.
bool hides_devices(const api::ResourceSlice& slice, const Features& features);

// Whether the node can use the device, by its slice or by the device itself. An error for a node
// selector that cannot be read.
Result<bool> is_for(const PoolDevice& device, const api::Node& node);

}  // namespace dra::engine

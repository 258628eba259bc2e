// include/dra/engine/cluster/counters.h
//
// The counters that devices of a pool share, and what is left of them.
//
// Partitions of one accelerator are devices of their own. Each takes its part of counters (engines,
// slices of memory) while it is allocated, so a free device cannot be allocated if its part is used
// up by others. A share counts as the whole device, admin access does not count.
//
// Upstream: k8s.io/dynamic-resource-allocation/structured, checkAvailableCounters. There a counter
// that is overdrawn stops every device that consumes counters of the pool, even of another set.

#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "dra/api/slice.h"
#include "dra/base/quantity.h"
#include "dra/engine/cluster/pool.h"
#include "dra/engine/cluster/usage.h"

namespace dra::engine {

struct CounterState {
  std::string_view set;
  std::string_view name;
  base::Quantity total;
  base::Quantity used;
  base::Quantity left;                      // negative when overdrawn
  std::vector<const PoolDevice*> consumers  // allocated devices that take some of it
      = {};
};

// The pool and its devices must outlive it.
class Counters {
 public:
  // `pool` as a whole, not as one node sees it.
  Counters(const Pool& pool, const Usage& usage);

  // By counter set and then counter, in the order in which slices list them.
  const std::vector<CounterState>& all() const { return states_; }

  std::vector<const CounterState*> of(std::string_view set) const;  // in the same order

  // The counters that have too little left for a device that is not allocated; empty: it can be.
  std::vector<const CounterState*> short_for(const api::Device& device) const;

 private:
  void consume(const PoolDevice& device);
  // The counters of the sets that the device draws on, each once: a pool may have thousands of
  // sets.
  std::vector<std::size_t> drawn_on(const api::Device& device) const;

  std::vector<CounterState> states_;
  std::map<std::string_view, std::vector<std::size_t>> of_set_;  // of states_
  std::vector<std::size_t> overdrawn_;                           // the same
};

// The amount of a counter that a device takes when it is allocated; zero without an entry for it.
// An unreadable amount counts as everything.
base::Quantity demand_of(const api::Device& device, const CounterState& counter);

}  // namespace dra::engine

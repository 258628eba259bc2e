// include/dra/engine/cluster/counter_headroom.h
//
// The counters of pools. Those of a pool are summed at the first question about it. Whether they
// block a device is its state, see inventory.h.

#pragma once

#include <cstddef>
#include <map>

#include "dra/engine/cluster/counters.h"
#include "dra/engine/cluster/inventory.h"

namespace dra::engine {

class CounterHeadroom {
 public:
  // The inventory must outlive it.
  explicit CounterHeadroom(const Inventory& inventory) : inventory_(inventory) {}

  // Of a pool, by its index in Inventory::pools().
  const Counters& counters_of(std::size_t pool) {
    return pools_.try_emplace(pool, inventory_.pools()[pool], inventory_.usage()).first->second;
  }

 private:
  const Inventory& inventory_;
  std::map<std::size_t, Counters> pools_;
};

}  // namespace dra::engine

// src/report/shared_amounts.h
//
// What devices share, added up over many: capacity of devices that allow several allocations, and
// counters of pools.

#pragma once

#include <string_view>
#include <vector>

#include "dra/engine/counters.h"
#include "dra/report/top.h"

namespace dra::report {

class SharedAmounts {
 public:
  // Of a device that allows several allocations; nothing of others.
  void add(const engine::InventoryDevice& device);
  // Of all counters of a pool.
  void add(const engine::Pool& pool, const engine::Counters& counters);

  // Capacities first, then by name.
  std::vector<SharedAmount> take();

 private:
  SharedAmount& at(std::string name, bool counter);

  std::vector<SharedAmount> amounts_;
};

}  // namespace dra::report

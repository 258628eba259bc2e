// src/report/top/shared_amounts.h
//
// What devices share, added up over many: capacity of devices that allow several allocations, and
// counters of pools.

#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/counters.h"
#include "dra/report/top/top.h"

namespace dra::report {

class SharedAmounts {
 public:
  // Of a device that allows several allocations; nothing of others.
  void add(const engine::InventoryDevice& device);
  // Of the counters of a pool; with `sets` of these counter sets only.
  void add(const engine::Pool& pool, const engine::Counters& counters,
           const std::set<std::string_view>* sets = nullptr);

  // Capacities first, then by name. Unless it is known who holds what, nothing is said to be used
  // or left.
  std::vector<SharedAmount> take(bool known);

 private:
  SharedAmount& at(std::string name, bool counter);

  std::vector<SharedAmount> amounts_;
};

}  // namespace dra::report

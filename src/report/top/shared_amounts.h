// src/report/top/shared_amounts.h
//
// Adds up shared amounts: capacity of devices that allow several allocations, and counters of
// pools.

#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/counters.h"
#include "dra/report/top/top.h"

namespace dra::report {

class SharedAmounts {
 public:
  // Adds the capacity of a device that allows several allocations; other devices are ignored.
  void add(const engine::InventoryDevice& device);
  // Adds the counters of a pool, or of these counter sets only.
  void add(const engine::Pool& pool, const engine::Counters& counters,
           const std::set<std::string_view>* sets = nullptr);

  // Capacities first, then by name. Without `known` (claims could not be read) nothing is used or
  // left.
  std::vector<SharedAmount> take(bool known);

 private:
  SharedAmount& at(std::string name, bool counter);

  std::vector<SharedAmount> amounts_;
};

}  // namespace dra::report

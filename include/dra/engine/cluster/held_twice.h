// include/dra/engine/cluster/held_twice.h
//
// Devices that are one piece of hardware under two names, and that two claims hold: a partition and
// its whole, one card as a normal device and for virtual machines, or counters that are overdrawn.
// The scheduler knows devices by their names and counters only. It gives both out where a driver
// does not let them share counters, or by a bug of its own (known_bugs.h).

#pragma once

#include <string>
#include <vector>

#include "dra/engine/cluster/inventory.h"

namespace dra::engine {

struct HeldTwice {
  const Holding* one;
  const Holding* other;
  std::string why;        // "both have pciBusID 0000:41:00.0"
  bool counters = false;  // by counters, and not by what their attributes say
};

// Each pair once; of overdrawn counters one pair for each counter set.
std::vector<HeldTwice> held_twice(const Inventory& inventory);

}  // namespace dra::engine

// include/dra/topology/accelerators.h
//
// Accelerators as people count them. A driver publishes each possible partition of an accelerator
// as a device, and often the whole of it as one more: all devices that draw on one counter set are
// one accelerator. A device that shares no counters is an accelerator of its own.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"

namespace dra::topology {

struct Accelerator {
  // Of the vocabulary of devices: in use if no claim can get any of it, shared if its
  // partitions are taken in part and claims can get another.
  engine::DeviceState state = engine::DeviceState::Free;
  std::string model = {};               // "H100 80GB HBM3"; empty: not published
  bool partitioned = false;             // its devices share counters
  std::int64_t slots = 0;               // 0: it has none
  std::int64_t slots_used = 0;          // of these; at least, if claims could not be read
  std::string_view slot_name = {};      // "memory-slice"
  double used = 0;                      // the part that is taken, from 0 to 1
  std::vector<std::size_t> parts = {};  // of Inventory::devices()
};

struct Accelerators {
  std::vector<Accelerator> all;
  // By device of Inventory::devices(): indices of `all`. A device that draws on several counter
  // sets is a part of several accelerators.
  std::vector<std::vector<std::size_t>> of_device;
};

Accelerators accelerators_of(const engine::Inventory& inventory);

// The accelerator's state for claims that can choose among these of its devices only: blocked if
// others have what they need.
engine::DeviceState state_for(const engine::Inventory& inventory, const Accelerator& accelerator,
                              std::span<const std::size_t> devices);

}  // namespace dra::topology

// include/dra/engine/selectors/device_counts.h
//
// How many devices of a choice (a driver, a node, a class, the cluster) are in which state. Each
// device counts once: the five kinds add up to `devices`.

#pragma once

#include <cstdint>
#include <optional>

#include "dra/engine/cluster/inventory.h"
#include "dra/engine/selectors/selection.h"

namespace dra::engine {

struct DeviceCounts {
  std::int64_t devices = 0;
  std::int64_t allocated = 0;  // wholly or in part, whatever else is true of them
  std::int64_t free = 0;
  std::int64_t tainted = 0;   // and not allocated
  std::int64_t unusable = 0;  // and not allocated: in incomplete or invalid pools
  std::int64_t unknown = 0;   // who holds them, or what taints them, could not be read

  void add(const InventoryDevice& device);
  // No value where a number would claim more than was seen.
  std::optional<std::int64_t> known_free() const;
  std::optional<std::int64_t> known_allocated(const snapshot::Coverage& coverage) const;
};

// Of the devices of the inventory that the selection chooses, which is over all of them.
DeviceCounts count_devices(const Selection& selection, const Inventory& inventory);

// Of the same devices those that a claim may still have, as far as that is said in short.
struct FreeDevices {
  std::int64_t free = 0;
  std::int64_t without_room = 0;  // of these: too little is left of a counter to have them now
  std::int64_t shared = 0;        // held in part, with room for more
};
// No value where who holds them could not be read.
std::optional<FreeDevices> free_of(const Selection& selection, const Inventory& inventory);

}  // namespace dra::engine

// include/dra/engine/selectors/device_counts.h
//
// Counts the devices of a choice (a driver, a node, a class, the cluster) by state. Each device
// counts once: the five counts add up to `devices`.

#pragma once

#include <cstdint>
#include <optional>

#include "dra/engine/cluster/inventory.h"
#include "dra/engine/selectors/selection.h"

namespace dra::engine {

struct DeviceCounts {
  std::int64_t devices = 0;
  std::int64_t allocated = 0;  // as a whole or in part; also if tainted or unusable
  std::int64_t free = 0;
  std::int64_t tainted = 0;   // and not allocated
  std::int64_t unusable = 0;  // and not allocated: in incomplete or invalid pools
  std::int64_t unknown = 0;   // claims or taints could not be read

  void add(const InventoryDevice& device);
  // No value if the number would claim more than was visible.
  std::optional<std::int64_t> known_free() const;
  std::optional<std::int64_t> known_allocated(const snapshot::Coverage& coverage) const;
};

// The devices that the selection chooses. It covers the whole inventory.
DeviceCounts count_devices(const Selection& selection, const Inventory& inventory);

// The same devices from a claim's point of view: which it could still get, in short.
struct FreeDevices {
  std::int64_t free = 0;
  std::int64_t without_room = 0;  // of these: a shared counter has too little left
  std::int64_t shared = 0;        // held in part, with shares left
};
// No value if claims could not be read.
std::optional<FreeDevices> free_of(const Selection& selection, const Inventory& inventory);

}  // namespace dra::engine

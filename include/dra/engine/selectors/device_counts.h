// include/dra/engine/selectors/device_counts.h
//
// Counts the devices of a choice (a driver, a node, a class, the cluster) by their states. Each
// published device counts once: allocated, free, blocked, tainted, unusable and unknown add up to
// `devices`.

#pragma once

#include <cstdint>
#include <optional>

#include "dra/engine/cluster/inventory.h"
#include "dra/engine/selectors/selection.h"

namespace dra::engine {

struct DeviceCounts {
  std::int64_t devices = 0;
  std::int64_t allocated = 0;  // wholly or in part: in use, or shared
  std::int64_t shared = 0;     // of the allocated: in part, and claims can get more
  std::int64_t free = 0;       // that one claim could get now
  std::int64_t blocked = 0;
  std::int64_t tainted = 0;
  std::int64_t tainted_held = 0;  // of the allocated: has a taint, too
  std::int64_t unusable = 0;
  std::int64_t unknown = 0;  // claims or taints could not be read
  std::int64_t missing = 0;  // not published, so not among `devices`

  void add(DeviceState state);
  void add(const InventoryDevice& device);
  std::int64_t in_use() const { return allocated - shared; }
  // No value if the number would claim more than was visible.
  std::optional<std::int64_t> known_free() const;
  std::optional<std::int64_t> known_allocated(const snapshot::Coverage& coverage) const;
};

// The devices that the selection chooses. It covers the whole inventory.
DeviceCounts count_devices(const Selection& selection, const Inventory& inventory);

// The same devices from a claim's point of view: which it could still get, in short.
struct FreeDevices {
  std::int64_t free = 0;
  std::int64_t blocked = 0;
  std::int64_t shared = 0;  // held in part, with shares left
};
// No value if claims could not be read.
std::optional<FreeDevices> free_of(const Selection& selection, const Inventory& inventory);

}  // namespace dra::engine

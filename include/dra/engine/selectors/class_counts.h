// include/dra/engine/selectors/class_counts.h: how many devices each class matches.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/missing_device.h"
#include "dra/engine/selectors/device_counts.h"
#include "dra/engine/selectors/selection.h"

namespace dra::engine {

struct ClassCounts {
  const api::DeviceClass* device_class;
  bool compiles = true;                      // false: one of its selectors does not compile
  std::optional<std::int64_t> devices = {};  // that all its selectors match, in any state
  std::optional<std::int64_t> free = {};
  DeviceCounts states = {};  // of these devices; nothing without a value for `devices`
  std::int64_t failed = 0;  // devices for which a selector fails: the scheduler gives up on the pod
};

// In the order of `classes`. A class without selectors matches every device. There are no numbers
// if slices could not be read or a selector does not compile.
std::vector<ClassCounts> count_classes(const snapshot::Snapshot& snapshot,
                                       const Inventory& inventory,
                                       std::span<const api::DeviceClass* const> classes,
                                       std::span<const MissingDevice> missing = {});

// Whether the class would choose a missing device: a published one like it is chosen, or without
// such a claim holds it through the class.
bool would_choose(const Selection& selection, const api::DeviceClass& device_class,
                  const MissingDevice& device);

}  // namespace dra::engine

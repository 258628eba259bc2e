// include/dra/engine/selectors/driver_summary.h
//
// The pools, devices, classes and nodes of each driver. The API has no object for a driver: it is a
// name in slices, allocations and classes.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/missing_device.h"
#include "dra/engine/selectors/device_counts.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// The drivers that one of the class's selectors compares `device.driver` with, sorted. The text is
// searched, not evaluated, so the result is Heuristic.
std::vector<std::string_view> drivers_named_by(const api::DeviceClass& device_class);

// Names point into the snapshot.
struct DriverSummary {
  std::string_view name;
  bool slices_known = true;                              // false: slices could not be read
  std::optional<std::vector<std::string_view>> classes;  // that name it
  std::optional<std::int64_t> nodes;                     // that can use one of its devices
  std::optional<std::int64_t> nodes_total;  // in the cluster; none without Node objects
  std::int64_t pools = 0;
  std::int64_t incomplete = 0;  // of the pools
  std::int64_t invalid = 0;
  std::int64_t stale = 0;  // pools that still have slices of older generations
  DeviceCounts devices;
  std::int64_t free_partitions = 0;             // free devices that share counters with others
  std::vector<std::string_view> nodes_missing;  // nodes without devices, unlike their node pool
  std::optional<std::int64_t> allocated;
  std::optional<std::int64_t> free;
};

// Sorted by name.
std::vector<DriverSummary> summarize_drivers(const snapshot::Snapshot& snapshot,
                                             const Inventory& inventory,
                                             std::span<const MissingDevice> missing = {});

}  // namespace dra::engine

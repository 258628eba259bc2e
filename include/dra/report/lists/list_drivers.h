// include/dra/report/lists/list_drivers.h
//
// `kubectl dra drivers`: the pools and devices of each driver, and its status. The API has no
// object for a driver: it is a name in slices, allocations and classes.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/selectors/device_counts.h"
#include "dra/report/lists/list.h"

namespace dra::report {

// The drivers that one of the class's selectors compares `device.driver` with, sorted. The text is
// searched, not evaluated, so the result is Heuristic.
std::vector<std::string_view> drivers_named_by(const api::DeviceClass& device_class);

struct DriverRow {
  std::string_view name;
  bool slices_known = true;                              // false: slices could not be read
  std::optional<std::vector<std::string_view>> classes;  // that name it
  std::optional<std::int64_t> nodes;                     // that can use one of its devices
  std::optional<std::int64_t> nodes_total;  // in the cluster; none without Node objects
  std::int64_t pools = 0;
  std::int64_t incomplete = 0;  // of the pools
  std::int64_t invalid = 0;
  std::int64_t stale = 0;  // pools that still have slices of older generations
  engine::DeviceCounts devices;
  std::int64_t free_partitions = 0;             // free devices that share counters with others
  std::int64_t free_without_room = 0;           // of these: a shared counter does not suffice
  std::vector<std::string_view> nodes_missing;  // nodes without devices, unlike their node pool
  std::optional<std::int64_t> allocated;
  std::optional<std::int64_t> free;

  std::string nodes_text() const;  // "2/5": nodes of nodes_total; "<unknown>"
  std::string status() const;      // "OK", "1 pool incomplete, 1 pool with stale slices"
};

// Sorted by name.
std::vector<DriverRow> driver_rows(const snapshot::Snapshot& snapshot,
                                   const engine::Inventory& inventory);
json::Value to_json(const DriverRow& row);
json::Value driver_schema();
json::Value drivers_json(std::span<const DriverRow> rows);
json::Value driver_list_schema();
view::Document drivers_view(std::span<const DriverRow> rows);

}  // namespace dra::report

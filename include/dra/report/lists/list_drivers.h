// include/dra/report/lists/list_drivers.h
//
// `kubectl dra drivers`: what each driver publishes, where, and whether something is wrong with it.
// The API has no object for a driver: it is a name that slices, allocations and classes mention.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/selectors/tally.h"
#include "dra/report/lists/list.h"

namespace dra::report {

// The drivers that a class chooses by name: those that one of its selectors compares
// `device.driver` with. A reading of the text, not of its meaning: Heuristic. Sorted, each once.
std::vector<std::string_view> drivers_named_by(const api::DeviceClass& device_class);

struct DriverRow {
  std::string_view name;
  bool slices_known = true;                              // false: nothing is known of its devices
  std::optional<std::vector<std::string_view>> classes;  // that name it
  std::optional<std::int64_t> nodes;                     // that can use a device of it
  std::optional<std::int64_t> nodes_total;  // in the cluster; none where there are no Node objects
  std::int64_t pools = 0;
  std::int64_t incomplete = 0;  // of the pools
  std::int64_t invalid = 0;
  std::int64_t stale = 0;  // pools of which slices of older generations are still there
  engine::Tally devices;
  std::int64_t free_partitions = 0;    // free devices that share counters with others
  std::int64_t free_without_room = 0;  // of these: too little is left of a counter to have it now
  std::vector<std::string_view> nodes_missing;  // without devices, unlike their node pool
  std::optional<std::int64_t> allocated;
  std::optional<std::int64_t> free;

  std::string nodes_text() const;  // "2/5": that can use it, of all; "<unknown>"
  std::string status() const;      // "OK", "1 pool incomplete, 1 pool with stale slices"
};

// By name. `inventory` is of the snapshot.
std::vector<DriverRow> driver_rows(const snapshot::Snapshot& snapshot,
                                   const engine::Inventory& inventory);
json::Value to_json(const DriverRow& row);
json::Value driver_schema();
json::Value drivers_json(std::span<const DriverRow> rows);
json::Value driver_list_schema();
view::Document drivers_view(std::span<const DriverRow> rows);

}  // namespace dra::report

// src/report/describe/describe_devices.h
//
// Many devices on one screen, for descriptions of slices, pools and nodes: how they stand, who has
// them, what they have in common and in what they differ; and what they share: counters, taints.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/counters.h"
#include "dra/report/describe/describe_parts.h"
#include "dra/report/phrases/device_words.h"

namespace dra::report {

using Devices = std::vector<const engine::InventoryDevice*>;

// Those that count: a stale slice has none.
Devices devices_of(const engine::Inventory& inventory, const api::ResourceSlice& slice);
Devices devices_of(const engine::Inventory& inventory, const engine::Pool& pool);

// How a device stands. Beyond the states of the inventory: a device that nobody holds and whose
// part of shared counters is not left cannot be had.
inline constexpr std::string_view kCountersShort = "counters short";

// How the devices of a scene stand, with the counters of each pool computed once.
class DeviceStates {
 public:
  explicit DeviceStates(const Scene& scene) : scene_(scene) {}

  std::string_view of(const engine::InventoryDevice& device);
  // "14: 2 allocated, 3 free, 9 counters short", "4, all free", "1, free".
  std::string count(const Devices& devices);
  const engine::Counters& counters(std::size_t pool);  // index into Inventory::pools()

 private:
  Scene scene_;
  std::map<std::size_t, engine::Counters> counters_;
};

std::vector<std::string_view> names_of(const Devices& devices);
view::Tone tone_of_state(std::string_view state);

// Devices of one driver as a table, equal ones in one row; `attributes`: below the title what they
// have in common.
struct DeviceTable {
  std::string title;
  bool attributes = true;
};
void add_devices(Description& out, DeviceStates& states, const Devices& devices,
                 const DeviceTable& table);

void add_taints(Description& out, const Devices& devices);

// The counters of these sets, and who takes of them.
void add_counters(Description& out, const engine::Counters& counters,
                  const std::vector<std::string_view>& sets);

}  // namespace dra::report

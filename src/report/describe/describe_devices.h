// src/report/describe/describe_devices.h
//
// Tables of devices for descriptions of slices, pools and nodes: state, holders, common and
// differing properties; and tables of taints and shared counters.

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

// The devices of a slice or pool; none for a stale slice.
Devices devices_of(const engine::Inventory& inventory, const api::ResourceSlice& slice);
Devices devices_of(const engine::Inventory& inventory, const engine::Pool& pool);

// A state in addition to those of the inventory: a free device that cannot be allocated because the
// shared counters that it consumes do not suffice.
inline constexpr std::string_view kCountersShort = "counters short";

// The states of the devices of a scene. The counters of each pool are computed once.
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

// A table of devices of one driver, with equal devices in one row. `attributes`: prints the common
// properties below the title.
struct DeviceTable {
  std::string title;
  bool attributes = true;
};
void add_devices(Description& out, DeviceStates& states, const Devices& devices,
                 const DeviceTable& table);

void add_taints(Description& out, const Devices& devices);

// The counters of these sets, and the devices that consume them.
void add_counters(Description& out, const engine::Counters& counters,
                  const std::vector<std::string_view>& sets);

}  // namespace dra::report

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
#include "dra/engine/cluster/missing_device.h"
#include "dra/report/describe/describe_parts.h"
#include "dra/report/phrases/device_words.h"

namespace dra::report {

using Devices = std::vector<const engine::InventoryDevice*>;

// The devices of a slice or pool; none for a stale slice.
Devices devices_of(const engine::Inventory& inventory, const api::ResourceSlice& slice);
Devices devices_of(const engine::Inventory& inventory, const engine::Pool& pool);

// "14: 2 in use, 3 free, 9 blocked", "4, all free", "1, free", "3, all in use; 1 missing".
std::string count_states(const Devices& devices, std::size_t missing = 0);

std::vector<std::string_view> names_of(const Devices& devices);

// The items of `devices -o json`; those of `missing` last.
json::Value devices_json(const Scene& scene, const Devices& devices,
                         const std::vector<const engine::MissingDevice*>& missing = {});

// A table of devices of one driver, with equal devices in one row. `attributes`: prints the common
// properties below the title.
struct DeviceTable {
  std::string title;
  bool attributes = true;
};
void add_devices(Description& out, const Devices& devices, const DeviceTable& table);

void add_taints(Description& out, const Devices& devices);

// The counters of these sets, and the devices that consume them.
void add_counters(Description& out, const engine::Counters& counters,
                  const std::vector<std::string_view>& sets);

}  // namespace dra::report

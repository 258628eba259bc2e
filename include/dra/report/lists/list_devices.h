// include/dra/report/lists/list_devices.h
//
// `kubectl dra devices`: the place, state and holders of each device.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/report/lists/list.h"

namespace dra::report {

// The flags that choose devices. Empty members choose all.
struct DeviceFilter {
  std::string driver;
  std::string node;                        // a node that can use the device
  const api::Node* node_object = nullptr;  // for node selectors; nullptr: only names are compared
  std::string pool;
  std::string state;               // a DeviceState's name
  std::vector<std::string> names;  // "gpu-0", or a whole id driver/pool/device
};

// Tests only the driver, pool and names of the filter.
bool matches(const DeviceFilter& filter, const engine::DeviceId& id);

struct DeviceRow {
  const engine::InventoryDevice* device;
  const engine::Pool* pool;

  engine::DeviceId id() const { return device->published.id(); }
  const api::Device& published() const { return *device->published.device; }
};

// In the order of the inventory, which must outlive the rows.
std::vector<DeviceRow> device_rows(const engine::Inventory& inventory, const DeviceFilter& filter);
json::Value devices_json(std::span<const DeviceRow> rows);
json::Value device_list_schema();
// `attributes`: further columns, one attribute each.
view::Document devices_view(std::span<const DeviceRow> rows,
                            const std::vector<std::string>& attributes);

}  // namespace dra::report

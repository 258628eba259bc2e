// include/dra/report/lists/list_devices.h
//
// `kubectl dra devices`: where each device is, its state, and who holds it.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/report/lists/list.h"

namespace dra::report {

// Which devices a user asked for; empty members ask for nothing.
struct DeviceFilter {
  std::string driver;
  std::string node;                        // that can use the device
  const api::Node* node_object = nullptr;  // its labels choose; without it only names count
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

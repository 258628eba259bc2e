// include/dra/report/lists/list_devices.h
//
// `kubectl dra devices`: the place, state and holders of each device.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/missing_device.h"
#include "dra/report/lists/list.h"

namespace dra::report {

// The flags that choose devices. Empty members choose all.
struct DeviceFilter {
  std::string driver;
  std::string node;                        // a node that can use the device
  const api::Node* node_object = nullptr;  // for node selectors; nullptr: only names are compared
  std::string pool;
  std::string state;               // a DeviceState's name, or "in-use"
  std::vector<std::string> names;  // "gpu-0", or a whole id driver/pool/device
};

// Tests only the driver, pool and names of the filter.
bool matches(const DeviceFilter& filter, const engine::DeviceId& id);

// A published device, or a missing one.
struct DeviceRow {
  const engine::InventoryDevice* device;  // nullptr: missing
  const engine::Pool* pool;               // nullptr: no slice of it is published
  const engine::MissingDevice* missing = nullptr;

  // The device's name is empty if it is missing, and not known.
  engine::DeviceId id() const {
    return missing == nullptr ? device->published.id()
                              : engine::DeviceId{missing->driver, missing->pool, missing->device};
  }
  const api::Device* published() const {
    return device == nullptr ? nullptr : device->published.device;
  }
  engine::DeviceState state() const {
    return device == nullptr ? engine::DeviceState::Missing : device->state;
  }
  engine::Holders holders() const { return device == nullptr ? missing->holders : device->holders; }
};

// In the order of the inventory, then the missing ones, each after the others of its pool. All of
// them must outlive the rows.
std::vector<DeviceRow> device_rows(const engine::Inventory& inventory, const DeviceFilter& filter,
                                   std::span<const engine::MissingDevice> missing = {});
json::Value devices_json(std::span<const DeviceRow> rows);
json::Value device_list_schema();
// One item of the list, for other reports.
json::Value device_json(const DeviceRow& row);
json::Value device_schema();
// `attributes`: further columns, one attribute each. `wide`: with the columns of -o wide.
view::Document devices_view(std::span<const DeviceRow> rows,
                            const std::vector<std::string>& attributes, bool wide = true);

}  // namespace dra::report

// include/dra/report/lists/list_devices.h
//
// `kubectl dra devices`, `pools` and `slices`: the same inventory at three levels.

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

// Whether driver, pool and names of the filter allow a device.
bool names(const DeviceFilter& filter, const engine::DeviceId& id);

// Pointers into the inventory, in its order.
std::vector<const engine::InventoryDevice*> choose_devices(const engine::Inventory& inventory,
                                                           const DeviceFilter& filter);

using DeviceRows = std::span<const engine::InventoryDevice* const>;
json::Value devices_json(const engine::Inventory& inventory, DeviceRows devices);
// `attributes`: further columns, one attribute each.
view::Document devices_view(DeviceRows devices, const std::vector<std::string>& attributes);

struct PoolRow {
  const engine::Pool* pool;
  std::string node;
  std::int64_t devices = 0;
  std::int64_t allocated = 0;  // wholly or in part, as upstream's pool status counts
  std::int64_t free = 0;
  std::int64_t tainted = 0;  // and not allocated
  bool free_known = true;    // false when claims or taint rules could not be read
};

std::vector<PoolRow> pool_rows(const engine::Inventory& inventory);
json::Value pools_json(std::span<const PoolRow> rows);
view::Document pools_view(std::span<const PoolRow> rows);

struct SliceRow {
  const api::ResourceSlice* slice;
  std::string status;  // Current, Stale, Incomplete, Invalid
  std::int64_t devices = 0;
  std::int64_t free = 0;
  bool free_known = true;
};

SliceRow slice_row(const engine::Inventory& inventory, const api::ResourceSlice& slice);
view::Document slices_view(std::span<const SliceRow> rows, const ListOptions& options);

}  // namespace dra::report

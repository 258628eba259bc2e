// include/dra/report/lists/list_pools.h
//
// `kubectl dra pools` and `slices`: how many devices each has, how many are free, and whether the
// scheduler uses it.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/missing_device.h"
#include "dra/engine/selectors/device_counts.h"
#include "dra/report/lists/list.h"

namespace dra::report {

struct PoolRow {
  const engine::Pool* pool;
  std::string node;
  engine::DeviceCounts devices = {};
};

// `missing`: of all pools; those of pools that are not published at all are in no row.
std::vector<PoolRow> pool_rows(const engine::Inventory& inventory,
                               std::span<const engine::MissingDevice> missing = {});
json::Value pools_json(std::span<const PoolRow> rows);
json::Value pool_list_schema();
view::Document pools_view(std::span<const PoolRow> rows);

struct SliceRow {
  const api::ResourceSlice* slice;
  std::string status;  // Current, Stale, Incomplete, Invalid
  engine::DeviceCounts devices = {};
  // None of them is known to be free: claims, taint rules or other slices could not be read.
  std::optional<std::int64_t> free = {};
};

// A missing device counts where its pool has this slice alone.
SliceRow slice_row(const engine::Inventory& inventory, const api::ResourceSlice& slice,
                   std::span<const engine::MissingDevice> missing = {});
view::Document slices_view(std::span<const SliceRow> rows, const ListOptions& options);

}  // namespace dra::report

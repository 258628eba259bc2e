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
#include "dra/report/lists/list.h"

namespace dra::report {

struct PoolRow {
  const engine::Pool* pool;
  std::string node;
  std::int64_t devices = 0;
  std::int64_t allocated = 0;             // wholly or in part, as upstream's pool status counts
  std::optional<std::int64_t> free = {};  // none when claims or taint rules could not be read
  std::int64_t tainted = 0;               // and not allocated
};

std::vector<PoolRow> pool_rows(const engine::Inventory& inventory);
json::Value pools_json(std::span<const PoolRow> rows);
json::Value pool_list_schema();
view::Document pools_view(std::span<const PoolRow> rows);

struct SliceRow {
  const api::ResourceSlice* slice;
  std::string status;  // Current, Stale, Incomplete, Invalid
  std::int64_t devices = 0;
  std::optional<std::int64_t> free = {};
};

SliceRow slice_row(const engine::Inventory& inventory, const api::ResourceSlice& slice);
view::Document slices_view(std::span<const SliceRow> rows, const ListOptions& options);

}  // namespace dra::report

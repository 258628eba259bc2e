// src/report/lists/list_pools.cpp: counts the devices of each pool and slice, and the columns of
// `kubectl dra pools` and `slices`.

#include "dra/report/lists/list_pools.h"

#include <algorithm>
#include <tuple>

#include "dra/base/sorted.h"
#include "dra/base/text.h"
#include "dra/engine/selectors/device_counts.h"
#include "dra/report/phrases/words.h"
#include "src/report/lists/column.h"

namespace dra::report {
namespace {

using engine::DeviceState;

constexpr std::string_view kPoolList = "PoolList";

view::Tone tone_of_pool(std::string_view status) {
  return status == "Complete" || status == "Current" ? view::Tone::Plain : view::Tone::Bad;
}

std::string node_of(const engine::Pool& pool) {
  if (pool.slices.empty()) return std::string(kNone);
  const std::string first = engine::describe_nodes(*pool.slices.front());
  const bool same = std::ranges::all_of(pool.slices, [&first](const api::ResourceSlice* slice) {
    return engine::describe_nodes(*slice) == first;
  });
  return same ? first : "<several>";
}

view::Cell pool_state_cell(const PoolRow& row) {
  const std::string_view status = engine::name_of(row.pool->state);
  return cell(status, tone_of_pool(status));
}

view::Cell slices_cell(const PoolRow& row) {
  return cell(base::format("{}/{}", row.pool->slices_seen, row.pool->slices_expected));
}

json::Value pool_problem(const PoolRow& row) {
  return row.pool->problem.empty() ? json::Value() : json::Value(row.pool->problem);
}

const Columns<PoolRow>& pool_columns() {
  static const Columns<PoolRow> columns = {
      {.title = "DRIVER",
       .key = "driver",
       .schema = kText,
       .value = [](const PoolRow& row) { return row.pool->driver; }},
      {.title = "POOL",
       .key = "pool",
       .schema = kText,
       .value = [](const PoolRow& row) { return row.pool->name; }},
      {.title = "NODE",
       .key = "node",
       .schema =
           R"({"type": "string", "description": "The node that alone can use it; or in words which can: <all>, <several>, <per device>, <none>, a label that they have."})",
       .value = &PoolRow::node},
      {.title = "SLICES",
       .key = "slices",
       .schema = R"({"$ref": "#/$defs/count", "description": "That are there."})",
       .value = [](const PoolRow& row) { return row.pool->slices_seen; },
       .cell = slices_cell},
      {.key = "slicesExpected",
       .schema = R"({"type": "integer", "description": "As the slices themselves say."})",
       .value = [](const PoolRow& row) { return row.pool->slices_expected; }},
      {.title = "GEN",
       .key = "generation",
       .schema = R"({"type": "integer"})",
       .value = [](const PoolRow& row) { return row.pool->generation; }},
      {.title = "DEVICES", .key = "devices", .schema = kCount, .value = &PoolRow::devices},
      {.title = "ALLOCATED",
       .key = "allocated",
       .schema =
           R"({"$ref": "#/$defs/count", "description": "Held by a claim, wholly or in part."})",
       .value = &PoolRow::allocated},
      {.title = "FREE",
       .key = "free",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "Null: who holds them could not be read."})",
       .value = if_known(&PoolRow::free)},
      {.title = "TAINTED",
       .key = "tainted",
       .schema =
           R"({"$ref": "#/$defs/count", "description": "Not held, with a taint that keeps claims away which do not tolerate it."})",
       .value = &PoolRow::tainted},
      {.title = "STATUS",
       .key = "status",
       .schema = R"({"$ref": "#/$defs/poolStatus"})",
       .value = [](const PoolRow& row) { return engine::name_of(row.pool->state); },
       .cell = pool_state_cell},
      {.key = "problem",
       .schema =
           R"({"type": "string", "description": "Of an invalid pool: what its slices contradict each other in. Absent otherwise."})",
       .optional = true,
       .value = pool_problem},
  };
  return columns;
}

Columns<SliceRow> slice_columns(const ListOptions& options) {
  return {
      {.title = "NAME", .value = [](const SliceRow& row) { return row.slice->meta.name; }},
      {.title = "DRIVER", .value = [](const SliceRow& row) { return row.slice->spec.driver; }},
      {.title = "POOL", .value = [](const SliceRow& row) { return row.slice->spec.pool.name; }},
      {.title = "NODE",
       .value = [](const SliceRow& row) { return engine::describe_nodes(*row.slice); }},
      {.title = "GEN",
       .value = [](const SliceRow& row) { return row.slice->spec.pool.generation; }},
      {.title = "DEVICES", .value = &SliceRow::devices},
      {.title = "FREE", .value = if_known(&SliceRow::free)},
      {.title = "STATUS",
       .cell = [](const SliceRow& row) { return cell(row.status, tone_of_pool(row.status)); }},
      {.title = "AGE",
       .value = [now = options.now](
                    const SliceRow& row) { return age_of(row.slice->meta.created, now); }},
  };
}

}  // namespace

std::vector<PoolRow> pool_rows(const engine::Inventory& inventory) {
  std::vector<PoolRow> rows;
  for (const engine::Pool& pool : inventory.pools()) {
    rows.push_back({.pool = &pool, .node = node_of(pool)});
  }
  std::vector<engine::DeviceCounts> counts(rows.size());
  for (const engine::InventoryDevice& device : inventory.devices()) {
    counts[device.pool].add(device);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].devices = counts[i].devices;
    rows[i].allocated = counts[i].allocated;
    rows[i].free = counts[i].known_free();
    rows[i].tainted = counts[i].tainted;
  }
  return rows;
}

json::Value pools_json(std::span<const PoolRow> rows) {
  return list_json(kPoolList, pool_columns(), rows);
}

json::Value pool_list_schema() {
  return list_schema(kPoolList, "Pools of devices, of the newest generation of their slices.",
                     row_schema({}, pool_columns()));
}

view::Document pools_view(std::span<const PoolRow> rows) { return list_view(pool_columns(), rows); }

SliceRow slice_row(const engine::Inventory& inventory, const api::ResourceSlice& slice) {
  SliceRow row{.slice = &slice,
               .status = "Current",
               .devices = static_cast<std::int64_t>(slice.spec.devices.size()),
               .free = 0};
  if (inventory.slices().is_stale(slice)) {
    row.status = "Stale";
    return row;
  }
  // The inventory stands in the order of driver, pool and slice.
  const auto key = [](const engine::InventoryDevice& device) {
    const api::ResourceSlice& of = *device.published.slice;
    return std::make_tuple(of.spec.driver, of.spec.pool.name, of.meta.name);
  };
  const auto wanted = std::make_tuple(slice.spec.driver, slice.spec.pool.name, slice.meta.name);
  for (const auto& device : base::equal_range(inventory.devices(), wanted, key)) {
    if (device.state == DeviceState::Unknown) {
      row.free.reset();
      break;
    }
    *row.free += device.state == DeviceState::Free ? 1 : 0;
  }
  const engine::Pool* pool = inventory.find_pool(slice.spec.driver, slice.spec.pool.name);
  if (pool != nullptr && pool->state != engine::PoolState::Complete) {
    row.status = engine::name_of(pool->state);
  }
  return row;
}

view::Document slices_view(std::span<const SliceRow> rows, const ListOptions& options) {
  return list_view(slice_columns(options), rows);
}

}  // namespace dra::report

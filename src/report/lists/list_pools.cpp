// src/report/lists/list_pools.cpp: counts the devices of each pool and slice, and the columns of
// `kubectl dra pools` and `slices`.

#include "dra/report/lists/list_pools.h"

#include <algorithm>
#include <tuple>

#include "dra/base/sorted.h"
#include "dra/base/text.h"
#include "dra/report/phrases/words.h"
#include "src/report/lists/state_columns.h"

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

StateNumbers numbers_of_pool(const PoolRow& row) {
  return {
      .counts = row.devices, .allocated = row.devices.allocated, .free = row.devices.known_free()};
}

Columns<PoolRow> identity_columns() {
  return {
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
  };
}

Columns<PoolRow> status_columns() {
  return {
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
}

const Columns<PoolRow>& pool_columns() {
  static const Columns<PoolRow> columns = [] {
    Columns<PoolRow> all = identity_columns();
    append(all, state_columns<PoolRow>(numbers_of_pool, true));
    append(all, status_columns());
    return all;
  }();
  return columns;
}

Columns<SliceRow> slice_columns(const ListOptions& options) {
  Columns<SliceRow> columns = {
      {.title = "NAME", .value = [](const SliceRow& row) { return row.slice->meta.name; }},
      {.title = "DRIVER", .value = [](const SliceRow& row) { return row.slice->spec.driver; }},
      {.title = "POOL", .value = [](const SliceRow& row) { return row.slice->spec.pool.name; }},
      {.title = "NODE",
       .value = [](const SliceRow& row) { return engine::describe_nodes(*row.slice); }},
      {.title = "GEN",
       .value = [](const SliceRow& row) { return row.slice->spec.pool.generation; }},
  };
  append(columns, state_columns<SliceRow>([](const SliceRow& row) {
           const bool known = row.devices.unknown == 0;
           return StateNumbers{
               .counts = row.devices,
               .allocated = known ? std::optional(row.devices.allocated) : std::nullopt,
               .free = row.free};
         }));
  columns.push_back({.title = "STATUS", .cell = [](const SliceRow& row) {
                       return cell(row.status, tone_of_pool(row.status));
                     }});
  columns.push_back({.title = "AGE", .value = [now = options.now](const SliceRow& row) {
                       return age_of(row.slice->meta.created, now);
                     }});
  return columns;
}

}  // namespace

std::vector<PoolRow> pool_rows(const engine::Inventory& inventory,
                               std::span<const engine::MissingDevice> missing) {
  std::vector<PoolRow> rows;
  for (const engine::Pool& pool : inventory.pools())
    rows.push_back({.pool = &pool, .node = node_of(pool)});
  for (const engine::InventoryDevice& device : inventory.devices())
    rows[device.pool].devices.add(device);
  for (const engine::MissingDevice& device : missing) {
    if (const engine::Pool* pool = inventory.find_pool(device.driver, device.pool))
      rows[static_cast<std::size_t>(pool - inventory.pools().data())].devices.add(
          DeviceState::Missing);
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

SliceRow slice_row(const engine::Inventory& inventory, const api::ResourceSlice& slice,
                   std::span<const engine::MissingDevice> missing) {
  SliceRow row{.slice = &slice, .status = "Current"};
  if (inventory.slices().is_stale(slice)) {
    row.status = "Stale";
    row.devices.devices = static_cast<std::int64_t>(slice.spec.devices.size());
    row.free = 0;
    return row;
  }
  // The inventory stands in the order of driver, pool and slice.
  const auto key = [](const engine::InventoryDevice& device) {
    const api::ResourceSlice& of = *device.published.slice;
    return std::make_tuple(of.spec.driver, of.spec.pool.name, of.meta.name);
  };
  const auto wanted = std::make_tuple(slice.spec.driver, slice.spec.pool.name, slice.meta.name);
  for (const auto& device : base::equal_range(inventory.devices(), wanted, key))
    row.devices.add(device);
  row.devices.devices = static_cast<std::int64_t>(slice.spec.devices.size());
  row.free = row.devices.known_free();
  const engine::Pool* pool = inventory.find_pool(slice.spec.driver, slice.spec.pool.name);
  if (pool == nullptr) return row;
  if (pool->state != engine::PoolState::Complete) row.status = engine::name_of(pool->state);
  if (pool->slices.size() != 1) return row;
  for (const engine::MissingDevice& device : missing) {
    if (device.driver == pool->driver && device.pool == pool->name)
      row.devices.add(DeviceState::Missing);
  }
  return row;
}

view::Document slices_view(std::span<const SliceRow> rows, const ListOptions& options) {
  return list_view(slice_columns(options), rows);
}

}  // namespace dra::report

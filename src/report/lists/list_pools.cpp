// src/report/lists/list_pools.cpp: pools and slices as rows. See list_devices.h.

#include <algorithm>
#include <tuple>

#include "dra/base/sorted.h"
#include "dra/base/text.h"
#include "dra/engine/selectors/tally.h"
#include "dra/report/lists/list_devices.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using engine::DeviceState;

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

std::string free_text(std::int64_t free, bool known) {
  return known ? std::to_string(free) : std::string(kUnknown);
}

json::Value pool_json(const PoolRow& row) {
  json::Value value = json::Value::object();
  value.set("driver", row.pool->driver);
  value.set("pool", row.pool->name);
  value.set("node", row.node);
  value.set("slices", row.pool->slices_seen);
  value.set("slicesExpected", row.pool->slices_expected);
  value.set("generation", row.pool->generation);
  value.set("devices", row.devices);
  value.set("allocated", row.allocated);
  value.set("free", row.free_known ? json::Value(row.free) : json::Value());
  value.set("tainted", row.tainted);
  value.set("status", engine::name_of(row.pool->state));
  if (!row.pool->problem.empty()) value.set("problem", row.pool->problem);
  return value;
}

}  // namespace

std::vector<PoolRow> pool_rows(const engine::Inventory& inventory) {
  std::vector<PoolRow> rows;
  for (const engine::Pool& pool : inventory.pools()) {
    rows.push_back({.pool = &pool, .node = node_of(pool)});
  }
  std::vector<engine::Tally> tallies(rows.size());
  for (const engine::InventoryDevice& device : inventory.devices()) {
    tallies[device.pool].add(device);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].devices = tallies[i].devices;
    rows[i].allocated = tallies[i].allocated;
    rows[i].free = tallies[i].free;
    rows[i].tainted = tallies[i].tainted;
    rows[i].free_known = tallies[i].known_free().has_value();
  }
  return rows;
}

json::Value pools_json(std::span<const PoolRow> rows) {
  json::Value items = json::Value::array();
  for (const PoolRow& row : rows)
    items.push(pool_json(row));
  json::Value report = report_object("PoolList");
  report.set("items", std::move(items));
  return report;
}

view::Document pools_view(std::span<const PoolRow> rows) {
  view::Table table = table_of({"DRIVER", "POOL", "NODE", "SLICES", "GEN", "DEVICES", "ALLOCATED",
                                "FREE", "TAINTED", "STATUS"});
  for (const PoolRow& row : rows) {
    const engine::Pool& pool = *row.pool;
    const std::string_view status = engine::name_of(pool.state);
    table.rows.push_back({cell(pool.driver), cell(pool.name), cell(row.node),
                          cell(base::format("{}/{}", pool.slices_seen, pool.slices_expected)),
                          cell(pool.generation), cell(row.devices), cell(row.allocated),
                          cell(free_text(row.free, row.free_known)), cell(row.tainted),
                          cell(status, tone_of_pool(status))});
  }
  view::Document document;
  document.add(std::move(table));
  return document;
}

SliceRow slice_row(const engine::Inventory& inventory, const api::ResourceSlice& slice) {
  SliceRow row{.slice = &slice, .status = "Current"};
  row.devices = static_cast<std::int64_t>(slice.spec.devices.size());
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
    row.free += device.state == DeviceState::Free ? 1 : 0;
    if (device.state == DeviceState::Unknown) row.free_known = false;
  }
  const engine::Pool* pool = inventory.find_pool(slice.spec.driver, slice.spec.pool.name);
  if (pool != nullptr && pool->state != engine::PoolState::Complete) {
    row.status = engine::name_of(pool->state);
  }
  return row;
}

view::Document slices_view(std::span<const SliceRow> rows, const ListOptions& options) {
  view::Table table =
      table_of({"NAME", "DRIVER", "POOL", "NODE", "GEN", "DEVICES", "FREE", "STATUS", "AGE"});
  for (const SliceRow& row : rows) {
    const api::SliceSpec& spec = row.slice->spec;
    table.rows.push_back({cell(row.slice->meta.name), cell(spec.driver), cell(spec.pool.name),
                          cell(engine::describe_nodes(*row.slice)), cell(spec.pool.generation),
                          cell(row.devices), cell(free_text(row.free, row.free_known)),
                          cell(row.status, tone_of_pool(row.status)),
                          cell(age_of(row.slice->meta.created, options.now))});
  }
  view::Document document;
  document.add(std::move(table));
  return document;
}

}  // namespace dra::report

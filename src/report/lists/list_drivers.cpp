// src/report/lists/list_drivers.cpp: see list_drivers.h.

#include "dra/report/lists/list_drivers.h"

#include <algorithm>
#include <map>
#include <set>

#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/room.h"
#include "dra/report/lists/node_pools.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

constexpr std::string_view kDriverField = "device.driver";
constexpr std::size_t kNamedNodes = 3;  // of those that are missing

// The text literal that `text` starts with, after blanks and "=="; empty if there is none.
std::string_view compared_with(std::string_view text) {
  text = base::trim(text);
  if (!text.starts_with("==")) return {};
  text = base::trim(text.substr(2));
  if (text.empty() || (text.front() != '"' && text.front() != '\'')) return {};
  const std::size_t end = text.find(text.front(), 1);
  return end == std::string_view::npos ? std::string_view() : text.substr(1, end - 1);
}

// Which nodes can use at least one device of a driver.
class Reach {
 public:
  explicit Reach(std::span<const api::Node> nodes) : nodes_(nodes) {}

  // Devices come slice by slice: a slice that chooses its nodes as a whole is asked once.
  void add(const engine::PoolDevice& device) {
    const bool per_device = device.slice->spec.per_device_node_selection;
    if (!per_device && device.slice == last_) return;
    last_ = device.slice;
    if (const std::string_view only = engine::only_node_of(device); !only.empty()) {
      names_.insert(only);
      return;
    }
    for (const api::Node& node : nodes_) {
      const auto usable = engine::is_for(device, node);
      if (usable.ok() && usable.value()) names_.insert(node.meta.name);
    }
  }

  // A node that a slice names may be gone.
  std::int64_t count() const {
    return std::ranges::count_if(
        nodes_, [this](const api::Node& node) { return names_.contains(node.meta.name); });
  }

 private:
  std::span<const api::Node> nodes_;
  const api::ResourceSlice* last_ = nullptr;
  std::set<std::string_view> names_;
};

using Rows = std::map<std::string_view, DriverRow>;

DriverRow& driver_row(Rows& rows, std::string_view driver) {
  DriverRow& row = rows[driver];
  row.name = driver;
  return row;
}

void add_pools(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory, Rows& rows) {
  for (const engine::Pool& pool : inventory.pools()) {
    DriverRow& row = driver_row(rows, pool.driver);
    ++row.pools;
    row.incomplete += pool.state == engine::PoolState::Incomplete ? 1 : 0;
    row.invalid += pool.state == engine::PoolState::Invalid ? 1 : 0;
  }
  std::set<std::pair<std::string_view, std::string_view>> stale;
  for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>()) {
    if (!inventory.slices().is_stale(slice)) continue;
    if (stale.emplace(slice.spec.driver, slice.spec.pool.name).second)
      ++driver_row(rows, slice.spec.driver).stale;
  }
}

void add_devices(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                 Rows& rows) {
  const engine::Nodes nodes = engine::nodes_of(snapshot);
  std::map<std::string_view, Reach> reach;
  engine::Room room(inventory);
  for (const engine::InventoryDevice& device : inventory.devices()) {
    const std::string_view driver = device.published.slice->spec.driver;
    DriverRow& row = driver_row(rows, driver);
    row.devices.add(device);
    const bool shares_counters = !device.published.device->consumes.empty();
    if (shares_counters && device.state == engine::DeviceState::Free) {
      ++row.free_partitions;
      row.free_without_room += room.lacks(device) ? 1 : 0;
    }
    reach.emplace(driver, nodes.nodes).first->second.add(device.published);
  }
  if (!snapshot.coverage().saw(api::Kind::Node)) return;
  for (auto& [driver, row] : rows) {
    const auto found = reach.find(driver);
    row.nodes = found == reach.end() ? 0 : found->second.count();
    if (!nodes.assumed) row.nodes_total = static_cast<std::int64_t>(nodes.nodes.size());
  }
}

void add_classes(const snapshot::Snapshot& snapshot, Rows& rows) {
  for (const api::DeviceClass& device_class : snapshot.all<api::DeviceClass>()) {
    for (const std::string_view driver : drivers_named_by(device_class)) {
      DriverRow& row = driver_row(rows, driver);
      if (!row.classes) row.classes.emplace();
      row.classes->push_back(device_class.meta.name);
    }
  }
}

void finish(const snapshot::Coverage& coverage, DriverRow& row) {
  if (!coverage.saw(api::Kind::Class)) {
    row.classes.reset();
  } else if (!row.classes) {
    row.classes.emplace();
  }
  row.slices_known = coverage.saw(api::Kind::Slice);
  if (!row.slices_known) {
    row.nodes.reset();
    return;
  }
  row.allocated = row.devices.known_allocated(coverage);
  row.free = row.devices.known_free();
}

std::string classes_text(const DriverRow& row) {
  if (!row.classes) return std::string(kUnknown);
  const std::vector<std::string> names(row.classes->begin(), row.classes->end());
  return or_none(base::join(names, ","));
}

}  // namespace

std::vector<std::string_view> drivers_named_by(const api::DeviceClass& device_class) {
  std::set<std::string_view> drivers;
  for (const api::DeviceSelector& selector : device_class.spec.selectors) {
    std::string_view rest = selector.expression();
    for (std::size_t at = rest.find(kDriverField); at != std::string_view::npos;
         at = rest.find(kDriverField)) {
      rest.remove_prefix(at + kDriverField.size());
      drivers.insert(compared_with(rest));
    }
  }
  drivers.erase(std::string_view());
  return {drivers.begin(), drivers.end()};
}

std::string DriverRow::nodes_text() const {
  if (!nodes) return std::string(kUnknown);
  return nodes_total ? base::format("{}/{}", *nodes, *nodes_total) : std::to_string(*nodes);
}

std::string DriverRow::status() const {
  if (!slices_known) return std::string(kUnknown);
  if (pools == 0) return "publishes nothing";
  std::vector<std::string> parts;
  const auto add = [&parts](std::int64_t count, std::string_view what) {
    if (count > 0) parts.push_back(base::format("{} {}", base::plural(count, "pool"), what));
  };
  add(invalid, "invalid");
  add(incomplete, "incomplete");
  add(stale, "with stale slices");
  if (!nodes_missing.empty()) {
    parts.push_back(base::format(
        "{} missing ({})", base::plural(static_cast<std::int64_t>(nodes_missing.size()), "node"),
        fold_nodes(nodes_missing, kNamedNodes)));
  }
  return parts.empty() ? "OK" : base::join(parts, ", ");
}

std::vector<DriverRow> driver_rows(const snapshot::Snapshot& snapshot,
                                   const engine::Inventory& inventory) {
  Rows rows;
  for (const engine::Holding& holding : inventory.usage().all())
    driver_row(rows, holding.id.driver);
  add_pools(snapshot, inventory, rows);
  add_classes(snapshot, rows);
  add_devices(snapshot, inventory, rows);
  for (const LeftOutNode& one : nodes_left_out(snapshot, inventory))
    driver_row(rows, one.driver).nodes_missing.push_back(one.node->meta.name);
  std::vector<DriverRow> sorted;
  for (auto& [driver, row] : rows) {
    finish(snapshot.coverage(), row);
    sorted.push_back(std::move(row));
  }
  return sorted;
}

json::Value to_json(const DriverRow& row) {
  json::Value value = json::Value::object();
  value.set("name", row.name);
  json::Value classes;
  if (row.classes) {
    classes = json::Value::array();
    for (const std::string_view name : *row.classes)
      classes.push(name);
  }
  const auto counted = [&row](std::int64_t number) {
    return row.slices_known ? json::Value(number) : json::Value();
  };
  value.set("classes", std::move(classes));
  value.set("nodes", json_if_known(row.nodes));
  value.set("nodesTotal", json_if_known(row.nodes_total));
  json::Value missing = json::Value::array();
  for (const std::string_view name : row.nodes_missing)
    missing.push(name);
  value.set("nodesMissing", row.slices_known ? std::move(missing) : json::Value());
  value.set("pools", counted(row.pools));
  value.set("poolsIncomplete", counted(row.incomplete));
  value.set("poolsInvalid", counted(row.invalid));
  value.set("poolsStale", counted(row.stale));
  value.set("devices", counted(row.devices.devices));
  value.set("allocated", json_if_known(row.allocated));
  value.set("free", json_if_known(row.free));
  value.set("freePartitions", counted(row.free_partitions));
  value.set("freeWithoutRoom", counted(row.free_without_room));
  value.set("tainted", counted(row.devices.tainted));
  value.set("unusable", counted(row.devices.unusable));
  value.set("status", row.status());
  return value;
}

json::Value drivers_json(std::span<const DriverRow> rows) {
  json::Value items = json::Value::array();
  for (const DriverRow& row : rows)
    items.push(to_json(row));
  json::Value report = report_object("DriverList");
  report.set("items", std::move(items));
  return report;
}

view::Document drivers_view(std::span<const DriverRow> rows) {
  view::Table table = table_of({"NAME", "CLASSES", "NODES", "POOLS", "DEVICES", "FREE", "STATUS"});
  for (const DriverRow& row : rows) {
    const std::string status = row.status();
    const auto tone = status == "OK" ? view::Tone::Plain : view::Tone::Bad;
    const auto counted = [&row](std::int64_t number) {
      return row.slices_known ? cell(number) : cell(kUnknown);
    };
    table.rows.push_back({cell(row.name), cell(classes_text(row)), cell(row.nodes_text()),
                          counted(row.pools), counted(row.devices.devices), cell_if_known(row.free),
                          cell(status, tone)});
  }
  view::Document document;
  document.add(std::move(table));
  return document;
}

}  // namespace dra::report

// src/report/lists/list_drivers.cpp: gathers what pools, devices, classes and nodes say about each
// driver, and the columns of `kubectl dra drivers`.

#include "dra/report/lists/list_drivers.h"

#include <algorithm>
#include <map>
#include <set>

#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/counter_headroom.h"
#include "dra/engine/cluster/left_out_nodes.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/words.h"
#include "src/report/lists/column.h"

namespace dra::report {
namespace {

constexpr std::string_view kDriverList = "DriverList";
constexpr std::string_view kDriverField = "device.driver";
constexpr std::size_t kNamedNodes = 3;  // of the missing nodes

// The string literal after "==" at the start of `text`; empty if there is none.
std::string_view compared_with(std::string_view text) {
  text = base::trim(text);
  if (!text.starts_with("==")) return {};
  text = base::trim(text.substr(2));
  if (text.empty() || (text.front() != '"' && text.front() != '\'')) return {};
  const std::size_t end = text.find(text.front(), 1);
  return end == std::string_view::npos ? std::string_view() : text.substr(1, end - 1);
}

// Counts the nodes that can use at least one device of a driver.
class Reach {
 public:
  explicit Reach(std::span<const api::Node> nodes) : nodes_(nodes) {}

  // Devices are added slice by slice: a slice with one node selector for all is evaluated once.
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

  // A slice may name a node that does not exist any more.
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
  engine::CounterHeadroom headroom(inventory);
  for (const engine::InventoryDevice& device : inventory.devices()) {
    const std::string_view driver = device.published.slice->spec.driver;
    DriverRow& row = driver_row(rows, driver);
    row.devices.add(device);
    const bool shares_counters = !device.published.device->consumes.empty();
    if (shares_counters && device.state == engine::DeviceState::Free) {
      ++row.free_partitions;
      row.free_without_room += headroom.exceeds_counters(device) ? 1 : 0;
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

// A number that is computed from slices; null if slices could not be read.
std::function<json::Value(const DriverRow&)> published(std::int64_t DriverRow::*number) {
  return [number](const DriverRow& row) {
    return row.slices_known ? json::Value(row.*number) : json::Value();
  };
}

std::function<json::Value(const DriverRow&)> published(std::int64_t engine::DeviceCounts::*number) {
  return [number](const DriverRow& row) {
    return row.slices_known ? json::Value(row.devices.*number) : json::Value();
  };
}

json::Value names_json(const std::vector<std::string_view>& names) {
  json::Value array = json::Value::array();
  for (const std::string_view name : names)
    array.push(name);
  return array;
}

json::Value classes_json(const DriverRow& row) {
  return row.classes ? names_json(*row.classes) : json::Value();
}

json::Value nodes_missing_json(const DriverRow& row) {
  return row.slices_known ? names_json(row.nodes_missing) : json::Value();
}

view::Cell driver_status_cell(const DriverRow& row) {
  const std::string status = row.status();
  return cell(status, status == "OK" ? view::Tone::Plain : view::Tone::Bad);
}

Columns<DriverRow> reach_columns() {
  return {
      {.title = "NAME", .key = "name", .schema = kText, .value = &DriverRow::name},
      {.title = "CLASSES",
       .key = "classes",
       .schema =
           R"({"description": "Device classes whose selectors compare device.driver with its name, sorted: read out of their text. Null if classes could not be read.", "type": ["array", "null"], "items": {"type": "string"}})",
       .value = classes_json},
      {.title = "NODES",
       .key = "nodes",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "That can use a device of it."})",
       .value = if_known(&DriverRow::nodes),
       .cell = [](const DriverRow& row) { return cell(row.nodes_text()); }},
      {.key = "nodesTotal",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "Of the cluster; null without Node objects."})",
       .value = if_known(&DriverRow::nodes_total)},
      {.key = "nodesMissing",
       .schema =
           R"({"description": "Nodes without devices of it, unlike the others of their node pool.", "type": ["array", "null"], "items": {"type": "string"}})",
       .value = nodes_missing_json},
      {.title = "POOLS",
       .key = "pools",
       .schema = kCountIfKnown,
       .value = published(&DriverRow::pools)},
      {.key = "poolsIncomplete",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "Of the pools: some slices of the newest generation are not there."})",
       .value = published(&DriverRow::incomplete)},
      {.key = "poolsInvalid",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "Of the pools: their slices contradict each other."})",
       .value = published(&DriverRow::invalid)},
      {.key = "poolsStale",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "Of the pools: slices of older generations are still there."})",
       .value = published(&DriverRow::stale)},
  };
}

Columns<DriverRow> device_count_columns() {
  return {
      {.title = "DEVICES",
       .key = "devices",
       .schema = kCountIfKnown,
       .value = published(&engine::DeviceCounts::devices)},
      {.key = "allocated",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "Held by a claim, wholly or in part."})",
       .value = if_known(&DriverRow::allocated)},
      {.title = "FREE",
       .key = "free",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "Not held, not tainted, in a pool that can be used."})",
       .value = if_known(&DriverRow::free)},
      {.key = "freePartitions",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "Of the free ones: they share counters with others, so that to take one may leave no room for another."})",
       .value = published(&DriverRow::free_partitions)},
      {.key = "freeWithoutRoom",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "Of these: too little is left of a counter to have them now."})",
       .value = published(&DriverRow::free_without_room)},
      {.key = "tainted",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "Not held, with a taint that keeps claims away which do not tolerate it."})",
       .value = published(&engine::DeviceCounts::tainted)},
      {.key = "unusable",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "Not held, in an incomplete or invalid pool."})",
       .value = published(&engine::DeviceCounts::unusable)},
      {.title = "STATUS",
       .key = "status",
       .schema = R"({"type": "string", "description": "OK, or in words what is wrong with it."})",
       .value = &DriverRow::status,
       .cell = driver_status_cell},
  };
}

const Columns<DriverRow>& driver_columns() {
  static const Columns<DriverRow> columns = [] {
    Columns<DriverRow> all = reach_columns();
    for (Column<DriverRow>& column : device_count_columns())
      all.push_back(std::move(column));
    return all;
  }();
  return columns;
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
  for (const engine::LeftOutNode& one : nodes_left_out(snapshot, inventory))
    driver_row(rows, one.driver).nodes_missing.push_back(one.node->meta.name);
  std::vector<DriverRow> sorted;
  for (auto& [driver, row] : rows) {
    finish(snapshot.coverage(), row);
    sorted.push_back(std::move(row));
  }
  return sorted;
}

json::Value to_json(const DriverRow& row) { return row_json(driver_columns(), row); }

json::Value driver_schema() {
  return row_schema("A driver. Numbers of what could not be read are null.", driver_columns());
}

json::Value drivers_json(std::span<const DriverRow> rows) {
  return list_json(kDriverList, driver_columns(), rows);
}

json::Value driver_list_schema() {
  json::Value driver = json::Value::object();
  driver.set("$ref", "#/$defs/driver");
  return list_schema(kDriverList, "Drivers that slices, allocations and classes name.",
                     std::move(driver));
}

view::Document drivers_view(std::span<const DriverRow> rows) {
  return list_view(driver_columns(), rows);
}

}  // namespace dra::report

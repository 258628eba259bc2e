// src/report/lists/list_drivers.cpp: the columns of `kubectl dra drivers`.

#include "dra/report/lists/list_drivers.h"

#include <functional>

#include "dra/base/text.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/words.h"
#include "src/report/lists/state_columns.h"

namespace dra::report {
namespace {

using engine::DriverSummary;

constexpr std::string_view kDriverList = "DriverList";
constexpr std::size_t kNamedNodes = 3;  // of the missing nodes

// A number that is computed from slices; null if slices could not be read.
std::function<json::Value(const DriverSummary&)> published(std::int64_t DriverSummary::*number) {
  return [number](const DriverSummary& driver) {
    return driver.slices_known ? json::Value(driver.*number) : json::Value();
  };
}

json::Value names_json(const std::vector<std::string_view>& names) {
  json::Value array = json::Value::array();
  for (const std::string_view name : names)
    array.push(name);
  return array;
}

json::Value classes_json(const DriverSummary& driver) {
  return driver.classes ? names_json(*driver.classes) : json::Value();
}

json::Value nodes_missing_json(const DriverSummary& driver) {
  return driver.slices_known ? names_json(driver.nodes_missing) : json::Value();
}

view::Cell driver_status_cell(const DriverSummary& driver) {
  const std::string status = status_of(driver);
  return cell(status, status == "OK" ? view::Tone::Plain : view::Tone::Bad);
}

Columns<DriverSummary> reach_columns() {
  return {
      {.title = "NAME", .key = "name", .schema = kText, .value = &DriverSummary::name},
      {.title = "CLASSES",
       .key = "classes",
       .schema =
           R"({"description": "Device classes whose selectors compare device.driver with its name, sorted: read out of their text. Null if classes could not be read.", "type": ["array", "null"], "items": {"type": "string"}})",
       .value = classes_json},
      {.title = "NODES",
       .key = "nodes",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "That can use a device of it."})",
       .value = if_known(&DriverSummary::nodes),
       .cell = [](const DriverSummary& driver) { return cell(nodes_text(driver)); }},
      {.key = "nodesTotal",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "Of the cluster; null without Node objects."})",
       .value = if_known(&DriverSummary::nodes_total)},
      {.key = "nodesMissing",
       .schema =
           R"({"description": "Nodes without devices of it, unlike the others of their node pool.", "type": ["array", "null"], "items": {"type": "string"}})",
       .value = nodes_missing_json},
      {.title = "POOLS",
       .key = "pools",
       .schema = kCountIfKnown,
       .value = published(&DriverSummary::pools)},
      {.key = "poolsIncomplete",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "Of the pools: some slices of the newest generation are not there."})",
       .value = published(&DriverSummary::incomplete)},
      {.key = "poolsInvalid",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "Of the pools: their slices contradict each other."})",
       .value = published(&DriverSummary::invalid)},
      {.key = "poolsStale",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "Of the pools: slices of older generations are still there."})",
       .value = published(&DriverSummary::stale)},
  };
}

StateNumbers numbers_of_driver(const DriverSummary& driver) {
  return {.counts = driver.devices,
          .known = driver.slices_known,
          .allocated = driver.allocated,
          .free = driver.free};
}

Columns<DriverSummary> other_columns() {
  return {
      {.key = "taintedInUse",
       .schema =
           R"({"$ref": "#/$defs/count", "description": "Of the allocated: tainted, too. Absent if there are none."})",
       .optional = true,
       .value =
           [](const DriverSummary& driver) {
             const std::int64_t held = driver.devices.tainted_held;
             return held > 0 ? json::Value(held) : json::Value();
           }},
      {.key = "freePartitions",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "Of the free ones: they share counters with others, so that to take one may block another."})",
       .value = published(&DriverSummary::free_partitions)},
      {.key = "freeWithoutRoom",
       .schema =
           R"({"$ref": "#/$defs/countIfKnown", "description": "The same as blocked: its name in earlier versions, in which free counted them, too."})",
       .value =
           [](const DriverSummary& driver) {
             return driver.slices_known ? json::Value(driver.devices.blocked) : json::Value();
           }},
      {.title = "STATUS",
       .key = "status",
       .schema = R"({"type": "string", "description": "OK, or in words what is wrong with it."})",
       .value = status_of,
       .cell = driver_status_cell},
  };
}

const Columns<DriverSummary>& driver_columns() {
  static const Columns<DriverSummary> columns = [] {
    Columns<DriverSummary> all = reach_columns();
    append(all, state_columns<DriverSummary>(numbers_of_driver));
    append(all, other_columns());
    return all;
  }();
  return columns;
}

}  // namespace

std::string nodes_text(const DriverSummary& driver) {
  if (!driver.nodes) return std::string(kUnknown);
  return driver.nodes_total ? base::format("{}/{}", *driver.nodes, *driver.nodes_total)
                            : std::to_string(*driver.nodes);
}

std::string status_of(const DriverSummary& driver) {
  if (!driver.slices_known) return std::string(kUnknown);
  if (driver.pools == 0) return "publishes nothing";
  std::vector<std::string> parts;
  const auto add = [&parts](std::int64_t count, std::string_view what) {
    if (count > 0) parts.push_back(base::format("{} {}", base::plural(count, "pool"), what));
  };
  add(driver.invalid, "invalid");
  add(driver.incomplete, "incomplete");
  add(driver.stale, "with stale slices");
  if (const auto& missing = driver.nodes_missing; !missing.empty()) {
    parts.push_back(base::format("{} missing ({})",
                                 base::plural(static_cast<std::int64_t>(missing.size()), "node"),
                                 fold_nodes(missing, kNamedNodes)));
  }
  return parts.empty() ? "OK" : base::join(parts, ", ");
}

json::Value to_json(const DriverSummary& driver) { return row_json(driver_columns(), driver); }

json::Value driver_schema() {
  return row_schema("A driver. Numbers of what could not be read are null.", driver_columns());
}

json::Value drivers_json(std::span<const DriverSummary> drivers) {
  return list_json(kDriverList, driver_columns(), drivers);
}

json::Value driver_list_schema() {
  json::Value driver = json::Value::object();
  driver.set("$ref", "#/$defs/driver");
  return list_schema(kDriverList, "Drivers that slices, allocations and classes name.",
                     std::move(driver));
}

view::Document drivers_view(std::span<const DriverSummary> drivers) {
  return list_view(driver_columns(), drivers);
}

}  // namespace dra::report

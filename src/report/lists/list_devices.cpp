// src/report/lists/list_devices.cpp: the filters and the columns of `kubectl dra devices`.

#include "dra/report/lists/list_devices.h"

#include <algorithm>
#include <utility>

#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "dra/engine/facts/device_attribute.h"
#include "dra/report/phrases/device_words.h"
#include "dra/report/phrases/words.h"
#include "src/report/lists/column.h"

namespace dra::report {
namespace {

using engine::DeviceState;
using engine::InventoryDevice;

constexpr std::string_view kDeviceList = "DeviceList";

view::Tone tone_of_device(DeviceState state) {
  switch (state) {
    case DeviceState::Free:
      return view::Tone::Good;
    case DeviceState::Shared:
    case DeviceState::Allocated:
      return view::Tone::Plain;
    case DeviceState::Blocked:
    case DeviceState::Tainted:
    case DeviceState::Unusable:
      return view::Tone::Warn;
    case DeviceState::Missing:
      return view::Tone::Bad;
    case DeviceState::Unknown:
      return view::Tone::Dim;
  }
  return view::Tone::Plain;
}

view::Cell device_state_cell(const DeviceRow& row) {
  return cell(engine::words_of(row.state()), tone_of_device(row.state()));
}

view::Cell joined_cell(const std::vector<std::string>& names) {
  return cell(or_none(base::join(names, ",")));
}

view::Cell attributes_cell(const DeviceRow& row) {
  std::vector<std::string> parts;
  if (row.published() == nullptr) return joined_cell(parts);
  for (const auto& entry : row.published()->attributes)
    parts.push_back(base::format("{}={}", entry.key, engine::attribute_text(entry.value)));
  return joined_cell(parts);
}

view::Cell capacity_cell(const DeviceRow& row) {
  std::vector<std::string> parts;
  if (row.published() == nullptr) return joined_cell(parts);
  for (const auto& entry : row.published()->capacity)
    parts.push_back(base::format("{}={}", entry.key, entry.value.value.text));
  return joined_cell(parts);
}

// As in CEL, the domain of an attribute without one is the driver's name, which `name` may have.
std::string attribute_of(const DeviceRow& row, std::string_view name) {
  const api::DeviceAttribute* found =
      row.published() == nullptr ? nullptr
                                 : engine::attribute_for(*row.published(), row.id().driver, name);
  return found == nullptr ? std::string(kNone) : engine::attribute_text(*found);
}

json::Value typed_attribute(const api::DeviceAttribute& attribute) {
  using Kind = api::DeviceAttribute::Kind;
  if (attribute.kind() == Kind::Int) return attribute.as_int();
  if (attribute.kind() == Kind::Bool) return attribute.as_bool();
  if (attribute.kind() == Kind::String || attribute.kind() == Kind::Version)
    return attribute.text();
  json::Value items = json::Value::array();
  for (const std::int64_t item : attribute.lists().ints)
    items.push(item);
  for (const bool item : attribute.lists().bools)
    items.push(item);
  for (const std::string_view item : attribute.lists().strings)
    items.push(item);
  for (const std::string_view item : attribute.lists().versions)
    items.push(item);
  return items;
}

json::Value claim_json(const engine::Holding& holding) {
  json::Value claim = json::Value::object();
  claim.set("namespace", holding.claim->meta.namespace_);
  claim.set("name", holding.claim->meta.name);
  claim.set("request", holding.result->request);
  if (holding.admin()) claim.set("adminAccess", true);
  if (!holding.result->share_id.empty()) claim.set("shareID", holding.result->share_id);
  json::Value pods = json::Value::array();
  for (std::string& pod : engine::pods_of(*holding.claim))
    pods.push(std::move(pod));
  claim.set("pods", std::move(pods));
  return claim;
}

json::Value taint_json(const engine::DeviceTaintOf& taint) {
  json::Value value = json::Value::object();
  value.set("key", taint.taint->key);
  if (!taint.taint->value.empty()) value.set("value", taint.taint->value);
  value.set("effect", taint.taint->effect);
  if (taint.rule != nullptr) value.set("rule", taint.rule->meta.name);
  return value;
}

json::Value claims_json(const DeviceRow& row) {
  json::Value claims = json::Value::array();
  for (const engine::Holding& holding : row.holders())
    claims.push(claim_json(holding));
  return claims;
}

constexpr std::string_view kClaimsSchema = R"({
  "description": "That have it.",
  "type": "array",
  "items": {
    "type": "object",
    "properties": {
      "namespace": {"type": "string"},
      "name": {"type": "string"},
      "request": {"$ref": "#/$defs/request"},
      "adminAccess": {"$ref": "#/$defs/adminAccess"},
      "shareID": {"type": "string", "description": "Of a share of the device. Absent otherwise."},
      "pods": {"$ref": "#/$defs/names", "description": "That have reserved the claim."}
    },
    "required": ["namespace", "name", "request", "pods"],
    "additionalProperties": false
  }
})";

json::Value taints_json(const DeviceRow& row) {
  json::Value taints = json::Value::array();
  if (row.device == nullptr) return taints;
  for (const engine::DeviceTaintOf& taint : row.device->taints)
    taints.push(taint_json(taint));
  return taints;
}

constexpr std::string_view kTaintsSchema = R"({
  "type": "array",
  "items": {
    "type": "object",
    "properties": {
      "key": {"type": "string"},
      "value": {"type": "string", "description": "Absent if it is empty."},
      "effect": {"type": "string"},
      "rule": {"type": "string", "description": "Name of the DeviceTaintRule that it comes from. Absent if it comes from the driver."}
    },
    "required": ["key", "effect"],
    "additionalProperties": false
  }
})";

json::Value attributes_json(const DeviceRow& row) {
  json::Value attributes = json::Value::object();
  if (row.published() == nullptr) return attributes;
  for (const auto& entry : row.published()->attributes)
    attributes.set(std::string(entry.key), typed_attribute(entry.value));
  return attributes;
}

json::Value capacity_json(const DeviceRow& row) {
  json::Value capacity = json::Value::object();
  if (row.published() == nullptr) return capacity;
  for (const auto& entry : row.published()->capacity)
    capacity.set(std::string(entry.key), entry.value.value.text);
  return capacity;
}

json::Value name_or_null(std::string_view name) {
  return name.empty() ? json::Value() : json::Value(name);
}

json::Value where_json(const DeviceRow& row) {
  return row.device == nullptr ? or_none(row.missing->node) : where_of(*row.device);
}

json::Value pool_status_json(const DeviceRow& row) {
  return row.pool == nullptr ? json::Value() : json::Value(engine::name_of(row.pool->state));
}

const Columns<DeviceRow>& device_columns() {
  static const Columns<DeviceRow> columns = {
      {.title = "DRIVER",
       .key = "driver",
       .schema = kText,
       .value = [](const DeviceRow& row) { return row.id().driver; }},
      {.title = "POOL",
       .key = "pool",
       .schema = kText,
       .value = [](const DeviceRow& row) { return or_none(row.id().pool); }},
      {.title = "DEVICE",
       .key = "device",
       .schema =
           R"({"type": ["string", "null"], "description": "Null: it is missing, and its name is not known."})",
       .value = [](const DeviceRow& row) { return name_or_null(row.id().device); }},
      {.title = "NODE",
       .key = "node",
       .schema =
           R"({"type": "string", "description": "The node that alone can use it; or in words which can: <all>, <selector>, a label that they have. Of a missing one, the node that had it; <none> if that is not known."})",
       .value = where_json},
      {.title = "STATE",
       .key = "state",
       .schema = R"({"$ref": "#/$defs/deviceState"})",
       .value = [](const DeviceRow& row) { return engine::name_of(row.state()); },
       .cell = device_state_cell},
      {.key = "poolStatus",
       .schema =
           R"({"anyOf": [{"$ref": "#/$defs/poolStatus"}, {"type": "null"}], "description": "Null: the device is missing, and so is its pool."})",
       .value = pool_status_json},
      {.title = "CLAIM",
       .key = "claims",
       .schema = kClaimsSchema,
       .value = claims_json,
       .cell = [](const DeviceRow& row) { return joined_cell(claims_of(row.holders())); }},
      {.title = "POD",
       .cell = [](const DeviceRow& row) { return joined_cell(users_of(row.holders())); }},
      {.key = "taints", .schema = kTaintsSchema, .value = taints_json},
      {.title = "ATTRIBUTES",
       .wide = true,
       .key = "attributes",
       .schema =
           R"({"description": "By name, as published.", "type": "object", "additionalProperties": {"$ref": "#/$defs/attributeValue"}})",
       .value = attributes_json,
       .cell = attributes_cell},
      {.title = "CAPACITY",
       .wide = true,
       .key = "capacity",
       .schema =
           R"({"description": "By name, as published.", "type": "object", "additionalProperties": {"$ref": "#/$defs/quantity"}})",
       .value = capacity_json,
       .cell = capacity_cell},
  };
  return columns;
}

bool is_in_state(const DeviceFilter& filter, DeviceState state) {
  if (filter.state.empty()) return true;
  const bool in_use = filter.state == "in-use" && state == DeviceState::Allocated;
  return in_use || engine::name_of(state) == filter.state;
}

// A node can use devices that name it, and devices whose node selector matches it. The scheduler
// cannot evaluate an invalid node selector either.
bool can_use(const DeviceFilter& filter, const engine::PoolDevice& device) {
  if (filter.node_object == nullptr) return engine::only_node_of(device) == filter.node;
  const auto usable = engine::is_for(device, *filter.node_object);
  return usable.ok() && usable.value();
}

}  // namespace

bool matches(const DeviceFilter& filter, const engine::DeviceId& id) {
  if (!filter.driver.empty() && id.driver != filter.driver) return false;
  if (!filter.pool.empty() && id.pool != filter.pool) return false;
  if (filter.names.empty()) return true;
  const std::string whole = engine::to_string(id);
  return std::ranges::any_of(
      filter.names, [&](const std::string& name) { return name == id.device || name == whole; });
}

std::vector<DeviceRow> device_rows(const engine::Inventory& inventory, const DeviceFilter& filter,
                                   std::span<const engine::MissingDevice> missing) {
  std::vector<DeviceRow> rows;
  for (const InventoryDevice& device : inventory.devices()) {
    const engine::DeviceId id = device.published.id();
    if (!matches(filter, id)) continue;
    if (!is_in_state(filter, device.state)) continue;
    if (!filter.node.empty() && !can_use(filter, device.published)) continue;
    rows.push_back({&device, &inventory.pools()[device.pool]});
  }
  for (const engine::MissingDevice& device : missing) {
    if (!matches(filter, {device.driver, device.pool, device.device})) continue;
    if (!is_in_state(filter, DeviceState::Missing)) continue;
    if (!filter.node.empty() && device.node != filter.node) continue;
    rows.push_back({nullptr, inventory.find_pool(device.driver, device.pool), &device});
  }
  if (missing.empty()) return rows;
  std::ranges::stable_sort(
      rows, {}, [](const DeviceRow& row) { return std::pair(row.id().driver, row.id().pool); });
  return rows;
}

json::Value devices_json(std::span<const DeviceRow> rows) {
  return list_json(kDeviceList, device_columns(), rows);
}

json::Value device_json(const DeviceRow& row) { return row_json(device_columns(), row); }

json::Value device_schema() { return row_schema("As in a DeviceList.", device_columns()); }

json::Value device_list_schema() {
  return list_schema(kDeviceList, "Devices that slices publish.", row_schema({}, device_columns()));
}

view::Document devices_view(std::span<const DeviceRow> rows,
                            const std::vector<std::string>& attributes, bool wide) {
  Columns<DeviceRow> columns = device_columns();
  auto at = std::ranges::find(columns, true, &Column<DeviceRow>::wide);
  for (const std::string& name : attributes) {
    at = columns.insert(at, {.title = name, .value = [name](const DeviceRow& row) {
                               return attribute_of(row, name);
                             }});
    ++at;
  }
  return list_view(columns, rows, wide);
}

}  // namespace dra::report

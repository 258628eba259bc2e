// src/report/lists/list_devices.cpp: devices, pools and slices as rows. See list_devices.h.

#include "dra/report/lists/list_devices.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/engine/facts/device_attribute.h"
#include "dra/report/phrases/device_words.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using engine::DeviceState;
using engine::InventoryDevice;

view::Tone tone_of_device(DeviceState state) {
  switch (state) {
    case DeviceState::Free:
      return view::Tone::Good;
    case DeviceState::Shared:
    case DeviceState::Allocated:
      return view::Tone::Plain;
    case DeviceState::Tainted:
    case DeviceState::Unusable:
      return view::Tone::Warn;
    case DeviceState::Unknown:
      return view::Tone::Dim;
  }
  return view::Tone::Plain;
}

std::string attributes_text(const api::Device& device) {
  std::vector<std::string> parts;
  for (const auto& entry : device.attributes) {
    parts.push_back(base::format("{}={}", entry.key, engine::attribute_text(entry.value)));
  }
  return or_none(base::join(parts, ","));
}

std::string capacity_text(const api::Device& device) {
  std::vector<std::string> parts;
  for (const auto& entry : device.capacity) {
    parts.push_back(base::format("{}={}", entry.key, entry.value.value.text));
  }
  return or_none(base::join(parts, ","));
}

// As in CEL: a name without a domain belongs to the driver, and may be asked for with it.
std::string attribute_of(const InventoryDevice& device, std::string_view name) {
  const api::DeviceAttribute* found =
      engine::attribute_for(*device.published.device, device.published.slice->spec.driver, name);
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

json::Value device_json(const engine::Inventory& inventory, const InventoryDevice& device) {
  const engine::DeviceId id = device.published.id();
  json::Value value = json::Value::object();
  value.set("driver", id.driver);
  value.set("pool", id.pool);
  value.set("device", id.device);
  value.set("node", where_of(device));
  value.set("state", engine::name_of(device.state));
  value.set("poolStatus", engine::name_of(inventory.pools()[device.pool].state));
  json::Value claims = json::Value::array();
  for (const engine::Holding& holding : device.holders)
    claims.push(claim_json(holding));
  value.set("claims", std::move(claims));
  json::Value taints = json::Value::array();
  for (const engine::DeviceTaintOf& taint : device.taints)
    taints.push(taint_json(taint));
  value.set("taints", std::move(taints));
  json::Value attributes = json::Value::object();
  for (const auto& entry : device.published.device->attributes) {
    attributes.set(std::string(entry.key), typed_attribute(entry.value));
  }
  value.set("attributes", std::move(attributes));
  json::Value capacity = json::Value::object();
  for (const auto& entry : device.published.device->capacity) {
    capacity.set(std::string(entry.key), entry.value.value.text);
  }
  value.set("capacity", std::move(capacity));
  return value;
}

// A node can use devices that name it, and those that are for all nodes or for such as it is. A
// selector that cannot be read is one that the scheduler cannot follow either.
bool can_use(const DeviceFilter& filter, const engine::PoolDevice& device) {
  if (filter.node_object == nullptr) return engine::only_node_of(device) == filter.node;
  const auto usable = engine::is_for(device, *filter.node_object);
  return usable.ok() && usable.value();
}

}  // namespace

bool names(const DeviceFilter& filter, const engine::DeviceId& id) {
  if (!filter.driver.empty() && id.driver != filter.driver) return false;
  if (!filter.pool.empty() && id.pool != filter.pool) return false;
  if (filter.names.empty()) return true;
  const std::string whole = engine::to_string(id);
  return std::ranges::any_of(
      filter.names, [&](const std::string& name) { return name == id.device || name == whole; });
}

std::vector<const InventoryDevice*> choose_devices(const engine::Inventory& inventory,
                                                   const DeviceFilter& filter) {
  std::vector<const InventoryDevice*> chosen;
  for (const InventoryDevice& device : inventory.devices()) {
    const engine::DeviceId id = device.published.id();
    if (!names(filter, id)) continue;
    if (!filter.state.empty() && engine::name_of(device.state) != filter.state) continue;
    if (!filter.node.empty() && !can_use(filter, device.published)) continue;
    chosen.push_back(&device);
  }
  return chosen;
}

json::Value devices_json(const engine::Inventory& inventory, DeviceRows devices) {
  json::Value items = json::Value::array();
  for (const InventoryDevice* device : devices)
    items.push(device_json(inventory, *device));
  json::Value report = report_object("DeviceList");
  report.set("items", std::move(items));
  return report;
}

view::Document devices_view(DeviceRows devices, const std::vector<std::string>& attributes) {
  view::Table table = table_of({"DRIVER", "POOL", "DEVICE", "NODE", "STATE", "CLAIM", "POD"});
  for (const std::string& name : attributes)
    table.columns.push_back({.title = name});
  for (const char* title : {"ATTRIBUTES", "CAPACITY"}) {
    table.columns.push_back({.title = title, .wide = true});
  }
  for (const InventoryDevice* device : devices) {
    const engine::DeviceId id = device->published.id();
    std::vector<view::Cell> cells{
        cell(id.driver),
        cell(id.pool),
        cell(id.device),
        cell(where_of(*device)),
        cell(engine::name_of(device->state), tone_of_device(device->state)),
        cell(or_none(base::join(claims_of(*device), ","))),
        cell(or_none(base::join(users_of(*device), ",")))};
    for (const std::string& name : attributes)
      cells.push_back(cell(attribute_of(*device, name)));
    cells.push_back(cell(attributes_text(*device->published.device)));
    cells.push_back(cell(capacity_text(*device->published.device)));
    table.rows.push_back(std::move(cells));
  }
  view::Document document;
  document.add(std::move(table));
  return document;
}

}  // namespace dra::report

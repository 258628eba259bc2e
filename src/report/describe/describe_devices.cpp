// src/report/describe/describe_devices.cpp: folds equal devices into one row. Properties that all
// devices have are printed above the table; the columns are the two that split the devices best.

#include "src/report/describe/describe_devices.h"

#include <algorithm>
#include <map>
#include <set>

#include "dra/api/taint_rule.h"
#include "dra/api/words.h"
#include "dra/base/text.h"
#include "dra/engine/selectors/device_counts.h"
#include "dra/report/lists/list_devices.h"
#include "src/report/describe/describe_json.h"

namespace dra::report {
namespace {

using engine::DeviceState;
using engine::InventoryDevice;
using view::Tone;

constexpr std::size_t kMaxRows = 24;
constexpr std::size_t kMaxAttributes = 2;  // columns

// The values of one property for all devices, in order; empty for devices without it.
struct Spread {
  std::string name;
  std::vector<std::string> values;

  std::size_t distinct() const {
    return std::set<std::string_view>(values.begin(), values.end()).size();
  }
};

// Capacities by name, then attributes by name. A capacity and an attribute may have the same name.
std::vector<Spread> spreads_of(const Devices& devices) {
  std::map<std::pair<bool, std::string>, Spread> spreads;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const engine::PoolDevice& published = devices[i]->published;
    std::size_t capacities = published.device->capacity.size();
    for (Property& property : properties_of(published.slice->spec.driver, *published.device)) {
      const bool is_capacity = capacities > 0;
      if (is_capacity) --capacities;
      Spread& spread = spreads[{!is_capacity, property.name}];
      spread.name = std::move(property.name);
      spread.values.resize(devices.size());
      spread.values[i] = std::move(property.text);
    }
  }
  std::vector<Spread> list;
  list.reserve(spreads.size());
  for (auto& [key, spread] : spreads)
    list.push_back(std::move(spread));
  return list;
}

using Groups = std::vector<std::vector<std::string_view>>;  // the column values of each device

std::size_t count_groups(const Groups& groups) {
  return std::set<std::vector<std::string_view>>(groups.begin(), groups.end()).size();
}

Groups refined(Groups groups, const Spread& by) {
  for (std::size_t i = 0; i < groups.size(); ++i)
    groups[i].emplace_back(by.values[i]);
  return groups;
}

// The properties that split the devices into the most groups, without those that differ for every
// device, such as serial numbers.
std::vector<const Spread*> distinguishing_properties(const std::vector<Spread>& spreads,
                                                     std::size_t devices) {
  std::vector<const Spread*> chosen;
  Groups groups(devices);
  std::size_t parts = 1;
  while (chosen.size() < kMaxAttributes) {
    const Spread* best = nullptr;
    std::size_t most = parts;
    for (const Spread& spread : spreads) {
      const std::size_t distinct = spread.distinct();
      if (distinct < 2 || distinct >= devices) continue;
      const std::size_t count = count_groups(refined(groups, spread));
      if (count > most && count < devices) {
        most = count;
        best = &spread;
      }
    }
    if (best == nullptr) break;
    groups = refined(std::move(groups), *best);
    parts = most;
    chosen.push_back(best);
  }
  return chosen;
}

void add_common(Description& out, std::size_t devices, const std::vector<Spread>& spreads,
                const std::vector<const Spread*>& columns) {
  std::vector<Property> same;
  std::vector<std::string> differ;
  for (const Spread& spread : spreads) {
    const bool shown =
        std::ranges::any_of(columns, [&spread](const Spread* column) { return column == &spread; });
    if (spread.distinct() == 1) {
      same.push_back({spread.name, spread.values.front()});
    } else if (!shown) {
      differ.push_back(spread.name);
    }
  }
  view::Fields lines = section_fields();
  add_line(lines, devices == 1 ? "it has" : "each has", properties_text(same, same.size()));
  add_line(lines, "differ in", base::join(differ, ", "));
  if (lines.fields.empty()) return;
  out.add(std::move(lines));
  out.add(view::Blank{});
}

Tone tone_of_state(std::string_view state) {
  if (state == engine::words_of(DeviceState::Free)) return Tone::Good;
  if (state == engine::words_of(DeviceState::Unknown)) return Tone::Dim;
  const bool held = state == engine::words_of(DeviceState::Allocated) ||
                    state == engine::words_of(DeviceState::Shared);
  return held ? Tone::Plain : Tone::Warn;
}

// The claim that holds the device, and the pods that use the claim. Claims with admin access come
// last.
std::pair<std::string, std::string> holder_of(const InventoryDevice& device) {
  if (device.holders.empty()) return {};
  const auto taking = std::ranges::find_if(
      device.holders, [](const engine::Holding& holding) { return !holding.admin(); });
  const engine::Holding& first = taking == device.holders.end() ? device.holders.front() : *taking;
  const api::ObjectMeta& meta = first.claim->meta;
  const std::string more =
      device.holders.size() == 1 ? "" : base::format(" and {} more", device.holders.size() - 1);
  return {
      base::format("{}/{}{}{}", meta.namespace_, meta.name, first.admin() ? " (admin)" : "", more),
      consumers_of(*first.claim, 1)};
}

struct DeviceTableRow {
  std::vector<std::string_view> names;
  std::vector<std::string> cells;  // after the column of names
};

std::vector<DeviceTableRow> fold_rows(const Devices& devices,
                                      const std::vector<const Spread*>& columns) {
  std::vector<DeviceTableRow> rows;
  std::map<std::vector<std::string>, std::size_t> places;  // of the rows, by their cells
  for (std::size_t i = 0; i < devices.size(); ++i) {
    std::vector<std::string> cells;
    cells.reserve(columns.size() + 3);
    for (const Spread* column : columns)
      cells.push_back(column->values[i]);
    cells.emplace_back(engine::words_of(devices[i]->state));
    auto [claim, pod] = holder_of(*devices[i]);
    cells.push_back(std::move(claim));
    cells.push_back(std::move(pod));
    const auto [place, is_new] = places.try_emplace(cells, rows.size());
    if (is_new) rows.push_back({{}, std::move(cells)});
    rows[place->second].names.push_back(devices[i]->published.device->name);
  }
  return rows;
}

// Counters with equal values in one row: "memory-slice-0…3", "1 each".
struct CounterRow {
  std::vector<std::string_view> names;
  const engine::CounterState* state;  // of the first; the others have the same values
};

bool same_ledger(const engine::CounterState& a, const engine::CounterState& b) {
  return a.total == b.total && a.left == b.left && a.consumers == b.consumers;
}

std::vector<CounterRow> counter_rows(const engine::Counters& counters, std::string_view set) {
  std::vector<CounterRow> rows;
  for (const engine::CounterState* state : counters.of(set)) {
    const bool same = !rows.empty() && same_ledger(*rows.back().state, *state);
    if (!same) rows.push_back({{}, state});
    rows.back().names.push_back(state->name);
  }
  return rows;
}

json::Value counter_json(const engine::CounterState& state) {
  json::Value out = json::Value::object();
  out.set("counterSet", state.set);
  out.set("counter", state.name);
  out.set("total", state.total.to_string());
  out.set("used", state.used.to_string());
  out.set("left", state.left.to_string());
  json::Value& consumers = out.set("devices", json::Value::array());
  for (const engine::PoolDevice* device : state.consumers)
    consumers.push(device->device->name);
  return out;
}

std::string consumers_text(const engine::CounterState& state) {
  std::vector<std::string_view> names;
  for (const engine::PoolDevice* device : state.consumers)
    names.push_back(device->device->name);
  return fold_devices(names);
}

// " (2 of them tainted)", of those that are held in this state.
std::string too_tainted(const Devices& devices, DeviceState state) {
  if (state != DeviceState::Allocated && state != DeviceState::Shared) return {};
  const auto with = [&](bool taints) {
    return std::ranges::count_if(devices, [&](const InventoryDevice* device) {
      return device->state == state && (!taints || !device->taints.empty());
    });
  };
  const std::int64_t tainted = with(true);
  if (tainted == 0) return {};
  if (tainted == with(false)) return tainted == 1 ? " (and tainted)" : " (all of them tainted)";
  return base::format(" ({} of them tainted)", tainted);
}

}  // namespace

std::string count_states(const Devices& devices, std::size_t missing) {
  engine::DeviceCounts counts;
  for (const InventoryDevice* device : devices)
    counts.add(*device);
  std::vector<std::string> parts;
  std::string last;
  const auto add = [&](std::int64_t count, DeviceState state) {
    if (count == 0) return;
    last = std::string(engine::words_of(state)) + too_tainted(devices, state);
    parts.push_back(base::format("{} {}", count, last));
  };
  add(counts.in_use(), DeviceState::Allocated);
  add(counts.shared, DeviceState::Shared);
  add(counts.free, DeviceState::Free);
  add(counts.blocked, DeviceState::Blocked);
  add(counts.tainted, DeviceState::Tainted);
  add(counts.unusable, DeviceState::Unusable);
  add(counts.unknown, DeviceState::Unknown);
  std::string text = std::to_string(devices.size());
  if (parts.size() == 1)
    text += base::format(", {}{}", devices.size() > 1 ? "all " : "", last);
  else if (!parts.empty())
    text += ": " + base::join(parts, ", ");
  if (missing > 0) text += base::format("; {} missing", missing);
  return text;
}

Devices devices_of(const engine::Inventory& inventory, const api::ResourceSlice& slice) {
  Devices devices;
  for (const InventoryDevice& device : inventory.devices()) {
    if (device.published.slice == &slice) devices.push_back(&device);
  }
  return devices;
}

Devices devices_of(const engine::Inventory& inventory, const engine::Pool& pool) {
  Devices devices;
  for (const InventoryDevice& device : inventory.devices()) {
    const engine::Pool& of = inventory.pools()[device.pool];
    if (of.driver == pool.driver && of.name == pool.name) devices.push_back(&device);
  }
  return devices;
}

json::Value devices_json(const Scene& scene, const Devices& devices,
                         const std::vector<const engine::MissingDevice*>& missing) {
  json::Value list = json::Value::array();
  for (const InventoryDevice* device : devices)
    list.push(device_json({device, &scene.inventory.pools()[device->pool]}));
  for (const engine::MissingDevice* one : missing)
    list.push(device_json({nullptr, scene.inventory.find_pool(one->driver, one->pool), one}));
  return list;
}

std::vector<std::string_view> names_of(const Devices& devices) {
  std::vector<std::string_view> names;
  for (const InventoryDevice* device : devices)
    names.push_back(device->published.device->name);
  return names;
}

void add_devices(Description& out, const Devices& devices, const DeviceTable& shape) {
  if (devices.empty()) return;
  const std::vector<Spread> spreads = spreads_of(devices);
  const std::vector<const Spread*> columns = distinguishing_properties(spreads, devices.size());
  const std::vector<DeviceTableRow> rows = fold_rows(devices, columns);
  out.section(shape.title);
  if (shape.attributes) add_common(out, devices.size(), spreads, columns);
  view::Table table = section_table({"DEVICE"});
  for (const Spread* column : columns)
    table.columns.push_back({.title = column->name.substr(column->name.rfind('/') + 1)});
  for (const char* title : {"STATE", "CLAIM", "USED BY"})
    table.columns.push_back({.title = title, .elastic = true});
  for (const DeviceTableRow& row : rows) {
    if (table.rows.size() == kMaxRows) break;
    std::vector<view::Cell> cells{cell(fold_devices(row.names))};
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const bool is_state = i == columns.size();
      cells.push_back(cell(row.cells[i], is_state ? tone_of_state(row.cells[i]) : Tone::Plain));
    }
    table.rows.push_back(std::move(cells));
  }
  drop_empty_columns(table);
  const std::size_t shown = table.rows.size();
  out.add(std::move(table));
  if (shown < rows.size())
    out.note(base::format("and {} more: {}", rows.size() - shown, out.command("devices")));
}

void add_counters(Description& out, const engine::Counters& counters,
                  const std::vector<std::string_view>& sets) {
  json::Value list = json::Value::array();
  for (const std::string_view set : sets) {
    for (const engine::CounterState* state : counters.of(set))
      list.push(counter_json(*state));
    view::Table table = section_table({"COUNTER", "TOTAL", "USED", "LEFT", "TAKEN BY"});
    for (const CounterRow& row : counter_rows(counters, set)) {
      const engine::CounterState& state = *row.state;
      const char* each = row.names.size() > 1 ? " each" : "";
      const Tone tone = state.left.sign() > 0 || state.total.is_zero() ? Tone::Plain : Tone::Warn;
      table.rows.push_back({cell(fold_names(row.names)), cell(state.total.to_string() + each),
                            cell(state.used.to_string()), cell(state.left.to_string(), tone),
                            cell(consumers_text(state))});
    }
    drop_empty_columns(table);
    out.section(base::format("Counters of {}", set));
    out.add(std::move(table));
  }
  out.set("counters", std::move(list));
}

void add_taints(Description& out, const Devices& devices) {
  const Scene& scene = out.scene();
  struct Tainted {
    engine::DeviceTaintOf taint;
    std::string cells[4];  // the taint, from, since, means
    Devices devices;
  };
  std::vector<Tainted> list;
  for (const InventoryDevice* device : devices) {
    for (const engine::DeviceTaintOf& taint : all_taints_of(scene, *device)) {
      Tainted one{taint,
                  {taint_text(*taint.taint), taint_origin(taint),
                   age_of(taint.taint->added, scene.now), taint_effect(scene, *taint.taint)},
                  {}};
      const auto known = std::ranges::find_if(list, [&one](const Tainted& other) {
        return std::ranges::equal(one.cells, other.cells);
      });
      Tainted& entry = known == list.end() ? list.emplace_back(std::move(one)) : *known;
      entry.devices.push_back(device);
    }
  }
  json::Value all_taints = json::Value::array();
  view::Table table = section_table({"TAINT", "DEVICES", "FROM", "SINCE", "EFFECT"});
  table.columns.back().elastic = false;
  for (const Tainted& entry : list) {
    const Tone tone = entry.taint.taint->keeps_pods_away() ? Tone::Warn : Tone::Dim;
    json::Value& one = all_taints.push(taint_json(*entry.taint.taint));
    if (entry.taint.rule != nullptr) one.set("rule", entry.taint.rule->meta.name);
    one.set("devices", texts_json(names_of(entry.devices)));
    const bool all = entry.devices.size() == devices.size();
    const std::string which = all ? "all" : fold_devices(names_of(entry.devices));
    table.rows.push_back({cell(entry.cells[0], tone), cell(devices.size() == 1 ? "" : which),
                          cell(entry.cells[1]), cell(entry.cells[2]), cell(entry.cells[3])});
  }
  drop_empty_columns(table);
  out.set("taints", std::move(all_taints));
  out.section("Taints");
  out.add(std::move(table));
}

}  // namespace dra::report

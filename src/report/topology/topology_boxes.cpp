// src/report/topology/topology_boxes.cpp: devices grouped by machine and attributes, as JSON and as
// text.

#include <algorithm>
#include <map>
#include <set>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/engine/selectors/device_counts.h"
#include "dra/report/phrases/reason_json.h"
#include "dra/report/phrases/words.h"
#include "src/report/topology/topology_parts.h"

namespace dra::report {
namespace {

using topology::Alignment;
using topology::Box;
using topology::GroupRow;
using view::Tone;

constexpr std::size_t kMostBoxes = 3;   // machines without -o wide
constexpr std::size_t kMostNamed = 12;  // a longer row has no names of devices

json::Value level_json(const topology::Level& level) {
  json::Value value = json::Value::object();
  value.set("title", level.title);
  value.set("attributes", strings_json(level.attributes));
  return value;
}

json::Value alignment_json(const Alignment& alignment) {
  json::Value value = json::Value::object();
  value.set("attribute", alignment.attribute);
  json::Value& values = value.set("values", json::Value::array());
  for (const topology::AlignedValue& one : alignment.values) {
    json::Value& entry = values.push(json::Value::object());
    entry.set("value", one.value);
    json::Value& free = entry.set("free", json::Value::object());
    for (const auto& [driver, count] : one.free)
      free.set(std::string(driver), json_if_known(count));
  }
  value.set("lack", strings_json(alignment.lack));
  return value;
}

// The title of a row: "numa 0  pcie pci0000:10".
std::string title_of(const Box& box, const GroupRow& row) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < box.levels.size(); ++i) {
    if (row.values[i]) parts.push_back(base::format("{} {}", box.levels[i].title, *row.values[i]));
  }
  return parts.empty() ? std::string(kNone) : base::join(parts, "  ");
}

std::size_t width_of(std::string_view text) { return base::width(base::printable(text)); }

// True if all devices of the row have different names.
bool are_told_apart(const GroupRow& row, const Scene& scene) {
  std::set<std::string_view> names;
  return std::ranges::all_of(row.devices, [&](std::size_t number) {
    return names.insert(scene.inventory.devices()[number].published.device->name).second;
  });
}

void add_rows_of(const Box& box, const Scene& scene, Marks& marks, view::Document& document) {
  std::size_t width = 0;
  for (const GroupRow& row : box.rows)
    width = std::max(width, width_of(title_of(box, row)));
  for (const GroupRow& row : box.rows) {
    view::Row drawing{.title = title_of(box, row), .places = {}};
    drawing.title += std::string(width - width_of(drawing.title) + 1, ' ');
    const bool named = row.devices.size() <= kMostNamed && are_told_apart(row, scene);
    for (const std::size_t number : row.devices) {
      const engine::InventoryDevice& device = scene.inventory.devices()[number];
      view::Place place = marks.of(device);
      if (named) place.name = device.published.device->name;
      drawing.places.push_back(std::move(place));
    }
    document.add(std::move(drawing));
  }
}

// The devices that matchAttribute can combine: a row for each value, a column for each driver.
void add_alignment(const Alignment& alignment, view::Document& document) {
  std::set<std::string_view> drivers;
  for (const topology::AlignedValue& one : alignment.values) {
    for (const auto& [driver, count] : one.free)
      drivers.insert(driver);
  }
  const std::string lack = alignment.lack.empty() ? std::string()
                                                  : base::format("; {} cannot be matched by it",
                                                                 base::join(alignment.lack, ", "));
  document.add(
      view::Paragraph{.spans = {span("matchAttribute ", Tone::Dim), span(alignment.attribute),
                                span(base::format(" finds these free devices{}", lack), Tone::Dim)},
                      .indent = 2});
  view::Table table{.columns = {{.title = "VALUE", .elastic = true}},
                    .rows = {},
                    .indent = 4,
                    .fits_width = true};
  for (const std::string_view driver : drivers)
    table.columns.push_back({.title = std::string(driver), .elastic = true});
  for (const topology::AlignedValue& one : alignment.values) {
    std::vector<view::Cell> cells = {cell(one.value)};
    for (const std::string_view driver : drivers) {
      const auto free = one.free.find(driver);
      cells.push_back(free == one.free.end() ? cell("-", Tone::Dim)
                      : free->second         ? cell(*free->second)
                                             : cell("?", Tone::Dim));
    }
    table.rows.push_back(std::move(cells));
  }
  document.add(std::move(table));
}

std::string by_words(const Box& box) {
  std::vector<std::string> titles;
  for (const topology::Level& level : box.levels)
    titles.push_back(level.title);
  return titles.empty() ? "" : base::format("   by {}", base::join(titles, ", "));
}

void add_box_head(const Box& box, const Scene& scene, view::Document& document) {
  engine::DeviceCounts counts;
  for (const GroupRow& row : box.rows) {
    for (const std::size_t number : row.devices)
      counts.add(scene.inventory.devices()[number]);
  }
  const std::string all = base::plural(counts.devices, "device");
  std::string use = base::format("{} of {} free", counts.free, all);
  const auto add = [&use](std::int64_t count, std::string_view words) {
    if (count > 0) use += base::format(", {} {}", count, words);
  };
  add(counts.shared, "shared with room for more");
  add(counts.blocked, "blocked");
  add(counts.tainted, "tainted");
  add(counts.unusable, "unusable");
  if (counts.unknown > 0)
    use =
        base::format("{}; who is using {} is not known", all,
                     counts.unknown == counts.devices ? std::string("them")
                                                      : base::format("{} of them", counts.unknown));
  const std::string title = !box.clique.empty() ? base::format("NVLink clique {}", box.clique)
                            : !box.node.empty() ? base::format("node {}", box.node)
                                                : std::string("devices");
  document.add(view::Paragraph{
      .spans = {span(title, Tone::Strong), span(by_words(box)), span(base::format("   {}", use))}});
}

void add_box(const Box& box, const Asked& asked, const Scene& scene, const TopologyView& options,
             view::Document& document) {
  Marks marks(scene, options.details, asked);
  add_box_head(box, scene, document);
  add_rows_of(box, scene, marks, document);
  add_sets(box.sets, document);
  for (const Alignment& alignment : box.alignments)
    add_alignment(alignment, document);
  marks.add_legend(document, options.wide);
  document.add(view::Blank{});
}

// The devices of the machines that are not drawn, by driver and pool.
std::vector<TopologyRow> folded(const std::vector<Box>& boxes, const Scene& scene) {
  std::set<std::size_t> devices;
  for (const Box& box : boxes) {
    for (const GroupRow& row : box.rows) {
      if (!box.node.empty()) devices.insert(row.devices.begin(), row.devices.end());
    }
  }
  return rows_by_pool(devices, scene);
}

void add_folded(const Topology& topology, const Scene& scene, const TopologyView& options,
                view::Document& document) {
  const std::vector<TopologyRow> pools = folded(topology.boxes, scene);
  add_rows({pools, "`topology node NAME` shows where in its machine each is"}, topology.asked,
           scene, options, document);
}

}  // namespace

json::Value sets_json(const std::vector<topology::DeviceSets>& sets) {
  json::Value list = json::Value::array();
  for (const topology::DeviceSets& one : sets) {
    json::Value& value = list.push(json::Value::object());
    value.set("attribute", one.attribute);
    value.set("size", one.size);
    value.set("total", one.total);
    value.set("free", json_if_known(one.free));
  }
  return list;
}

json::Value box_json(const Box& box, const Scene& scene, const Asked& asked) {
  json::Value value = json::Value::object();
  value.set("node", box.node.empty() ? json::Value() : json::Value(box.node));
  if (!box.clique.empty()) value.set("clique", box.clique);
  json::Value& levels = value.set("levels", json::Value::array());
  for (const topology::Level& level : box.levels)
    levels.push(level_json(level));
  json::Value& rows = value.set("rows", json::Value::array());
  for (const GroupRow& row : box.rows) {
    json::Value& one = rows.push(json::Value::object());
    json::Value& values = one.set("values", json::Value::array());
    for (const auto& text : row.values)
      values.push(text ? json::Value(*text) : json::Value());
    one.set("devices", devices_json(row.devices, scene, asked));
  }
  json::Value& alignments = value.set("alignments", json::Value::array());
  for (const Alignment& alignment : box.alignments)
    alignments.push(alignment_json(alignment));
  value.set("sets", sets_json(box.sets));
  return value;
}

void add_sets(const std::vector<topology::DeviceSets>& sets, view::Document& document) {
  std::string text;
  for (const topology::DeviceSets& one : sets) {
    if (one.size > 1)  // a single device is no set
      text += base::format("  {} {}/{} ({} devices each)", one.attribute,
                           one.free ? std::to_string(*one.free) : "?", one.total, one.size);
  }
  if (text.empty()) return;
  document.add(
      view::Paragraph{.spans = {span("whole sets free", Tone::Strong), span(text)}, .indent = 2});
}

void add_boxes(const Topology& topology, const Scene& scene, const TopologyView& options,
               view::Document& document) {
  const auto machines =
      std::ranges::count_if(topology.boxes, [](const Box& box) { return !box.node.empty(); });
  const bool fold = !options.wide && machines > static_cast<std::ptrdiff_t>(kMostBoxes);
  for (const Box& box : topology.boxes) {
    if (!fold || box.node.empty()) add_box(box, topology.asked, scene, options, document);
  }
  if (fold) add_folded(topology, scene, options, document);
}

}  // namespace dra::report

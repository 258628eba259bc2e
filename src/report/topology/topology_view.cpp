// src/report/topology/topology_view.cpp: grids and rows of pools as text.

#include <algorithm>

#include "dra/base/text.h"
#include "dra/report/phrases/device_words.h"
#include "dra/report/phrases/words.h"
#include "dra/report/topology/topology.h"
#include "src/report/topology/host_names.h"
#include "src/report/topology/topology_environment.h"
#include "src/report/topology/topology_parts.h"
#include "src/report/topology/topology_title.h"

namespace dra::report {
namespace {

using topology::CellState;
using topology::ChipGrid;
using topology::GridCell;
using topology::GridHost;
using topology::HostState;
using topology::Placement;
using topology::Tiles;
using view::Tone;

constexpr std::int64_t kMostChips = 64;  // a larger grid is drawn by host
constexpr std::size_t kMostNodes = 3;    // names of nodes in the title of a row
constexpr std::size_t kMostNames = 64;   // names of hosts next to a grid in HTML

std::string placement_words(Placement placement, bool several) {
  switch (placement) {
    case Placement::Exact:
      return "exact";
    case Placement::FromIndex:
      return "from index";
    case Placement::FromWorkers:
      return "from worker index";
    case Placement::Assumed:
      return several ? "assumed (sorted node names)" : "assumed";
  }
  return {};
}

std::int64_t count(const ChipGrid& grid, CellState state) {
  return std::ranges::count(grid.cells, state, &GridCell::state);
}

// Free chips on hosts that accept no pods.
std::int64_t idle_chips(const ChipGrid& grid) {
  return std::ranges::count_if(grid.cells, [&grid](const GridCell& cell) {
    return cell.state == CellState::Free && !grid.hosts[cell.host].takes_pods();
  });
}

// "11/16 chips in use, 5 missing (4 on lost hosts)"
std::string use_words(const ChipGrid& grid) {
  const std::int64_t used = count(grid, CellState::Allocated) + count(grid, CellState::HeldTwice);
  const std::int64_t lost = count(grid, CellState::HostMissing);
  const std::int64_t missing = count(grid, CellState::Missing) + lost;
  std::string text = base::format("{}/{} chips in use", used, grid.shape.size());
  const auto add = [&](CellState state, std::string_view words) {
    if (const std::int64_t number = count(grid, state); number > 0)
      text += base::format(", {} {}", number, words);
  };
  add(CellState::HeldTwice, "of them held twice");
  add(CellState::Shared, "shared");
  add(CellState::Blocked, "blocked");
  add(CellState::Tainted, "tainted");
  add(CellState::Unusable, "unusable");
  add(CellState::Unknown, "not known");
  if (missing > 0) text += base::format(", {} missing", missing);
  if (lost > 0)
    text += base::format(" ({} on lost hosts)", lost == missing ? "all" : std::to_string(lost));
  add(CellState::ChipNotKnown, "whose chip is not known");
  add(CellState::HostNotKnown, "on hosts whose place is not known");
  if (const std::int64_t idle = idle_chips(grid); idle > 0)
    text += base::format(", {} free on hosts that take no pods", idle);
  return text;
}

std::string wrap_words(const ChipGrid& grid) {
  const bool exact = grid.placement == Placement::Exact;
  if (!grid.wraps) return exact ? "" : "   wraps: not known";
  std::vector<std::string> axes;
  for (std::size_t i = 0; i < grid.wraps->size(); ++i) {
    if ((*grid.wraps)[i]) axes.emplace_back(1, grid.axes[i]);
  }
  return axes.empty() ? std::string() : base::format("   wraps: {}", base::join(axes, ", "));
}

// "TPU v5p", "neuron.aws.com trn2.48xlarge"
std::string kind_of(const ChipGrid& grid) {
  const bool exact = grid.placement == Placement::Exact;
  const std::string_view generation = grid.generation.empty() && !exact
                                          ? std::string_view("of unknown generation")
                                          : grid.generation;
  const std::string_view what = exact ? grid.driver : std::string_view("TPU");
  return generation.empty() ? std::string(what) : base::format("{} {}", what, generation);
}

void add_grid_head(const ChipGrid& grid, view::Document& document) {
  const bool several = grid.hosts.size() > 1;
  const std::string hosts =
      several ? base::format(" ({} hosts of {})", grid.hosts.size(), to_string(grid.host)) : "";
  document.add(view::Paragraph{
      .spans = {
          span(base::format("{}  {}{}", kind_of(grid), to_string(grid.shape), hosts), Tone::Strong),
          span(base::format("   placement: {}{}", placement_words(grid.placement, several),
                            wrap_words(grid)),
               grid.placement == Placement::Assumed ? Tone::Warn : Tone::Plain)}});
  document.add(view::Paragraph{.spans = {span(base::format("{} {}   {}", several ? "pool" : "node",
                                                           grid.name, use_words(grid)))},
                               .indent = 2});
  if (!grid.note.empty())
    document.add(view::Paragraph{.spans = {span(sentence(grid.note), Tone::Warn)}, .indent = 2});
}

// "w5", or the node's name if the worker number is only assumed.
std::string host_name(const GridHost& host) {
  if (host.worker) return base::format("worker {}", *host.worker);
  return host.node.empty() ? "no node" : std::string(host.node);
}

std::string name_of_grid(const ChipGrid& grid) {
  return base::format("{} {} {}", kind_of(grid), to_string(grid.shape), grid.name);
}

}  // namespace

std::string plane_title(const ChipGrid& grid, const HostNames& names, std::int64_t z) {
  const bool assumed = grid.placement == Placement::Assumed;
  const std::string plane = assumed ? "" : base::format("z{} ", z);
  const bool one_host = grid.shape.x == grid.host.x && grid.shape.y == grid.host.y;
  if (!one_host) return assumed ? "plane" : plane;
  return plane + names.own[static_cast<std::size_t>(z / grid.host.z)];
}

view::Grid empty_grid(const ChipGrid& grid, const topology::Shape& shape,
                      const topology::Shape& box) {
  return {.name = name_of_grid(grid),
          .columns = static_cast<int>(shape.x),
          .rows = static_cast<int>(shape.y),
          .planes = static_cast<int>(shape.z),
          .box_columns = static_cast<int>(box.x),
          .box_rows = static_cast<int>(box.y),
          .places = {},
          .axes = std::string(grid.axes.substr(0, 2)),
          .wraps_columns = grid.wraps && (*grid.wraps)[0],
          .wraps_rows = grid.wraps && (*grid.wraps)[1]};
}

namespace {

view::Grid chips_of(const ChipGrid& grid, const HostNames& names, Marks& marks) {
  view::Grid drawing = empty_grid(grid, grid.shape, grid.host);
  drawing.numbered = grid.placement != Placement::Assumed && grid.shape.z == 1;
  for (std::int64_t z = 0; z < grid.shape.z && grid.shape.z > 1; ++z)
    drawing.titles.push_back(plane_title(grid, names, z));
  const bool in_titles = !drawing.titles.empty() && drawing.box_columns == drawing.columns &&
                         drawing.box_rows == drawing.rows;
  if (grid.hosts.size() > 1 && !in_titles) drawing.beside = names_beside(grid, names);
  drawing.places.reserve(grid.cells.size());
  for (std::size_t i = 0; i < grid.cells.size(); ++i)
    drawing.places.push_back(marks.of(grid, i));
  return drawing;
}

// Explains the names to the right of the grid.
void add_names(const ChipGrid& grid, const HostNames& names, view::Document& document) {
  std::vector<std::string> parts;
  if (!names.around.empty()) parts.push_back(base::format("nodes are {}", names.around));
  if (grid.hosts.front().worker) parts.emplace_back("w0 is worker 0");
  if (!parts.empty())
    document.add(view::Paragraph{.spans = {span(base::join(parts, ", "), Tone::Dim)}, .indent = 2});
}

// "worker 5 (node)"
std::string long_name(const GridHost& host) {
  const std::string node = host.node.empty() ? "" : base::format(" ({})", host.node);
  return host.worker ? host_name(host) + node : host_name(host);
}

// Lists hosts with a problem; with -o wide all hosts. In HTML the places name their hosts.
void add_hosts(const ChipGrid& grid, const TopologyView& options, view::Document& document) {
  const bool named = options.wide && grid.hosts.size() > 1;
  std::vector<std::string> names;
  for (const GridHost& host : grid.hosts) {
    if (host.why.empty()) {
      if (named && options.details) names.push_back(long_name(host));
      if (!named || options.details) continue;
    }
    document.add(
        view::Paragraph{.spans = {span(long_name(host), Tone::Strong),
                                  span(host.why.empty() ? std::string() : ": " + host.why,
                                       host.state == HostState::Whole ? Tone::Warn : Tone::Bad)},
                        .indent = 2});
  }
  if (names.empty() || names.size() > kMostNames) return;
  document.add(view::Paragraph{.spans = {span("hosts  ", Tone::Dim), span(base::join(names, ", "))},
                               .indent = 2});
}

std::string tile_words(const std::vector<Tiles>& tiles,
                       std::optional<std::int64_t> Tiles::*number) {
  std::string text;
  for (const Tiles& one : tiles) {
    if (one.*number)
      text += base::format("  {} {}/{}", to_string(one.shape), *(one.*number), one.total);
  }
  return text;
}

// True if a host is partly free: the driver does not allocate parts of a host.
bool has_broken_hosts(const ChipGrid& grid) {
  std::vector<std::int64_t> free(grid.hosts.size());
  for (const GridCell& cell : grid.cells)
    free[cell.host] += cell.state == CellState::Free ? 1 : 0;
  return std::ranges::any_of(
      free, [&grid](std::int64_t chips) { return chips > 0 && chips < grid.host.size(); });
}

// The shapes of parts that the driver can allocate, if the number of free parts is not known.
std::string not_known_words(const ChipGrid& grid) {
  std::vector<std::string> shapes;
  for (const Tiles& one : grid.tiles) {
    if (!one.placeable && divided(one.shape, grid.host)) shapes.push_back(to_string(one.shape));
  }
  return shapes.empty() ? "" : base::format("   of {} not known", base::join(shapes, ", "));
}

// The parts that can still be allocated, and the fragmentation of the free chips.
void add_tiles(const ChipGrid& grid, bool wide, view::Document& document) {
  const bool free = std::ranges::any_of(
      grid.tiles, [](const Tiles& one) { return one.by_geometry.value_or(1) > 0; });
  if (grid.tiles.empty() || (!free && grid.hosts.size() == 1)) return;
  std::string text = tile_words(grid.tiles, &Tiles::placeable) + not_known_words(grid);
  if (grid.fragmentation) {
    const topology::Fragmentation& parts = *grid.fragmentation;
    text += base::format("   {} chips free, the largest part {}: fragmentation {}%", parts.free,
                         parts.largest, parts.percent());
  }
  document.add(view::Paragraph{.spans = {span("free aligned parts", Tone::Strong),
                                         span(free ? text : std::string("  none"))},
                               .indent = 2});
  const bool idle = idle_chips(grid) > 0;
  if (free && (has_broken_hosts(grid) || idle || wide))
    document.add(view::Paragraph{.spans = {span("free by geometry", Tone::Strong),
                                           span(tile_words(grid.tiles, &Tiles::by_geometry)),
                                           span(base::format("   only whole hosts{} are usable",
                                                             idle ? " on schedulable nodes" : ""),
                                                Tone::Dim)},
                                 .indent = 2});
}

void add_unplaced(const std::vector<std::size_t>& devices, const Scene& scene, Marks& marks,
                  view::Document& document) {
  if (devices.empty()) return;
  std::vector<view::Span> spans = {span("where these are is not known:", Tone::Warn)};
  for (const std::size_t number : devices) {
    const engine::InventoryDevice& device = scene.inventory.devices()[number];
    spans.push_back(span(base::format(" {} ", engine::to_string(device.published.id()))));
    spans.push_back(marks.of(device).mark);
  }
  document.add(view::Paragraph{.spans = std::move(spans), .indent = 2});
}

// The pool, its nodes unless the pool has the node's name, and the problem of its node.
std::string row_title(const TopologyRow& row, const Scene& scene) {
  const std::vector<std::string> nodes = nodes_of(row, scene);
  std::vector<std::string> words;
  if (nodes.size() > 1 || nodes.front() != row.pool->name)
    words.push_back(base::join_first(nodes, kMostNodes));
  if (nodes.size() == 1) {
    GridHost host{.node = only_node_of(scene.inventory.devices()[row.devices.front()].published)};
    const std::string_view idle = host.node.empty() ? "" : look_at_node(scene.snapshot, host);
    if (!idle.empty()) words.push_back(base::format("node {}", idle));
  }
  return words.empty() ? base::format("{} ", row.pool->name)
                       : base::format("{} ({}) ", row.pool->name, base::join(words, ", "));
}

void add_grid(const ChipGrid& grid, const Asked& asked, const Scene& scene,
              const TopologyView& options, view::Document& document) {
  Marks marks(scene, options.details, asked);
  add_grid_head(grid, document);
  if (grid.shape.size() <= kMostChips) {
    const HostNames names = host_names(grid.hosts);
    view::Grid chips = chips_of(grid, names, marks);
    const bool named = grid.hosts.size() > 1 && (!chips.titles.empty() || !chips.beside.empty());
    document.add(std::move(chips));
    if (named) add_names(grid, names, document);
  } else {
    add_grid_of_hosts(grid, asked, scene, options, document);
  }
  add_hosts(grid, options, document);
  if (options.wide) add_environments(grid, scene, document);
  add_unplaced(grid.unplaced, scene, marks, document);
  add_tiles(grid, options.wide, document);
  add_sets(grid.sets, document);
  marks.add_legend(document, options.wide);
  document.add(view::Blank{});
}

}  // namespace

void add_rows(const PoolRows& rows, const Asked& asked, const Scene& scene,
              const TopologyView& options, view::Document& document) {
  const auto& pools = rows.pools;
  for (std::size_t i = 0; i < pools.size();) {
    const std::string_view driver = pools[i].pool->driver;
    Marks marks(scene, options.details, asked);
    std::size_t end = i;
    std::size_t devices = 0;
    while (end < pools.size() && pools[end].pool->driver == driver)
      devices += pools[end++].devices.size();
    const bool of_several = devices > end - i;  // a device alone has no place among others
    document.add(view::Paragraph{
        .spans = {span(std::string(driver), Tone::Strong),
                  span(base::format("   {} in {}{}{}",
                                    base::plural(static_cast<std::int64_t>(devices), "device"),
                                    base::plural(static_cast<std::int64_t>(end - i), "pool"),
                                    of_several ? "; " : "", of_several ? rows.words : ""))}});
    const std::size_t most = options.wide ? end : std::min(end, i + kMostRows);
    for (std::size_t row = i; row < most; ++row) {
      view::Row drawing{.title = row_title(pools[row], scene), .places = {}};
      for (const std::size_t number : pools[row].devices)
        drawing.places.push_back(marks.of(scene.inventory.devices()[number]));
      document.add(std::move(drawing));
    }
    if (most < end)
      document.add(view::Paragraph{
          .spans = {span(base::format("and {} more pools: -o wide", end - most), Tone::Dim)},
          .indent = 2});
    marks.add_legend(document, options.wide);
    document.add(view::Blank{});
    i = end;
  }
}

view::Document to_view(const Topology& topology, const Scene& scene, const TopologyView& options) {
  view::Document document;
  for (const ChipGrid& grid : topology.grids)
    add_grid(grid, topology.asked, scene, options, document);
  add_boards(topology, scene, options, document);
  add_boxes(topology, scene, options, document);
  add_rows({topology.rows, "where they are in their machines is not published"}, topology.asked,
           scene, options, document);
  add_gone(topology.gone, options, document);
  const bool alone = topology.grids.size() == 1 && topology.boards.empty() &&
                     topology.boxes.empty() && topology.rows.empty();
  document.title =
      alone ? base::format("{}: {}", topology.grids.front().name, use_words(topology.grids.front()))
            : title_of(topology, scene);
  return document;
}

}  // namespace dra::report

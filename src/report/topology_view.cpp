// src/report/topology_view.cpp: grids and rows as text. Arranges facts; computes none.

#include <algorithm>

#include "dra/base/text.h"
#include "dra/report/topology.h"
#include "src/report/device_words.h"
#include "src/report/host_names.h"
#include "src/report/topology_environment.h"
#include "src/report/topology_parts.h"
#include "src/report/words.h"

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

constexpr std::int64_t kMostChips = 64;   // of a grid that is drawn chip by chip
constexpr std::int64_t kMostPlanes = 16;  // of one that is drawn at all

std::string words_of(Placement placement, bool several) {
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

// "11/16 chips in use, 1 missing, 4 on lost hosts"
std::string use_words(const ChipGrid& grid) {
  std::string text =
      base::format("{}/{} chips in use", count(grid, CellState::Allocated), grid.shape.size());
  const auto add = [&](CellState state, std::string_view words) {
    if (const std::int64_t number = count(grid, state); number > 0)
      text += base::format(", {} {}", number, words);
  };
  add(CellState::Tainted, "tainted");
  add(CellState::Unusable, "unusable");
  add(CellState::Unknown, "not known");
  add(CellState::Missing, "missing");
  add(CellState::HostMissing, "on lost hosts");
  add(CellState::HostNotKnown, "on hosts whose place is not known");
  const auto idle = std::ranges::count_if(grid.cells, [&grid](const GridCell& cell) {
    return cell.state == CellState::Free && !grid.hosts[cell.host].takes_pods();
  });
  if (idle > 0) text += base::format(", {} free on hosts that take no pods", idle);
  return text;
}

std::string wrap_words(const ChipGrid& grid) {
  std::vector<std::string> axes;
  for (std::size_t i = 0; i < grid.wraps.size(); ++i) {
    if (grid.wraps[i]) axes.emplace_back(1, grid.axes[i]);
  }
  return axes.empty() ? std::string() : base::format("   wraps: {}", base::join(axes, ", "));
}

// "TPU v5p", "neuron.aws.com trn2.48xlarge"
std::string kind_of(const ChipGrid& grid) {
  const bool told = grid.placement == Placement::Exact;
  const std::string_view generation = grid.generation.empty() && !told
                                          ? std::string_view("of unknown generation")
                                          : grid.generation;
  const std::string_view what = told ? grid.driver : std::string_view("TPU");
  return generation.empty() ? std::string(what) : base::format("{} {}", what, generation);
}

void add_head(const ChipGrid& grid, view::Document& document) {
  const bool several = grid.hosts.size() > 1;
  const std::string hosts =
      several ? base::format(" ({} hosts of {})", grid.hosts.size(), to_string(grid.host)) : "";
  document.add(view::Paragraph{
      .spans = {
          span(base::format("{}  {}{}", kind_of(grid), to_string(grid.shape), hosts), Tone::Strong),
          span(base::format("   placement: {}{}", words_of(grid.placement, several),
                            wrap_words(grid)),
               grid.placement == Placement::Assumed ? Tone::Warn : Tone::Plain)}});
  document.add(view::Paragraph{.spans = {span(base::format("{} {}   {}", several ? "pool" : "node",
                                                           grid.name, use_words(grid)))},
                               .indent = 2});
  if (!grid.note.empty())
    document.add(view::Paragraph{.spans = {span(sentence(grid.note), Tone::Warn)}, .indent = 2});
}

// "w5", or the node where which worker it is is only assumed.
std::string host_name(const GridHost& host) {
  if (host.worker) return base::format("worker {}", *host.worker);
  return host.node.empty() ? "no node" : std::string(host.node);
}

// Of planes of one host, which host.
std::string plane_title(const ChipGrid& grid, const HostNames& names, std::int64_t z) {
  const bool assumed = grid.placement == Placement::Assumed;
  const std::string plane = assumed ? "" : base::format("z{} ", z);
  const bool one_host = grid.shape.x == grid.host.x && grid.shape.y == grid.host.y;
  if (!one_host) return assumed ? "plane" : plane;
  return plane + names.own[static_cast<std::size_t>(z / grid.host.z)];
}

std::string name_of_grid(const ChipGrid& grid) {
  return base::format("{} {} {}", kind_of(grid), to_string(grid.shape), grid.name);
}

// A grid of places with this shape, in boxes of that one.
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
          .wraps_columns = grid.wraps[0],
          .wraps_rows = grid.wraps[1]};
}

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

// One place is a host: how many of its chips are free.
view::Grid hosts_of(const ChipGrid& grid, const topology::Shape& shape, const Asked& asked,
                    Marks& marks) {
  std::vector<std::optional<std::int64_t>> free(grid.hosts.size(), 0);
  std::vector<bool> is_asked(grid.hosts.size());
  for (const GridCell& cell : grid.cells) {
    auto& of_host = free[cell.host];
    if (cell.state == CellState::Unknown) of_host.reset();
    if (cell.state == CellState::Free && of_host) ++*of_host;
    if (cell.device && asked.devices.contains(*cell.device)) is_asked[cell.host] = true;
  }
  view::Grid drawing = empty_grid(grid, shape, shape);
  for (std::int64_t z = 0; z < shape.z && shape.z > 1; ++z)
    drawing.titles.push_back(base::format("z{}", z));
  drawing.places.reserve(grid.hosts.size());
  for (std::size_t i = 0; i < grid.hosts.size(); ++i)
    drawing.places.push_back(marks.of_host(grid.hosts[i], free[i], is_asked[i]));
  return drawing;
}

// What the names beside the picture mean.
void add_names(const ChipGrid& grid, const HostNames& names, view::Document& document) {
  std::vector<std::string> parts;
  if (!names.around.empty()) parts.push_back(base::format("nodes are {}", names.around));
  if (grid.hosts.front().worker) parts.emplace_back("w0 is worker 0");
  if (!parts.empty())
    document.add(view::Paragraph{.spans = {span(base::join(parts, ", "), Tone::Dim)}, .indent = 2});
}

void add_hosts(const ChipGrid& grid, view::Document& document, bool wide) {
  for (const GridHost& host : grid.hosts) {
    if (host.why.empty() && (!wide || grid.hosts.size() == 1)) continue;
    const std::string node = host.node.empty() ? "" : base::format(" ({})", host.node);
    const std::string who = host.worker ? host_name(host) + node : host_name(host);
    document.add(
        view::Paragraph{.spans = {span(who, Tone::Strong),
                                  span(host.why.empty() ? std::string() : ": " + host.why,
                                       host.state == HostState::Whole ? Tone::Warn : Tone::Bad)},
                        .indent = 2});
  }
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

// Whether a host has free chips beside others: the driver does not hand these out.
bool has_broken_hosts(const ChipGrid& grid) {
  std::vector<std::int64_t> free(grid.hosts.size());
  for (const GridCell& cell : grid.cells)
    free[cell.host] += cell.state == CellState::Free ? 1 : 0;
  return std::ranges::any_of(
      free, [&grid](std::int64_t chips) { return chips > 0 && chips < grid.host.size(); });
}

// What parts could still be had, and how broken up what is free is.
void add_tiles(const ChipGrid& grid, view::Document& document) {
  if (grid.fragmentation) {
    const topology::Fragmentation& parts = *grid.fragmentation;
    const std::string text =
        base::format("   {} chips free, the largest part {}: fragmentation {}%", parts.free,
                     parts.largest, parts.percent());
    document.add(view::Paragraph{.spans = {span("free aligned parts", Tone::Strong),
                                           span(tile_words(grid.tiles, &Tiles::placeable) + text)},
                                 .indent = 2});
  }
  if (has_broken_hosts(grid) && !grid.tiles.empty())
    document.add(
        view::Paragraph{.spans = {span("free by geometry", Tone::Strong),
                                  span(tile_words(grid.tiles, &Tiles::by_geometry)),
                                  span("   the driver hands out whole hosts only", Tone::Dim)},
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

// The pool; of one that is not a node's own also who reaches it.
std::string row_title(const TopologyRow& row, const Scene& scene) {
  const engine::InventoryDevice& first = scene.inventory.devices()[row.devices.front()];
  const bool own = !only_node_of(first.published).empty();
  return own ? base::format("{} ", row.pool->name)
             : base::format("{} ({}) ", row.pool->name, where_of(first));
}

void add_grid(const ChipGrid& grid, const Asked& asked, const Scene& scene,
              const TopologyView& options, view::Document& document) {
  Marks marks(scene, options.details, asked);
  add_head(grid, document);
  const auto hosts = divided(grid.shape, grid.host);
  if (grid.shape.size() <= kMostChips) {
    const HostNames names = host_names(grid.hosts);
    view::Grid chips = chips_of(grid, names, marks);
    const bool named = grid.hosts.size() > 1 && (!chips.titles.empty() || !chips.beside.empty());
    document.add(std::move(chips));
    if (named) add_names(grid, names, document);
  } else if (hosts->z <= kMostPlanes || options.wide) {
    document.add(hosts_of(grid, *hosts, asked, marks));
    document.add(view::Paragraph{
        .spans = {span("one place is a host: how many of its chips are free   ! chips are gone   ? "
                       "the host is gone, or it is not known",
                       Tone::Dim)},
        .indent = 2});
  }
  add_hosts(grid, document, options.wide);
  if (options.wide) add_environments(grid, scene, document);
  add_unplaced(grid.unplaced, scene, marks, document);
  add_tiles(grid, document);
  add_sets(grid.sets, document);
  marks.add_legend(document, options.wide);
  document.add(view::Blank{});
}

}  // namespace

void add_rows(const Rows& rows, const Asked& asked, const Scene& scene, const TopologyView& options,
              view::Document& document) {
  const auto& pools = rows.pools;
  for (std::size_t i = 0; i < pools.size();) {
    const std::string_view driver = pools[i].pool->driver;
    Marks marks(scene, options.details, asked);
    std::size_t end = i;
    std::size_t devices = 0;
    while (end < pools.size() && pools[end].pool->driver == driver)
      devices += pools[end++].devices.size();
    document.add(view::Paragraph{
        .spans = {span(std::string(driver), Tone::Strong),
                  span(base::format(
                      "   {} in {}; {}", base::plural(static_cast<std::int64_t>(devices), "device"),
                      base::plural(static_cast<std::int64_t>(end - i), "pool"), rows.words))}});
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
  add_rows({topology.rows, "nothing tells where they are in their machines"}, topology.asked, scene,
           options, document);
  add_gone(topology.gone, options, document);
  return document;
}

}  // namespace dra::report

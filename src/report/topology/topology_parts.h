// src/report/topology/topology_parts.h
//
// Facts and text of the parts of a topology other than grids: boards, boxes, rows of pools, and
// devices that are gone.

#pragma once

#include "dra/report/topology/topology.h"
#include "src/report/topology/host_names.h"
#include "src/report/topology/topology_marks.h"

namespace dra::report {

inline constexpr std::size_t kMostRows = 20;  // pools or boards without -o wide

// The devices with their states and holders.
json::Value devices_json(const std::vector<std::size_t>& devices, const Scene& scene,
                         const Asked& asked);
json::Value sets_json(const std::vector<topology::DeviceSets>& sets);
json::Value board_json(const topology::Board& board, const Scene& scene, const Asked& asked);
json::Value box_json(const topology::Box& box, const Scene& scene, const Asked& asked);
json::Value gone_json(const std::vector<GoneDevices>& gone);

// The nodes that can use the devices, each once: "node-1", "<all>".
std::vector<std::string> nodes_of(const TopologyRow& row, const Scene& scene);

// True if the device's pool is chosen, or the only node that can use it.
bool is_chosen(const engine::InventoryDevice& device, const Scene& scene,
               const TopologyChoice& choice);

// Devices that claims hold although they are no longer published: those of the chosen claims, else
// those of the chosen nodes and pools; without a choice, all.
std::vector<GoneDevices> gone_devices(const Scene& scene,
                                      const std::optional<TopologyChoice>& choice);

// Adds a fact for HTML unless the value is empty.
void add_fact(view::Place& place, std::string name, std::string value);
// A grid of empty places with this shape, divided into boxes.
view::Grid empty_grid(const topology::ChipGrid& grid, const topology::Shape& shape,
                      const topology::Shape& box);
// The title of plane `z`: its coordinate if that is known, and the host if the plane is one host.
std::string plane_title(const topology::ChipGrid& grid, const HostNames& names, std::int64_t z);

// Draws a slice with too many chips for a place each: a place is a host, with the number of its
// free chips. The holders of the other chips are listed below the grid.
void add_grid_of_hosts(const topology::ChipGrid& grid, const Asked& asked, const Scene& scene,
                       const TopologyView& options, view::Document& document);
void add_boards(const Topology& topology, const Scene& scene, const TopologyView& options,
                view::Document& document);
void add_boxes(const Topology& topology, const Scene& scene, const TopologyView& options,
               view::Document& document);
// Adds "whole sets free: partition4 1/2 of 4", if there are sets.
void add_sets(const std::vector<topology::DeviceSets>& sets, view::Document& document);
// Pools that are drawn as rows, and the reason why they are not drawn otherwise.
struct PoolRows {
  std::span<const TopologyRow> pools;
  std::string_view words;
};
void add_rows(const PoolRows& rows, const Asked& asked, const Scene& scene,
              const TopologyView& options, view::Document& document);
void add_gone(const std::vector<GoneDevices>& gone, const TopologyView& options,
              view::Document& document);

}  // namespace dra::report

// src/report/topology/topology_parts.h
//
// What a topology has beside grids: boards of partitions, boxes of devices that are together, and
// what is gone.

#pragma once

#include "dra/engine/cluster/room.h"
#include "dra/report/topology/topology.h"
#include "src/report/topology/host_names.h"
#include "src/report/topology/topology_marks.h"

namespace dra::report {

inline constexpr std::size_t kMostRows = 20;  // of pools or boards, unless all are asked for

// Devices with their states and holders.
json::Value devices_json(const std::vector<std::size_t>& devices, const Scene& scene,
                         const Asked& asked, engine::Room& room);
// Of a free one: too little is left of what it shares with others.
bool is_without_room(const engine::InventoryDevice& device, engine::Room& room);
json::Value sets_json(const std::vector<topology::DeviceSets>& sets);
json::Value board_json(const topology::Board& board, const Scene& scene, const Asked& asked,
                       engine::Room& room);
json::Value box_json(const topology::Box& box, const Scene& scene, const Asked& asked,
                     engine::Room& room);
json::Value gone_json(const std::vector<GoneDevices>& gone);

// Who reaches the devices, each once: "node-1", "<all>".
std::vector<std::string> nodes_of(const TopologyRow& row, const Scene& scene);

// Whether it is among what was chosen: its pool, or the node that alone reaches it.
bool is_chosen(const engine::InventoryDevice& device, const Scene& scene,
               const TopologyChoice& choice);

// What claims hold and nobody publishes: of the claims that are asked for, else of the nodes and
// pools; without a choice of all.
std::vector<GoneDevices> gone_devices(const Scene& scene,
                                      const std::optional<TopologyChoice>& choice);

// For pages on which one can point at the place; nothing of an empty value.
void add_fact(view::Place& place, std::string name, std::string value);
// A grid of places with this shape, in boxes of that one.
view::Grid empty_grid(const topology::ChipGrid& grid, const topology::Shape& shape,
                      const topology::Shape& box);
// Of the plane of chips with that number: where that is known, and of planes of one host which
// host.
std::string plane_title(const topology::ChipGrid& grid, const HostNames& names, std::int64_t z);

void add_boards(const Topology& topology, const Scene& scene, const TopologyView& options,
                view::Document& document);
void add_boxes(const Topology& topology, const Scene& scene, const TopologyView& options,
               view::Document& document);
// "whole sets free: partition4 1/2 of 4"; nothing without sets.
void add_sets(const std::vector<topology::DeviceSets>& sets, view::Document& document);
// Pools that are drawn as rows below each other, and what is odd about them in words.
struct Rows {
  std::span<const TopologyRow> pools;
  std::string_view words;
};
void add_rows(const Rows& rows, const Asked& asked, const Scene& scene, const TopologyView& options,
              view::Document& document);
void add_gone(const std::vector<GoneDevices>& gone, const TopologyView& options,
              view::Document& document);

}  // namespace dra::report

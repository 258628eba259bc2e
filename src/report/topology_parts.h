// src/report/topology_parts.h
//
// What a topology has beside grids: boards of partitions, and boxes of devices that are together.

#pragma once

#include "dra/report/topology.h"
#include "src/report/topology_marks.h"

namespace dra::report {

inline constexpr std::size_t kMostRows = 20;  // of pools or boards, unless all are asked for

// Devices with their states and holders.
json::Value devices_json(const std::vector<std::size_t>& devices, const Scene& scene);
json::Value sets_json(const std::vector<topology::DeviceSets>& sets);
json::Value board_json(const topology::Board& board, const Scene& scene);
json::Value box_json(const topology::Box& box, const Scene& scene);

void add_boards(const Topology& topology, const Scene& scene, const TopologyView& options,
                view::Document& document);
void add_boxes(const Topology& topology, const Scene& scene, const TopologyView& options,
               view::Document& document);
// "whole sets free: partition4 1/2 of 4"; nothing without sets.
void add_sets(const std::vector<topology::DeviceSets>& sets, view::Document& document);
// Pools below each other, a row for each; `words` say what is odd about them.
void add_rows(std::span<const TopologyRow> rows, std::string_view words, const Scene& scene,
              const TopologyView& options, view::Document& document);

}  // namespace dra::report

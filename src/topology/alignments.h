// src/topology/alignments.h
//
// The devices of a machine that constraints over their attributes would match.

#pragma once

#include "dra/topology/groups.h"

namespace dra::topology {

// The order of values: numbers by value.
bool value_before(std::string_view a, std::string_view b);

// An alignment for the first attribute of each level, by the name that a claim would use.
// Attributes that match no two devices are left out: one driver alone has each value at most once.
std::vector<Alignment> alignments_of(const engine::Inventory& inventory,
                                     std::span<const std::size_t> devices,
                                     const std::vector<Level>& levels, bool lists);

// The sets that the drivers of these devices publish. See kSetAttributes in alignments.cpp.
std::vector<DeviceSets> sets_of(const engine::Inventory& inventory,
                                std::span<const std::size_t> devices);

}  // namespace dra::topology

// src/topology/alignments.h
//
// What constraints over the attributes of a machine's devices would find.

#pragma once

#include "dra/topology/groups.h"

namespace dra::topology {

// Whether a value stands before another one: numbers by what they are.
bool value_before(std::string_view a, std::string_view b);

// Of the first attribute of each level, as a claim would name it. Nothing where no two devices
// could be matched by it, as one driver alone has no more than one of each value.
std::vector<Alignment> alignments_of(const engine::Inventory& inventory,
                                     std::span<const std::size_t> devices,
                                     const std::vector<Level>& levels, bool lists);

// Sets that the drivers of these devices publish. See kSetAttributes in the source.
std::vector<DeviceSets> sets_of(const engine::Inventory& inventory,
                                std::span<const std::size_t> devices);

}  // namespace dra::topology

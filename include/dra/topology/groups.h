// include/dra/topology/groups.h
//
// Devices of all drivers put together by what they have in common: a NUMA node, a PCIe root, or any
// attributes that somebody names. It shows what a constraint of a claim would find: devices of one
// row have the attribute's value in common.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"

namespace dra::topology {

// What rows are made by: the first of these attributes that a device has. A name with a domain is
// that attribute; one without is the driver's own, else that of the standard's domain, else that of
// any other. "driver", "pool" and "node" are what they say.
struct Level {
  std::string title;  // "numa", before a value
  std::vector<std::string> attributes;
};

// "numaNode,gpu.nvidia.com/productName": a level for each; "numa", "pcie" and "gpu" are those that
// machines are drawn by. Empty names are left out.
std::vector<Level> levels_named(std::string_view attributes);

struct GroupRow {
  std::vector<std::optional<std::string>> values;  // by level; none: a device without
  std::vector<std::size_t> devices;                // of Inventory::devices()
};

// What matchAttribute finds of one attribute: free devices of each driver that have the value.
struct AlignedValue {
  std::string value;
  // By driver, of those that have devices with it; no value: who has one of them is not known.
  std::map<std::string_view, std::optional<std::int64_t>> free;
};
struct Alignment {
  std::string attribute;               // its full name
  std::vector<AlignedValue> values;    // in order
  std::vector<std::string> lack = {};  // drivers of which no device has the attribute
};

// Sets of devices that belong together: those with the same value of an attribute that the driver
// publishes for it. A request for as many as a set has, with matchAttribute, gets a whole one.
struct DeviceSets {
  std::string attribute;
  std::int64_t size = 0;   // devices of a whole one
  std::int64_t total = 0;  // sets
  // Those of which every device is published and is; no value: who has them is not known.
  std::optional<std::int64_t> free = 0;
};

// What is drawn together.
struct Box {
  std::string_view node = {};    // that alone can use the devices; else empty
  std::string_view clique = {};  // of nodes whose GPUs are linked; else empty
  std::vector<Level> levels;
  std::vector<GroupRow> rows;  // by values, numbers as numbers; those without come last
  std::vector<Alignment> alignments = {};
  std::vector<DeviceSets> sets = {};
};

// All devices of the list in one box.
Box box_of(const engine::Inventory& inventory, std::span<const std::size_t> devices,
           std::vector<Level> levels);

// Of the devices in the list, those of nodes on which drivers tell devices apart by where in the
// machine they are: a box for each node, by name, or one for the nodes of a clique. `lists`:
// attributes that are lists count with each of their values.
std::vector<Box> machine_boxes(const snapshot::Snapshot& snapshot,
                               const engine::Inventory& inventory,
                               std::span<const std::size_t> devices, bool lists);

}  // namespace dra::topology

// include/dra/topology/groups.h
//
// Devices of all drivers, grouped by attributes: NUMA node, PCIe root, or any attributes that the
// user names. Devices of one row have one value, so a constraint of a claim would match them.

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

// A level of grouping: by the first of these attributes that a device has. A name with a domain is
// that attribute; a name without one is the driver's own, else the one of the standard's domain,
// else of any other. "driver", "pool" and "node" are the device's driver, pool and node.
struct Level {
  std::string title;  // "numa", before a value
  std::vector<std::string> attributes;
};

// A level for each name in "numaNode,gpu.nvidia.com/productName". "numa", "pcie" and "gpu" are the
// levels of machine_boxes(). Empty names are left out.
std::vector<Level> levels_named(std::string_view attributes);

struct GroupRow {
  std::vector<std::optional<std::string>> values;  // by level; no value: without the attribute
  std::vector<std::size_t> devices;                // of Inventory::devices()
};

// One value of an attribute, for matchAttribute: the free devices of each driver that have it.
struct AlignedValue {
  std::string value;
  // By driver, of those that have devices with it. No value: the holders of some are not known.
  std::map<std::string_view, std::optional<std::int64_t>> free;
};
struct Alignment {
  std::string attribute;               // its full name
  std::vector<AlignedValue> values;    // in order
  std::vector<std::string> lack = {};  // drivers without a device that has the attribute
};

// Sets of devices that belong together: the driver publishes an attribute with one value for each
// set. A request for as many devices as a set has, with matchAttribute, gets a whole set.
struct DeviceSets {
  std::string attribute;
  std::int64_t size = 0;   // devices of a whole one
  std::int64_t total = 0;  // sets
  // Sets with all devices published and free. No value: their holders are not known.
  std::optional<std::int64_t> free = 0;
};

// One drawing: the devices of a node, of a clique, or of a list.
struct Box {
  std::string_view node = {};    // the only one that can use the devices; else empty
  std::string_view clique = {};  // of nodes whose GPUs are linked; else empty
  std::vector<Level> levels;
  std::vector<GroupRow> rows;  // by values, numbers as numbers; rows without a value last
  std::vector<Alignment> alignments = {};
  std::vector<DeviceSets> sets = {};
};

// One box with all devices of the list.
Box box_of(const engine::Inventory& inventory, std::span<const std::size_t> devices,
           std::vector<Level> levels);

// Boxes of the listed devices, for nodes whose drivers publish the devices' places in the machine:
// one for each node, by name, or one for the nodes of a clique. `lists`: each value of a list
// attribute counts.
std::vector<Box> machine_boxes(const snapshot::Snapshot& snapshot,
                               const engine::Inventory& inventory,
                               std::span<const std::size_t> devices, bool lists);

}  // namespace dra::topology

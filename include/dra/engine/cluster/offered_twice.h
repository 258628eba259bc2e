// include/dra/engine/cluster/offered_twice.h
//
// Hardware that a node offers twice: by a device plugin as an extended resource, and by a DRA
// driver of the same vendor as devices. Neither knows what the other has handed out. That it is the
// same hardware follows from equal numbers and vendors, so the result is Heuristic.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct OfferedTwice {
  std::string_view node;
  std::string_view resource;  // of the device plugin: "nvidia.com/gpu"
  std::string_view driver;
  std::int64_t devices = 0;              // of each
  std::int64_t requested = 0;            // of the resource, by pods on the node
  std::vector<std::string> pods = {};    // these, as namespace/name
  std::int64_t held = 0;                 // of the driver's devices
  std::vector<std::string> claims = {};  // that hold them, as namespace/name
};

// Of each node the first such resource with a conflict: pods have some of the resource, and claims
// hold some of the devices. `only`: of that node alone; empty: of all nodes.
std::vector<OfferedTwice> offered_twice(const snapshot::Snapshot& snapshot,
                                        const Inventory& inventory, std::string_view only = {});
// "node n1 offers its 2 devices of gpu.example.com also as example.com/gpu: ..."
std::string words_of(const OfferedTwice& twice);

}  // namespace dra::engine

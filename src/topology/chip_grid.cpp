// src/topology/chip_grid.cpp: see chip_grid.h.

#include "dra/topology/chip_grid.h"

#include "dra/api/cluster_objects.h"
#include "dra/engine/cluster/nodes.h"

namespace dra::topology {

using engine::DeviceState;

CellState state_of(const engine::InventoryDevice& device) {
  if (engine::is_held_twice(device.holders)) return CellState::HeldTwice;
  switch (device.state) {
    case DeviceState::Free:
      return CellState::Free;
    case DeviceState::Shared:
      return CellState::Shared;
    case DeviceState::Allocated:
      return CellState::Allocated;
    case DeviceState::Blocked:
      return CellState::Blocked;
    case DeviceState::Tainted:
      return CellState::Tainted;
    case DeviceState::Unusable:
      return CellState::Unusable;
    case DeviceState::Missing:
      return CellState::Missing;
    case DeviceState::Unknown:
      return CellState::Unknown;
  }
  return CellState::Unknown;
}

// Slices may outlive their node. Files with slices alone have no nodes; then nothing is known.
std::string_view look_at_node(const snapshot::Snapshot& snapshot, GridHost& host) {
  const auto* node = snapshot.find<api::Node>(host.node);
  if (node == nullptr) {
    const bool nodes_are_known =
        snapshot.coverage().saw(api::Kind::Node) && !snapshot.all<api::Node>().empty();
    if (!nodes_are_known) return {};
    host.ready = false;
    return "gone";
  }
  const bool is_ready = engine::is_ready(*node);
  host.ready = is_ready && !node->spec.unschedulable;
  if (is_ready) return node->spec.unschedulable ? "cordoned" : "";
  return node->spec.unschedulable ? "not ready and cordoned" : "not ready";
}

std::string_view name_of(CellState state) {
  switch (state) {
    case CellState::Free:
      return "free";
    case CellState::Shared:
      return "shared";
    case CellState::Allocated:
      return "allocated";
    case CellState::HeldTwice:
      return "heldTwice";
    case CellState::Blocked:
      return "blocked";
    case CellState::Tainted:
      return "tainted";
    case CellState::Unusable:
      return "unusable";
    case CellState::Unknown:
      return "unknown";
    case CellState::Missing:
      return "missing";
    case CellState::ChipNotKnown:
      return "chipNotKnown";
    case CellState::HostMissing:
      return "hostMissing";
    case CellState::HostNotKnown:
      return "hostNotKnown";
  }
  return "";
}

std::string_view name_of(HostState state) {
  switch (state) {
    case HostState::Whole:
      return "whole";
    case HostState::Degraded:
      return "degraded";
    case HostState::Lost:
      return "lost";
    case HostState::Absent:
      return "absent";
    case HostState::NotKnown:
      return "notKnown";
  }
  return "";
}

std::string_view name_of(Placement placement) {
  switch (placement) {
    case Placement::Exact:
      return "exact";
    case Placement::FromIndex:
      return "fromIndex";
    case Placement::FromWorkers:
      return "fromWorkers";
    case Placement::Assumed:
      return "assumed";
  }
  return "";
}

}  // namespace dra::topology

// include/dra/report/lists/list_nodes.h
//
// `kubectl dra nodes`: the devices of each node, and the pods that use claims there.
//
// Only devices that a single node can use are counted. A device of several nodes (allNodes or a
// node selector) is in `pools` and `devices`: counted here, the sum over the nodes would be too
// large.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/engine/cluster/missing_device.h"
#include "dra/engine/selectors/device_counts.h"
#include "dra/report/lists/list.h"

namespace dra::report {

struct NodeRow {
  const api::Node* node;
  std::string status;                     // "Ready", "NotReady,SchedulingDisabled"
  bool left_out = false;                  // a driver serves its node pool, but not this node
  std::vector<std::string_view> drivers;  // of its devices, sorted
  engine::DeviceCounts devices;
  bool devices_known = true;  // false when slices could not be read
  std::optional<std::int64_t> allocated;
  std::optional<std::int64_t> free;
  std::optional<std::int64_t> pods;  // pods on the node that use claims and are not finished
  std::string taints;                // "key=value:NoSchedule,unschedulable"

  // True if the node has devices, uses claims, or is left out. Other nodes are listed by name only.
  bool matters() const;
};

// In the order of `nodes`, which must outlive the rows.
std::vector<NodeRow> node_rows(const snapshot::Snapshot& snapshot,
                               const engine::Inventory& inventory,
                               std::span<const api::Node* const> nodes,
                               std::span<const engine::MissingDevice> missing = {});
view::Document nodes_view(std::span<const NodeRow> rows);

}  // namespace dra::report

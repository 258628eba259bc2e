// include/dra/report/lists/list_nodes.h
//
// `kubectl dra nodes`: the devices of each node and the pods that use claims there. `-o json`
// prints the API objects.
//
// Counted are devices that this node alone can use. A device that several nodes can reach (slices
// for all nodes, or by a selector of labels) belongs to none of them, and is in `pools` and
// `devices`; otherwise the sum over the nodes would be more than there is.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/engine/selectors/tally.h"
#include "dra/report/lists/list.h"

namespace dra::report {

struct NodeRow {
  const api::Node* node;
  std::string status;                     // "Ready", "NotReady,SchedulingDisabled"
  bool left_out = false;                  // a driver serves others of its node pool, not this one
  std::vector<std::string_view> drivers;  // of its devices, sorted
  engine::Tally devices;
  bool devices_known = true;  // false when slices could not be read
  std::optional<std::int64_t> allocated;
  std::optional<std::int64_t> free;
  std::optional<std::int64_t> pods;  // on it, not done, that use claims
  std::string taints;                // "key=value:NoSchedule,unschedulable"

  // Whether DRA has to do with the node, or should have; a list without names leaves others out.
  bool matters() const;
};

// In the order given. The nodes may be those of engine::nodes_of, and must outlive the rows.
std::vector<NodeRow> node_rows(const snapshot::Snapshot& snapshot,
                               const engine::Inventory& inventory,
                               std::span<const api::Node* const> nodes);
view::Document nodes_view(std::span<const NodeRow> rows);

}  // namespace dra::report

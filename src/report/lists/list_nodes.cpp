// src/report/lists/list_nodes.cpp: counts devices and pods by node in one pass over each, and the
// columns of `kubectl dra nodes`.

#include "dra/report/lists/list_nodes.h"

#include <map>
#include <set>

#include "dra/api/cluster_objects.h"
#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/left_out_nodes.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/cluster/taints.h"
#include "dra/report/lists/list_pods.h"
#include "dra/report/phrases/device_words.h"
#include "dra/report/phrases/words.h"
#include "src/report/lists/state_columns.h"

namespace dra::report {
namespace {

// The node controller adds this taint to cordoned nodes, which have spec.unschedulable already.
constexpr std::string_view kUnschedulableTaint = "node.kubernetes.io/unschedulable";

struct OnNode {
  std::set<std::string_view> drivers;
  engine::DeviceCounts devices;
  std::int64_t pods = 0;
};

std::map<std::string_view, OnNode> look_around(const snapshot::Snapshot& snapshot,
                                               const engine::Inventory& inventory,
                                               std::span<const engine::MissingDevice> missing) {
  std::map<std::string_view, OnNode> nodes;
  for (const engine::InventoryDevice& device : inventory.devices()) {
    OnNode& node = nodes[engine::only_node_of(device.published)];
    node.drivers.insert(device.published.slice->spec.driver);
    node.devices.add(device);
  }
  for (const engine::MissingDevice& device : missing)
    nodes[device.node].devices.add(engine::DeviceState::Missing);
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (engine::uses_claims(pod) && !pod.finished()) ++nodes[pod.spec.node_name].pods;
  }
  nodes.erase(std::string_view());  // devices of several nodes, and pods without a node
  return nodes;
}

std::string taints_of(const api::Node& node) {
  std::vector<std::string> taints;
  for (const api::NodeTaint& taint : node.spec.taints) {
    if (node.spec.unschedulable && taint.key == kUnschedulableTaint) continue;
    taints.push_back(engine::describe_taint(taint.key, taint.value, taint.effect));
  }
  if (node.spec.unschedulable) taints.emplace_back("unschedulable");
  return or_none(base::join(taints, ","));
}

view::Cell node_status_cell(const NodeRow& row) {
  const bool ready = !row.status.starts_with("NotReady");
  return cell(row.status, ready ? view::Tone::Plain : view::Tone::Bad);
}

view::Cell drivers_cell(const NodeRow& row) {
  if (!row.devices_known) return cell(kUnknown);
  const std::vector<std::string> names(row.drivers.begin(), row.drivers.end());
  return cell(or_none(base::join(names, ",")));
}

StateNumbers numbers_of_node(const NodeRow& row) {
  return {.counts = row.devices,
          .known = row.devices_known,
          .allocated = row.allocated,
          .free = row.free};
}

view::Cell taints_cell(const NodeRow& row) {
  return cell(row.taints, row.node->spec.unschedulable ? view::Tone::Warn : view::Tone::Plain);
}

Columns<NodeRow> node_columns() {
  Columns<NodeRow> columns = {
      {.title = "NAME", .value = [](const NodeRow& row) { return row.node->meta.name; }},
      {.title = "STATUS", .cell = node_status_cell},
      {.title = "DRIVERS", .cell = drivers_cell},
  };
  append(columns, state_columns<NodeRow>(numbers_of_node));
  columns.push_back({.title = "PODS", .value = if_known(&NodeRow::pods)});
  columns.push_back({.title = "TAINTS", .cell = taints_cell});
  return columns;
}

}  // namespace

bool NodeRow::matters() const {
  return devices.devices + devices.missing > 0 || pods.value_or(0) > 0 || left_out;
}

std::vector<NodeRow> node_rows(const snapshot::Snapshot& snapshot,
                               const engine::Inventory& inventory,
                               std::span<const api::Node* const> nodes,
                               std::span<const engine::MissingDevice> missing) {
  auto around = look_around(snapshot, inventory, missing);
  std::set<std::string_view> left_out;
  for (const engine::LeftOutNode& one : nodes_left_out(snapshot, inventory))
    left_out.insert(one.node->meta.name);
  const snapshot::Coverage& coverage = snapshot.coverage();
  std::vector<NodeRow> rows;
  for (const api::Node* node : nodes) {
    const OnNode& found = around[node->meta.name];
    NodeRow row{.node = node,
                .status = engine::node_status(*node),
                .left_out = left_out.contains(node->meta.name),
                .devices = found.devices,
                .taints = taints_of(*node)};
    row.drivers.assign(found.drivers.begin(), found.drivers.end());
    row.devices_known = coverage.saw(api::Kind::Slice);
    if (row.devices_known) {
      row.allocated = found.devices.known_allocated(coverage);
      row.free = found.devices.known_free();
    }
    if (coverage.saw(api::Kind::Pod)) row.pods = found.pods;
    rows.push_back(std::move(row));
  }
  return rows;
}

view::Document nodes_view(std::span<const NodeRow> rows) { return list_view(node_columns(), rows); }

}  // namespace dra::report

// src/answers/explain/away/likeness.h
//
// Nodes that have probably the same devices as nodes for which a driver publishes some.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "dra/api/cluster_objects.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/snapshot/snapshot.h"

namespace dra::answers {

// Whether it is a node of the control plane, by its label. Upstream:
// k8s.io/kubernetes/cmd/kubeadm/app/constants, LabelNodeRoleControlPlane.
bool is_control_plane(const api::Node& node);

class Likeness {
 public:
  // Of the nodes with devices of the driver.
  Likeness(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
           std::string_view driver);

  // "same machine type p5.48xlarge as node a", "same label acme.com/gpu.present=true as node a".
  // Empty: it shares nothing about hardware with any of them. The label `but` does
  // not count.
  std::string of(const api::Node& node, std::string_view but = {}) const;

 private:
  bool tells_of_hardware(std::string_view key) const;

  std::string_view vendor_;  // the domain of the driver's vendor
  std::string_view family_;  // the first part of the driver's name
  // The first node with devices that has the label, by key and value.
  std::map<std::pair<std::string_view, std::string_view>, std::string_view> labels_;
};

}  // namespace dra::answers

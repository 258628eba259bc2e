// src/answers/explain/away/likeness.cpp: compares machine types, node pools, and labels that a
// driver's vendor gives to nodes with its hardware.

#include "src/answers/explain/away/likeness.h"

#include <algorithm>
#include <array>

#include "dra/api/slice.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/facts/driver_knowledge.h"

namespace dra::answers {
namespace {

constexpr std::string_view kMachineType = "node.kubernetes.io/instance-type";
constexpr std::string_view kNodePool = "node pool";  // whichever label it is in

// Values that say nothing of the devices of a machine: k3s and rke2 give the name of the
// distribution (github.com/k3s-io/k3s/pkg/cloudprovider, InstanceMetadata), vSphere the size of the
// machine (k8s.io/cloud-provider-vsphere/pkg/cloudprovider/vsphere, InstanceMetadata), and machines
// of the series N1 have GPUs if they are attached to them (Compute Engine, GPU machine types).
bool is_machine_type(std::string_view value) {
  constexpr std::array<std::string_view, 2> others = {"vsphere-vm", "n1-"};
  return value.find_first_of(".-_") != std::string_view::npos &&
         std::ranges::none_of(others,
                              [value](std::string_view start) { return value.starts_with(start); });
}

}  // namespace

bool is_control_plane(const api::Node& node) {
  return api::find(node.meta.labels, "node-role.kubernetes.io/control-plane") != nullptr ||
         api::find(node.meta.labels, "node-role.kubernetes.io/master") != nullptr;
}

// "acme.com/gpu.present" of driver gpu.acme.com.
bool Likeness::tells_of_hardware(std::string_view key) const {
  const std::size_t slash = key.find('/');
  if (vendor_.empty() || slash == std::string_view::npos || key.substr(0, slash) != vendor_)
    return false;
  const std::string_view name = key.substr(slash + 1);
  return name.ends_with(".present") && name.starts_with(family_);
}

Likeness::Likeness(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                   std::string_view driver)
    : vendor_(engine::vendor_domain(driver)), family_(driver.substr(0, driver.find('.'))) {
  for (const engine::Pool& pool : inventory.pools()) {
    if (pool.driver != driver) continue;
    for (const api::ResourceSlice* slice : pool.slices) {
      const auto* node =
          slice->spec.devices.empty() ? nullptr : snapshot.find<api::Node>(slice->spec.node_name);
      if (node == nullptr) continue;
      const std::string_view node_pool = engine::node_pool_of(*node);
      if (!node_pool.empty()) labels_.try_emplace({kNodePool, node_pool}, node->meta.name);
      for (const auto& label : node->meta.labels)
        labels_.try_emplace({label.key, label.value}, node->meta.name);
    }
  }
}

std::string Likeness::of(const api::Node& node, std::string_view but) const {
  const auto shared = [this](std::string_view key, std::string_view value) {
    const auto found = labels_.find({key, value});
    return found == labels_.end() ? std::string_view() : found->second;
  };
  const std::string_view machine = engine::label_of(node.meta, kMachineType);
  if (const auto other = shared(kMachineType, machine); !other.empty() && is_machine_type(machine))
    return base::format("same machine type {} as node {}", machine, other);
  const std::string_view node_pool = engine::node_pool_of(node);
  if (const auto other = shared(kNodePool, node_pool); !other.empty())
    return base::format("same node pool {} as node {}", node_pool, other);
  for (const auto& label : node.meta.labels) {
    if (label.key == but || label.value != "true" || !tells_of_hardware(label.key)) continue;
    if (const auto other = shared(label.key, label.value); !other.empty())
      return base::format("same label {}={} as node {}", label.key, label.value, other);
  }
  return {};
}

}  // namespace dra::answers

// src/engine/whatif/added_nodes.cpp: see added_nodes.h.

#include "src/engine/whatif/added_nodes.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "dra/base/text.h"

#include "dra/api/cluster_objects.h"
#include "dra/api/daemon_pod.h"
#include "dra/api/pod.h"
#include "dra/engine/facts/host_name.h"

namespace dra::engine {
namespace {

// Of Kubernetes' own taints, and those of autoscalers that are about to remove a node.
constexpr std::array kTaintsOfState = {
    "node.kubernetes.io/", "node.cloudprovider.kubernetes.io/", "ToBeDeletedByClusterAutoscaler",
    "DeletionCandidateOfClusterAutoscaler", "karpenter.sh/disrupted"};

bool tells_of_state(const api::NodeTaint& taint) {
  return std::ranges::any_of(kTaintsOfState,
                             [&taint](const char* start) { return taint.key.starts_with(start); });
}

// A node with all that comes along with it.
struct NodeModel {
  api::Node node;
  std::vector<api::ResourceSlice> slices;
  std::vector<api::Pod> daemons;
  std::set<std::uint32_t> one_name;  // pools that each node publishes under one name
};

// The rest of a pool is not the new node's: what it has is a pool by itself. If nodes publish whole
// pools under one name, the new node does so, too; slices for all nodes do not show that.
void separate_pools(const snapshot::Snapshot& snapshot, const api::Node& like, NodeModel& model) {
  std::vector<api::ResourceSlice>& slices = model.slices;
  std::set<std::uint32_t> shared;    // pools with slices for others as well
  std::set<std::uint32_t> of_nodes;  // of these, with some of another node
  for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>()) {
    if (slice.spec.node_name == like.meta.name) continue;
    shared.insert(slice.spec.pool.number);
    if (!slice.spec.node_name.empty()) of_nodes.insert(slice.spec.pool.number);
  }
  for (api::ResourceSlice& slice : slices) {
    const api::PoolRef& pool = slice.spec.pool;
    if (!shared.contains(pool.number)) continue;
    const auto own = std::ranges::count_if(slices, [&pool](const auto& one) {
      return one.spec.pool.number == pool.number && one.spec.pool.generation == pool.generation;
    });
    if (pool.slice_count == own && of_nodes.contains(pool.number))
      model.one_name.insert(pool.number);
    slice.spec.pool.slice_count = own;
  }
}

// A taint that only some devices have is about these devices, and a new node has others.
void drop_taints_of_single_devices(std::vector<api::ResourceSlice>& slices) {
  for (api::ResourceSlice& slice : slices) {
    const auto& devices = slice.spec.devices;
    const bool some_clean = std::ranges::any_of(
        devices, [](const api::Device& device) { return device.taints.empty(); });
    if (!some_clean) continue;
    for (api::Device& device : slice.spec.devices)
      device.taints = {};
  }
}

NodeModel model_of(const snapshot::Snapshot& snapshot, const api::Node& like) {
  NodeModel model{.node = like, .slices = {}, .daemons = {}};
  model.node.spec.unschedulable = false;
  std::erase_if(model.node.spec.taints, tells_of_state);
  for (const api::ResourceSlice& slice : snapshot.all<api::ResourceSlice>()) {
    if (slice.spec.node_name == like.meta.name) model.slices.push_back(slice);
  }
  separate_pools(snapshot, like, model);
  drop_taints_of_single_devices(model.slices);
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (pod.spec.node_name == like.meta.name && api::daemon_set_of(pod) != nullptr)
      model.daemons.push_back(pod);
  }
  return model;
}

class NodeAdder {
 public:
  NodeAdder(snapshot::Draft& draft, NodeModel model) : draft_(draft), model_(std::move(model)) {}

  void add(std::int64_t number) {
    suffix_ = added_node_name("", number);
    api::Node& node = nodes_.emplace_back(model_.node);
    node.meta.name = with_suffix(node.meta.name);
    node.meta.uid = node.meta.name;
    for (auto& label : node.meta.labels) {
      if (label.key == kHostNameLabel) label.value = node.meta.name;
    }
    for (api::ResourceSlice slice : model_.slices) {
      slice.meta.name = with_suffix(slice.meta.name);
      slice.spec.node_name = node.meta.name;
      if (!model_.one_name.contains(slice.spec.pool.number))
        slice.spec.pool.name = with_suffix(slice.spec.pool.name);
      slices_.push_back(std::move(slice));
    }
    for (api::Pod pod : model_.daemons) {
      pod.meta.name = with_suffix(pod.meta.name);
      pod.meta.uid = pod.meta.name;
      pod.spec.node_name = node.meta.name;
      pods_.push_back(std::move(pod));
    }
  }

  void finish() {
    draft_.add(std::move(nodes_));
    draft_.add(std::move(slices_));
    draft_.add(std::move(pods_));
  }

 private:
  std::string_view with_suffix(std::string_view name) {
    return draft_.keep(std::string(name) + suffix_);
  }

  snapshot::Draft& draft_;
  NodeModel model_;
  std::string suffix_;
  std::vector<api::Node> nodes_;
  std::vector<api::ResourceSlice> slices_;
  std::vector<api::Pod> pods_;
};

}  // namespace

std::string added_node_name(std::string_view like, std::int64_t number) {
  return base::format("{}-like-{}", like, number);
}

void add_nodes_like(snapshot::Draft& draft, const api::Node& like, std::int64_t count) {
  NodeAdder adder(draft, model_of(draft.now(), like));
  for (std::int64_t i = 1; i <= count; ++i)
    adder.add(i);
  adder.finish();
}

}  // namespace dra::engine

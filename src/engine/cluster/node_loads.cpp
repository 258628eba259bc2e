// src/engine/cluster/node_loads.cpp: adds up requests and ports of pods by node.

#include "dra/engine/cluster/node_loads.h"

#include <algorithm>
#include <limits>

namespace dra::engine {
namespace {

// Sum of two amounts that are not negative; the largest number on overflow, which no node has.
std::int64_t sum_of(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  const bool overflow = __builtin_add_overflow(a, b, &sum);
  return overflow ? std::numeric_limits<std::int64_t>::max() : sum;
}

ResourceLoad& load_of(std::vector<ResourceLoad>& loads, std::string_view resource) {
  const auto found = std::ranges::find(loads, resource, &ResourceLoad::resource);
  return found != loads.end() ? *found : loads.emplace_back(ResourceLoad{.resource = resource});
}

}  // namespace

ResourceLoad NodeLoad::of(std::string_view resource) const {
  const auto found = std::ranges::find(resources, resource, &ResourceLoad::resource);
  return found != resources.end() ? *found : ResourceLoad{.resource = resource};
}

NodeLoads::NodeLoads(const snapshot::Snapshot& snapshot, std::span<const api::Pod* const> gone)
    : rules_(request_rules_of(snapshot.server())),
      saw_pods_(snapshot.coverage().saw(api::Kind::Pod)) {
  if (!saw_pods_) gap_ = "pods cannot be read";
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    const bool waits = pod.spec.node_name.empty();
    if ((waits && pod.status.nominated_node.empty()) || pod.finished()) continue;
    if (std::ranges::find(gone, &pod) != gone.end()) continue;
    if (waits)
      nominated_.push_back(&pod);
    else
      add(pod);
  }
}

NodeLoads::NodeLoads(const snapshot::Snapshot& snapshot, const OnlyPods& placed)
    : rules_(request_rules_of(snapshot.server())),
      saw_pods_(snapshot.coverage().saw(api::Kind::Pod)) {
  if (!saw_pods_) gap_ = "pods cannot be read";
  for (const api::Pod* pod : placed.pods)
    add(*pod);
}

void NodeLoads::add(const api::Pod& pod) {
  NodeLoad& load = loads_[pod.spec.node_name];
  ++load.pods;
  const PodRequests requests = requests_on_node(pod, rules_);
  if (!requests.readable && gap_.empty()) gap_ = "not all of it is quantities";
  for (const Amount& amount : requests.amounts) {
    if (amount.value == 0) continue;
    ResourceLoad& of_resource = load_of(load.resources, amount.resource);
    of_resource.requested = sum_of(of_resource.requested, amount.value);
    ++of_resource.pods;
  }
  for (const HostPort& port : host_ports_of(pod))
    load.ports.push_back({port, &pod});
  placed_.push_back(&pod);
  if (!pod.spec.affinity.against_pods.required.empty()) repelling_.push_back(&pod);
}

const NodeLoad& NodeLoads::on(std::string_view node) const {
  const auto found = loads_.find(node);
  return found != loads_.end() ? found->second : nothing_;
}

}  // namespace dra::engine

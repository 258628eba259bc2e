// src/answers/explain/pending_pods.cpp: selects the waiting pods of the namespace.

#include "dra/answers/explain/pending_pods.h"

#include <vector>

#include "dra/engine/cluster/pods.h"

namespace dra::answers {
namespace {

// An explanation computes every node, so the number of kinds is limited. The limit of the overview,
// which has less time, is in problems_pods.cpp.
constexpr std::size_t kMaxPendingExplained = 200;

}  // namespace

std::string PendingPods::unknown() const {
  const snapshot::Missing* missing = coverage.find(api::Kind::Pod);
  const bool seen =
      namespace_.empty() ? coverage.saw(api::Kind::Pod) : coverage.saw(api::Kind::Pod, namespace_);
  return pods > 0 || seen || missing == nullptr ? std::string() : cannot_be_read(*missing);
}

PendingPods pending_pods(const snapshot::Snapshot& snapshot, std::string_view ns, OfNodes nodes) {
  std::vector<const api::Pod*> pods = engine::waiting_pods(snapshot);
  const std::size_t all = pods.size();
  if (!ns.empty())
    std::erase_if(pods, [ns](const api::Pod* pod) { return pod->meta.namespace_ != ns; });
  PendingPods pending{.namespace_ = std::string(ns),
                      .pods = pods.size(),
                      .elsewhere = all - pods.size(),
                      .coverage = snapshot.coverage()};
  if (pods.empty()) return pending;
  const engine::Inventory inventory(snapshot);
  const engine::NodeLoads loads(snapshot);
  pending.by_cause = pods_by_cause(snapshot, inventory, loads, pods, {kMaxPendingExplained, nodes});
  return pending;
}

}  // namespace dra::answers

// src/engine/whatif/rescheduling.cpp: see rescheduling.h.

#include "dra/engine/whatif/rescheduling.h"

#include <algorithm>
#include <map>
#include <set>

#include "dra/api/pod.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/whatif/drain.h"
#include "dra/engine/whatif/simulator.h"
#include "dra/snapshot/subset.h"

namespace dra::engine {
namespace {

// A part of the cluster is cut for so many nodes, and from it one for each node: to cut one takes a
// look at every object of what it is cut from.
constexpr std::size_t kNodesAtOnce = 64;

bool holds_devices(const Subject& subject) {
  return std::ranges::any_of(subject.claims, [](const SubjectClaim& claim) {
    return claim.allocated() && !claim.claim->status.allocation->devices.results.empty();
  });
}

// By the names of nodes, places among the pods.
using PlacesByNode = std::map<std::string_view, std::vector<std::size_t>>;

class OwnNodes {
 public:
  explicit OwnNodes(std::span<const api::Pod* const> pods) : pods_(pods), fit_(pods.size()) {}

  void look(const snapshot::Snapshot& whole, const PlacesByNode& places) {
    auto from = places.begin();
    while (from != places.end()) {
      snapshot::SubsetScope scope;
      auto to = from;
      for (; to != places.end() && scope.nodes.size() < kNodesAtOnce; ++to)
        scope.nodes.insert(to->first);
      const snapshot::Snapshot part = snapshot::subset_of(whole, scope);
      for (; from != to; ++from)
        look_at(snapshot::subset_of(part, {.nodes = {from->first}, .namespace_ = {}}),
                from->second);
    }
  }

  std::vector<bool> found() && { return std::move(fit_); }

 private:
  void look_at(const snapshot::Snapshot& node, const std::vector<std::size_t>& places) {
    for (const std::size_t place : places) {
      const api::ObjectMeta& meta = pods_[place]->meta;
      Hypothesis hypothesis(node, {.namespace_ = std::string(meta.namespace_),
                                   .pod = std::string(meta.name),
                                   .claims = {}});
      hypothesis.make_pending();
      // A claim whose devices have gone from every pool of the node is not in its part.
      if (!hypothesis.subject().blockers.empty()) continue;
      fit_[place] = Simulator(hypothesis.base()).run(hypothesis).starts();
    }
  }

  std::span<const api::Pod* const> pods_;
  std::vector<bool> fit_;
};

}  // namespace

std::vector<const api::Pod*> pods_with_devices(const snapshot::Snapshot& snapshot,
                                               std::string_view ns) {
  std::vector<const api::Pod*> pods;
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    const bool is_meant = ns.empty() || pod.meta.namespace_ == ns;
    if (!is_meant || pod.spec.node_name.empty() || pod.finished() || pod.meta.deleted) continue;
    if (!uses_claims(pod) && !pod.status.extended_resource_claim) continue;
    if (!is_static(pod) && holds_devices(subject_of_pod(snapshot, pod))) pods.push_back(&pod);
  }
  std::ranges::sort(pods, {}, [](const api::Pod* pod) {
    return std::pair(pod->meta.namespace_, pod->meta.name);
  });
  return pods;
}

std::vector<bool> fit_where_they_are(const snapshot::Snapshot& snapshot,
                                     std::span<const api::Pod* const> pods) {
  const NodeLoads loads(snapshot);
  PlacesByNode places;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    if (pods[i] != nullptr && !pods[i]->spec.group &&
        !depends_on_far_pods(snapshot, *pods[i], loads))
      places[pods[i]->spec.node_name].push_back(i);
  }
  OwnNodes nodes(pods);
  nodes.look(snapshot, places);
  return std::move(nodes).found();
}

}  // namespace dra::engine

// src/answers/diff/changes_near_devices.cpp: each kind of object has a distance() from what a
// subject got; the changes are sorted by it.

#include "src/answers/diff/changes_near_devices.h"

#include <algorithm>
#include <optional>
#include <set>

#include "dra/api/pod.h"
#include "dra/api/taint_rule.h"
#include "dra/engine/cluster/usage.h"
#include "dra/engine/facts/node_match.h"

namespace dra::answers {
namespace {

using snapshot::Difference;

// The devices that a subject has, with their pools and nodes.
struct Got {
  std::set<engine::DeviceId> devices = {};
  std::set<api::PoolName> pools = {};
  std::set<std::string_view> nodes = {};
};

void add_results(const api::ResourceClaim& claim, Got& got) {
  for (const api::AllocationResultItem& result : claim.status.allocation->devices.results) {
    got.devices.insert({result.driver, result.pool, result.device});
    got.pools.insert({result.driver, result.pool});
  }
}

Got got_by(const engine::Subject& subject) {
  Got got;
  for (const engine::SubjectClaim& claim : subject.claims) {
    if (!claim.allocated()) continue;
    add_results(*claim.claim, got);
    const auto& selector = claim.claim->status.allocation->node_selector;
    if (selector) got.nodes.insert(engine::only_node(*selector));
  }
  if (subject.pod != nullptr) got.nodes.insert(subject.pod->spec.node_name);
  got.nodes.erase(std::string_view());
  return got;
}

// 0 is the nearest; no value: the change is about something else.
using Distance = std::optional<int>;

Distance distance(const Got& got, const api::ResourceClaim& claim) {
  if (!claim.allocated()) return std::nullopt;
  Got had;
  add_results(claim, had);
  const auto any_of = [](const auto& some, const auto& others) {
    return std::ranges::any_of(some, [&](const auto& one) { return others.contains(one); });
  };
  if (any_of(had.devices, got.devices)) return 0;
  // Partitions share the counters of their pool.
  return any_of(had.pools, got.pools) ? Distance(2) : std::nullopt;
}

Distance distance(const Got& got, const api::ResourceSlice& slice) {
  const bool same = got.pools.contains({slice.spec.driver, slice.spec.pool.name});
  return same ? Distance(1) : std::nullopt;
}

Distance distance(const Got& got, const api::DeviceTaintRule& rule) {
  const auto& selector = rule.spec.selector;
  const bool may_match =
      selector && std::ranges::any_of(got.devices, [&](const engine::DeviceId& device) {
        return selector->driver.value_or(device.driver) == device.driver &&
               selector->pool.value_or(device.pool) == device.pool &&
               selector->device.value_or(device.device) == device.device;
      });
  return may_match ? Distance(3) : std::nullopt;
}

Distance distance(const Got& got, const api::Node& node) {
  return got.nodes.contains(node.meta.name) ? Distance(4) : std::nullopt;
}

// Pods use up their node's resources.
Distance distance(const Got& got, const api::Pod& pod) {
  return got.nodes.contains(pod.spec.node_name) ? Distance(5) : std::nullopt;
}

class ChangeDistances {
 public:
  ChangeDistances(const snapshot::Snapshot& before, const snapshot::Snapshot& after,
                  const engine::Subject& subject)
      : before_(before), after_(after), got_(got_by(subject)) {}

  Distance of(const Difference& change) const {
    switch (change.kind) {
      case api::Kind::Claim:
        return of_object<api::ResourceClaim>(change);
      case api::Kind::Slice:
        return of_object<api::ResourceSlice>(change);
      case api::Kind::TaintRule:
        return of_object<api::DeviceTaintRule>(change);
      case api::Kind::Node:
        return of_object<api::Node>(change);
      case api::Kind::Pod:
        return of_object<api::Pod>(change);
      default:
        return std::nullopt;
    }
  }

 private:
  // The object counts in the state in which it is nearer.
  template <class T>
  Distance of_object(const Difference& change) const {
    Distance nearest;
    for (const snapshot::Snapshot* state : {&before_, &after_}) {
      const T* object = state->find<T>(change.namespace_, change.name);
      const Distance found = object == nullptr ? std::nullopt : distance(got_, *object);
      if (found && (!nearest || *found < *nearest)) nearest = found;
    }
    return nearest;
  }

  const snapshot::Snapshot& before_;
  const snapshot::Snapshot& after_;
  Got got_;
};

}  // namespace

std::vector<Difference> changes_near_devices(const snapshot::Snapshot& before,
                                             const snapshot::Snapshot& after,
                                             const engine::Subject& subject,
                                             const std::vector<Difference>& changes) {
  const ChangeDistances distances(before, after, subject);
  std::vector<std::pair<int, Difference>> near;
  for (const Difference& one : changes) {
    if (const Distance found = distances.of(one)) near.emplace_back(*found, one);
  }
  std::ranges::stable_sort(near, {}, &std::pair<int, Difference>::first);
  std::vector<Difference> found;
  found.reserve(near.size());
  for (const auto& [distance, one] : near)
    found.push_back(one);
  return found;
}

}  // namespace dra::answers

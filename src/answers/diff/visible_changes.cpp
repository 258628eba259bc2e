// src/answers/diff/visible_changes.cpp: drops changes of kinds that one of the states could not
// read, and selects events by the pods that they are about.

#include "src/answers/diff/visible_changes.h"

#include <set>
#include <string_view>

#include "dra/api/cluster_objects.h"

namespace dra::answers {
namespace {

using snapshot::Difference;

// The subject's pod, or the pods that have reserved its claims in either state.
std::set<std::string_view> pods_of(const snapshot::Snapshot& before,
                                   const snapshot::Snapshot& after, const engine::Wanted& wanted) {
  std::set<std::string_view> pods;
  if (!wanted.pod.empty()) pods.insert(wanted.pod);
  for (const snapshot::Snapshot* state : {&before, &after}) {
    for (const std::string& name : wanted.claims) {
      const auto* claim = state->find<api::ResourceClaim>(wanted.namespace_, name);
      if (claim == nullptr) continue;
      for (const api::Consumer& consumer : claim->status.reserved_for)
        pods.insert(consumer.name);
    }
  }
  return pods;
}

}  // namespace

bool saw_both(const snapshot::Snapshot& before, const snapshot::Snapshot& after, api::Kind kind) {
  return before.coverage().saw(kind) && after.coverage().saw(kind);
}

std::vector<Difference> visible_changes(const snapshot::Snapshot& before,
                                        const snapshot::Snapshot& after) {
  auto changes = snapshot::differences(before, after);
  std::erase_if(changes, [&](const Difference& one) { return !saw_both(before, after, one.kind); });
  return changes;
}

std::vector<Difference> events_about(const snapshot::Snapshot& before,
                                     const snapshot::Snapshot& after, const engine::Wanted& wanted,
                                     const std::vector<Difference>& events) {
  std::vector<Difference> about;
  if (events.empty()) return about;
  const std::set<std::string_view> pods = pods_of(before, after, wanted);
  for (const Difference& one : events) {
    const api::Event* event = after.find<api::Event>(one.namespace_, one.name);
    if (event == nullptr) event = before.find<api::Event>(one.namespace_, one.name);
    if (event == nullptr || event->about.namespace_ != wanted.namespace_) continue;
    const bool of_pod = event->about.kind == "Pod" && pods.contains(event->about.name);
    if (of_pod || event->about.kind == "PodGroup") about.push_back(one);
  }
  return about;
}

}  // namespace dra::answers

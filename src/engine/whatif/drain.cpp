// src/engine/whatif/drain.cpp: repeats the filters of `kubectl drain`, and what controllers do
// next.

#include "dra/engine/whatif/drain.h"

#include <algorithm>
#include <map>
#include <utility>

#include "dra/api/cluster_objects.h"
#include "dra/api/daemon_pod.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/job_attempts.h"

namespace dra::engine {
namespace {

bool is_one_of_names(std::span<const std::string> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// A StatefulSet makes the next pod once the last one has gone; other controllers do not wait for
// that.
DrainFate fate_of(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  const api::OwnerReference* owner = api::controller_of(pod.meta);
  const std::string_view kind = owner == nullptr ? std::string_view() : owner->kind;
  if (api::daemon_set_of(pod) != nullptr) return DrainFate::OfDaemonSet;
  if (is_static(pod)) return DrainFate::Static;
  if (pod.meta.deleted && kind != "StatefulSet") return DrainFate::Ending;
  if (owner == nullptr) return DrainFate::NotRecreated;
  return ends_job(snapshot, pod, Removal::Eviction) ? DrainFate::EndsJob : DrainFate::Recreated;
}

// The latest moment that the snapshot knows of.
base::Instant latest(const snapshot::Snapshot& snapshot) {
  base::Instant last = snapshot.now().value_or(base::Instant());
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (pod.meta.created) last = std::max(last, *pod.meta.created);
    for (const api::Condition& condition : pod.status.conditions) {
      if (condition.changed) last = std::max(last, *condition.changed);
    }
  }
  return last;
}

}  // namespace

std::string_view name_of(DrainFate fate) {
  switch (fate) {
    case DrainFate::Recreated:
      return "Recreated";
    case DrainFate::NotRecreated:
      return "NotRecreated";
    case DrainFate::EndsJob:
      return "EndsJob";
    case DrainFate::Ending:
      return "Ending";
    case DrainFate::OfDaemonSet:
      return "OfDaemonSet";
    case DrainFate::Static:
      return "Static";
  }
  return "";
}

bool is_static(const api::Pod& pod) {
  const api::OwnerReference* owner = api::controller_of(pod.meta);
  return owner != nullptr && owner->kind == api::info_of(api::Kind::Node).name;
}

bool stays(DrainFate fate) { return fate == DrainFate::OfDaemonSet || fate == DrainFate::Static; }

std::vector<DrainedPod> drained_pods(const snapshot::Snapshot& snapshot,
                                     std::span<const std::string> nodes) {
  std::vector<DrainedPod> drained;
  std::map<std::string_view, std::size_t> leaving;  // by uid
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    if (pod.finished() || !is_one_of_names(nodes, pod.spec.node_name)) continue;
    const DrainFate fate = fate_of(snapshot, pod);
    if (!stays(fate)) leaving.emplace(pod.meta.uid, drained.size());
    drained.push_back({.pod = &pod, .fate = fate});
    drained.back().loses_data =
        !stays(fate) && std::ranges::any_of(pod.spec.volumes, [](const api::Volume& volume) {
          return volume.source.empty_dir.has_value();
        });
  }
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>()) {
    const auto& users = claim.status.reserved_for;
    const bool all_leave = std::ranges::all_of(users, [&leaving](const api::Consumer& consumer) {
      return consumer.is_pod() && leaving.contains(consumer.uid);
    });
    if (users.empty() || !claim.allocated() || !all_leave) continue;
    for (const api::Consumer& consumer : users) {
      for (const auto& result : claim.status.allocation->devices.results)
        drained[leaving.at(consumer.uid)].loses.push_back(
            {result.driver, result.pool, result.device});
    }
  }
  return drained;
}

// The taint that comes along with it keeps the same pods away.
void cordon(snapshot::Draft& draft, std::span<const std::string> nodes) {
  draft.change_if<api::Node>(
      [nodes](const api::Node& node) { return is_one_of_names(nodes, node.meta.name); },
      [](api::Node& node) { node.spec.unschedulable = true; });
}

void make_again(snapshot::Draft& draft, std::vector<api::Pod> pods) {
  base::Instant made = latest(draft.now());
  ++made.seconds;
  for (api::Pod& pod : pods) {
    pod.meta.uid = draft.keep(base::format("{}-again", pod.meta.uid));
    pod.meta.created = made;
    pod.meta.deleted.reset();
    pod.spec.node_name = {};
    pod.status = {};
    pod.status.phase = "Pending";
  }
  draft.add(std::move(pods));
}

}  // namespace dra::engine

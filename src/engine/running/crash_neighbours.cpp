// src/engine/running/crash_neighbours.cpp: whether a program that crashes does so for want of its
// devices: other pods with devices of the driver crash on the node as well and run elsewhere, or
// the node's container runtime may not pass devices on.

#include <algorithm>
#include <set>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/facts/full_name.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

constexpr std::size_t kNamed = 3;

// The only driver of the pod's devices; empty: there are several, or none.
std::string_view driver_of(const AfterScene& scene) {
  std::set<std::string_view> drivers;
  for (const SubjectClaim& claim : scene.subject.claims) {
    if (claim.claim == nullptr || !claim.claim->status.allocation) continue;
    for (const auto& result : claim.claim->status.allocation->devices.results)
      drivers.insert(result.driver);
  }
  return drivers.size() == 1 ? *drivers.begin() : std::string_view();
}

bool crash_loops(const api::Pod& pod) {
  return std::ranges::any_of(pod.status.containers, is_crash_looping);
}

// Other pods that have devices of the driver by a claim of theirs.
struct Neighbours {
  std::vector<const api::Pod*> crash;   // on the pod's node
  std::vector<const api::Pod*> run;     // there, too
  std::vector<const api::Pod*> others;  // run on other nodes
};

Neighbours neighbours_of(const AfterScene& scene, std::string_view driver) {
  Neighbours found;
  std::set<const api::Pod*> seen{scene.pod};
  for (const api::ResourceClaim& claim : scene.snapshot.all<api::ResourceClaim>()) {
    if (!claim.status.allocation) continue;
    const auto& results = claim.status.allocation->devices.results;
    if (std::ranges::find(results, driver, &api::AllocationResultItem::driver) == results.end())
      continue;
    for (const api::Consumer& consumer : claim.status.reserved_for) {
      const api::Pod* pod = consuming_pod(scene.snapshot, claim.meta.namespace_, consumer);
      if (pod == nullptr || pod->finished() || pod->meta.deleted || !seen.insert(pod).second)
        continue;
      const bool here = pod->spec.node_name == scene.pod->spec.node_name;
      if (here && crash_loops(*pod)) {
        found.crash.push_back(pod);
      } else if (api::is_true(pod->status.conditions, "Ready")) {
        (here ? found.run : found.others).push_back(pod);
      }
    }
  }
  return found;
}

std::string names_of(const std::vector<const api::Pod*>& pods) {
  std::vector<std::string> names;
  names.reserve(pods.size());
  for (const api::Pod* pod : pods)
    names.push_back(full_name(pod->meta));
  return base::join_first(names, kNamed);
}

std::string_view runtime_of(const AfterScene& scene, std::string_view node_name) {
  const auto* node = scene.snapshot.find<api::Node>(node_name);
  return node == nullptr ? std::string_view() : node->status.info.container_runtime;
}

// "pod a/b crashes there, too; pod a/c runs on node n (containerd://2.1.4)"
std::string comparison(const AfterScene& scene, const Neighbours& neighbours) {
  std::vector<std::string> parts;
  if (!neighbours.crash.empty())
    parts.push_back(base::format("{} there, too",
                                 neighbours.crash.size() == 1
                                     ? base::format("pod {} crashes", names_of(neighbours.crash))
                                     : base::format("pods {} crash", names_of(neighbours.crash))));
  if (!neighbours.others.empty()) {
    const api::Pod& other = *neighbours.others.front();
    const std::string_view runtime = runtime_of(scene, other.spec.node_name);
    parts.push_back(base::format("pod {} runs on node {}{}", full_name(other.meta),
                                 other.spec.node_name,
                                 runtime.empty() ? "" : base::format(" ({})", runtime)));
  }
  return base::join(parts, ", and ");
}

}  // namespace

void compare_with_neighbours(const AfterScene& scene, AfterFinding& found) {
  const std::string_view driver = driver_of(scene);
  if (driver.empty()) return;
  const DriverKnowledge* known = knowledge_of(driver);
  const Neighbours neighbours = neighbours_of(scene, driver);
  const std::string_view runtime = runtime_of(scene, scene.pod->spec.node_name);
  // Before its pull request 522, of November 2025, cri-dockerd does not pass on the field
  // CDIDevices of a container's configuration (github.com/Mirantis/cri-dockerd, issue 558). Which
  // release of it runs is in no object. A driver of network interfaces does without CDI.
  const bool docker = runtime.starts_with("docker://") && neighbours.run.empty() &&
                      (known == nullptr || !known->serves_pods);
  const bool only_here =
      !neighbours.crash.empty() && neighbours.run.empty() && !neighbours.others.empty();
  if (!docker && !only_here) return;
  const std::string others = comparison(scene, neighbours);
  if (docker)
    found.finding.message += base::format(
        "; node {} runs Docker ({}), through which a container may not get its devices",
        scene.pod->spec.node_name, runtime);
  else
    found.finding.message +=
        base::format("; every pod with devices of {} crashes on node {}, and not on others", driver,
                     scene.pod->spec.node_name);
  if (!others.empty()) found.finding.evidence.push_back({"others", others});
  found.repair.action = docker ? Action::UseOtherRuntime : Action::CompareNodes;
  found.driver = driver;
  found.node = scene.pod->spec.node_name;
}

}  // namespace dra::engine

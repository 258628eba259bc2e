// src/engine/running/not_gone.cpp: looks for what keeps a pod in deletion whose containers do not
// run any more. A source of after_scheduling.h.
//
// The kubelet lets a pod go only after each driver of its claims has taken the devices back, and a
// driver that is not registered on the node does not: the pod stays (kubernetes/kubernetes issue
// 129402). Upstream: k8s.io/kubernetes/pkg/kubelet, SyncTerminatingPod; pkg/kubelet/cm/dra,
// Manager.unprepareResources. A pod that has ended is deleted by the kubelet, too, after that and
// after its volumes: pkg/kubelet/status, manager.canBeDeleted. The kubelet deletes the slices of a
// driver that has gone: pkg/kubelet/cm/dra/plugin, DRAPluginManager.

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/allocated_device.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

// A driver of the pod's devices, none of which is published any more, and which publishes nothing
// on the node. Empty: each is there, or slices could not be read.
std::string_view driver_gone(const AfterScene& scene) {
  if (!scene.snapshot.coverage().saw(api::Kind::Slice)) return {};
  for (const SubjectClaim& claim : scene.subject.claims) {
    if (!claim.allocated()) continue;
    for (const auto& result : claim.claim->status.allocation->devices.results) {
      if (is_gone(scene.inventory, id_of(result)) &&
          !publishes_on(scene.inventory, result.driver, scene.pod->spec.node_name))
        return result.driver;
    }
  }
  return {};
}

void add_driver(const AfterScene& scene, AfterFinding& found) {
  const std::string_view driver = driver_gone(scene);
  const std::string node(scene.pod->spec.node_name);
  if (driver.empty() || !scene.snapshot.coverage().saw(api::Kind::Pod)) return;
  found.driver = driver;
  const api::Pod* plugin = plugin_on(scene, node, driver);
  if (plugin != nullptr && api::is_true(plugin->status.conditions, "Ready")) return;
  found.finding.message =
      plugin == nullptr
          ? base::format(
                "driver {} is not on {} any more, so the kubelet cannot give its devices "
                "back",
                driver, node)
          : base::format(
                "driver {} does not work on {}, so the kubelet cannot give its devices "
                "back: its pod there is {}",
                driver, node, trouble_in_words(*plugin));
  found.finding.evidence.push_back({"slices", "the driver publishes none for this node"});
  found.repair.action =
      plugin == nullptr ? Action::BringBackToRelease : Action::MendPluginToRelease;
  found.repair.pods = {std::string(scene.pod->meta.name)};
  found.repair.namespace_ = scene.pod->meta.namespace_;
}

AfterFinding& add_not_gone(const AfterScene& scene, Action action, std::string message) {
  AfterFinding& found = scene.add(diag::Code::PodNotGone, nullptr, std::move(message));
  found.fails = Fails::End;
  found.what = without_names(scene, found.finding.message);
  found.repair.command = Command::DescribePod;
  found.repair.object = {"Pod", std::string(scene.pod->meta.namespace_),
                         std::string(scene.pod->meta.name)};
  found.repair.action = action;
  if (const api::Event* event = newest_warning(scene.snapshot, "Pod", scene.pod->meta))
    found.finding.evidence.push_back(
        {"kubelet", base::format("{}: {}", event->reason, event->message), event->last_seen()});
  return found;
}

}  // namespace

// A pod that has ended may have taken its time, so what it waits for is not known unless a driver
// is gone.
void look_at_removal(const AfterScene& scene) {
  if (!driver_gone(scene).empty()) return look_at_release(scene);
  add_not_gone(
      scene, Action::AwaitRemoval,
      base::format("it has ended and is deleted, and the kubelet of node {} has not removed it",
                   scene.pod->spec.node_name));
}

void look_at_release(const AfterScene& scene) {
  AfterFinding& found =
      add_not_gone(scene, Action::AwaitUnprepareOfPod,
                   base::format("{}, and the kubelet has not taken its devices back",
                                have_ended(*scene.pod) ? "its containers have ended"
                                                       : "none of its containers runs"));
  for (const SubjectClaim& claim : scene.subject.claims) {
    if (!claim.allocated()) continue;
    const auto& results = claim.claim->status.allocation->devices.results;
    if (!results.empty()) found.driver = results.front().driver;
  }
  add_node_fact(scene, found);
  add_driver(scene, found);
  if (found.driver.empty()) return;
  add_plugin_facts(scene, found);
  const bool nothing_to_see = found.repair.action == Action::BringBackToRelease &&
                              found.repair.command == Command::ListPodsOfNode;
  if (nothing_to_see) found.repair.command = Command::None;
}

}  // namespace dra::engine

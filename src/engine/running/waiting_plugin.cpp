// src/engine/running/waiting_plugin.cpp: the driver's pod that is for the node and does not get
// onto it, as after a reboot or a new release. What it waits for may be held by the very pods that
// wait for the driver: then neither goes on by itself.

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/daemon_pods.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/facts/full_name.h"
#include "dra/engine/scheduler/node_filters.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

// Upstream: the kubelet's rejectPod; the controller of the DaemonSet then makes another one.
bool is_not_admitted(const api::Pod& pod) {
  return pod.status.phase == "Failed" && !pod.status.reason.empty() &&
         pod.status.containers.empty();
}

// The driver's pod that is for the node and is not on it. One that was not admitted counts only as
// long as there is no other.
const api::Pod* waiting_plugin(const AfterScene& scene, const AfterFinding& found) {
  const api::Pod* refused = nullptr;
  for (const api::Pod& pod : scene.snapshot.all<api::Pod>()) {
    if (node_of_daemon(pod) != found.node || !runs_plugin_of(pod, found.driver)) continue;
    if (waits_for_node(pod)) return &pod;
    if (is_not_admitted(pod)) refused = &pod;
  }
  return refused;
}

bool has_running_container(const api::Pod& pod) {
  return std::ranges::any_of(pod.status.containers, [](const api::ContainerStatus& one) {
    return one.state.running.has_value();
  });
}

bool has_device_of(const api::ResourceClaim& claim, std::string_view driver) {
  return claim.status.allocation &&
         std::ranges::any_of(
             claim.status.allocation->devices.results,
             [driver](const api::AllocationResultItem& one) { return one.driver == driver; });
}

// The pods on the node that have devices of the driver and do not run, that of the scene first.
std::vector<const api::Pod*> pods_waiting_for_driver(const AfterScene& scene,
                                                     const AfterFinding& found) {
  std::vector<const api::Pod*> pods{scene.pod};
  for (const api::ResourceClaim& claim : scene.snapshot.all<api::ResourceClaim>()) {
    if (!has_device_of(claim, found.driver)) continue;
    for (const api::Consumer& consumer : claim.status.reserved_for) {
      const api::Pod* pod = consuming_pod(scene.snapshot, claim.meta.namespace_, consumer);
      if (pod == nullptr || pod->spec.node_name != found.node || pod->finished() ||
          has_running_container(*pod) || std::ranges::find(pods, pod) != pods.end())
        continue;
      pods.push_back(pod);
    }
  }
  return pods;
}

// What the scheduler's filters have against the plugin's pod on its node. Only pods there count:
// plugins of a hundred nodes may wait.
class Placement {
 public:
  Placement(const AfterScene& scene, const api::Node& node, const api::Pod& plugin)
      : scene_(scene), node_(node), plugin_(plugin) {
    plugin_.spec.node_name = {};
    for (const api::Pod& pod : scene.snapshot.all<api::Pod>()) {
      if (pod.spec.node_name == node.meta.name && !pod.finished()) there_.push_back(&pod);
    }
  }

  // As if these pods were not there.
  std::vector<Reason> without(std::span<const api::Pod* const> gone) const {
    std::vector<const api::Pod*> left;
    std::ranges::copy_if(there_, std::back_inserter(left), [gone](const api::Pod* pod) {
      return std::ranges::find(gone, pod) == gone.end();
    });
    const NodeLoads loads(scene_.snapshot, OnlyPods{left});
    return NodeFilters(scene_.snapshot, loads, plugin_).against(node_);
  }

  // The scheduler ends pods of a lower priority for it.
  bool makes_room_for_itself(std::span<const api::Pod* const> pods) const {
    return plugin_.spec.preemption_policy != "Never" &&
           std::ranges::all_of(pods, [this](const api::Pod* pod) {
             return pod->spec.priority < plugin_.spec.priority;
           });
  }

  // The fewest of the pods that keep the plugin out, as far as one or all do. Empty: others do, or
  // it makes room for itself.
  std::vector<const api::Pod*> in_its_way(const std::vector<const api::Pod*>& pods) const {
    for (const api::Pod* pod : pods) {
      if (without({&pod, 1}).empty())
        return makes_room_for_itself({&pod, 1}) ? std::vector<const api::Pod*>() : std::vector{pod};
    }
    const bool all = pods.size() > 1 && without(pods).empty() && !makes_room_for_itself(pods);
    return all ? pods : std::vector<const api::Pod*>();
  }

 private:
  const AfterScene& scene_;
  const api::Node& node_;
  api::Pod plugin_;
  std::vector<const api::Pod*> there_;
};

std::string texts_of(const std::vector<Reason>& reasons) {
  std::vector<std::string> texts;
  texts.reserve(reasons.size());
  for (const Reason& reason : reasons)
    texts.push_back(reason.message);
  return base::join(texts, "; ");
}

// What the scheduler or the kubelet says about it.
std::string words_about(const api::Pod& plugin) {
  if (is_not_admitted(plugin))
    return plugin.status.message.empty()
               ? std::string(plugin.status.reason)
               : base::format("{}: {}", plugin.status.reason, plugin.status.message);
  const api::Condition* scheduled = api::condition_of(plugin.status.conditions, "PodScheduled");
  return scheduled == nullptr ? std::string() : std::string(scheduled->message);
}

bool is_about_room(const Reason& reason) {
  return reason.code == Code::NodeResources || reason.code == Code::ExtendedResource ||
         reason.code == Code::NodePorts;
}

// "pod ml/a holds", "pods ml/a, ml/b hold"
std::string names_of(const std::vector<const api::Pod*>& pods) {
  constexpr std::size_t named = 3;
  std::vector<std::string> names;
  names.reserve(pods.size());
  for (const api::Pod* pod : pods)
    names.push_back(full_name(pod->meta));
  const bool one = names.size() == 1;
  return base::format("{} {} {}", one ? "pod" : "pods", base::join_first(names, named),
                      one ? "holds" : "hold");
}

void delete_them(const std::vector<const api::Pod*>& pods, const api::Pod& plugin,
                 AfterFinding& found) {
  found.repair = {};
  for (const api::Pod* pod : pods)
    add_pod(*pod, found.repair);
  const std::string_view ns = pods.front()->meta.namespace_;
  const bool in_one_namespace =
      std::ranges::all_of(pods, [ns](const api::Pod* pod) { return pod->meta.namespace_ == ns; });
  if (pods.size() == 1) {
    found.repair = delete_pod(*pods.front());
  } else if (in_one_namespace) {
    found.repair.command = Command::DeletePods;
    found.repair.object = {"Pod", std::string(ns), {}};
  } else {
    found.repair.command = Command::DescribePod;
    found.repair.object = api::subject_of("Pod", plugin.meta);
  }
  found.repair.action = Action::LetPluginIn;
}

}  // namespace

void look_for_waiting_plugin(const AfterScene& scene, AfterFinding& found) {
  const auto* node = scene.snapshot.find<api::Node>(found.node);
  const api::Pod* plugin = node == nullptr ? nullptr : waiting_plugin(scene, found);
  if (plugin == nullptr) return;
  const Placement placement(scene, *node, *plugin);
  const std::vector<Reason> against = placement.without({});
  const std::string said = words_about(*plugin);
  const std::string why = against.empty() ? said : texts_of(against);
  const std::string its_pod =
      base::format("{}: its pod {}", found.finding.message, full_name(plugin->meta));
  found.finding.evidence.push_back(
      {"driver", base::format("its pod {} is for this node and is {}{}", full_name(plugin->meta),
                              container_state(*plugin), why.empty() ? "" : ": " + why)});
  const api::Event* reboot = newest_warning(scene.snapshot, "Node", node->meta, "Rebooted");
  if (reboot != nullptr)
    found.finding.evidence.push_back({"node", std::string(reboot->message), reboot->last_seen()});
  const auto holders = against.empty()
                           ? std::vector<const api::Pod*>()
                           : placement.in_its_way(pods_waiting_for_driver(scene, found));
  if (!holders.empty()) {
    found.finding.message =
        base::format("{} waits for what {}, and {} for the driver", its_pod, names_of(holders),
                     holders.size() == 1 ? "that pod waits" : "these wait");
    return delete_them(holders, *plugin, found);
  }
  found.finding.message = base::format("{} does not get onto it{}", its_pod,
                                       why.empty() ? std::string() : base::format(" ({})", why));
  const bool of_room = !against.empty() && std::ranges::all_of(against, is_about_room);
  found.repair.action = of_room ? Action::MakeRoomForPlugin : Action::StartPlugin;
  found.repair.command = Command::DescribePod;
  found.repair.object = api::subject_of("Pod", plugin->meta);
}

std::string own_claim_of_plugin(const AfterScene& scene, const api::Pod& plugin,
                                std::string_view driver) {
  for (const SubjectClaim& claim : subject_of_pod(scene.snapshot, plugin).claims) {
    if (claim.claim != nullptr && has_device_of(*claim.claim, driver))
      return claim.pod_claim.empty() ? claim.name : std::string(claim.pod_claim);
  }
  return {};
}

}  // namespace dra::engine

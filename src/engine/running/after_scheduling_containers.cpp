// src/engine/running/after_scheduling_containers.cpp: findings from what the kubelet reports about
// containers and their devices: containers that cannot be created, devices that are not healthy. A
// source of after_scheduling.h.

#include <algorithm>
#include <set>

#include "dra/base/text.h"
#include "dra/engine/cluster/allocated_device.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/cluster/taints.h"
#include "dra/engine/facts/known_bugs.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

using diag::Certainty;
using diag::Code;

// The kubelet asks itself for what it prepared, and has nothing. Upstream:
// k8s.io/kubernetes/pkg/kubelet/cm/dra, ManagerImpl.GetResources.
bool never_prepared(const api::ContainerWaiting& waiting) {
  return waiting.message.find("unable to get claim info for") != std::string_view::npos;
}

// Whether containerd, CRI-O or the kubelet reports that the driver's device is missing.
bool lacks_device(const api::ContainerWaiting& waiting) {
  const bool failed = waiting.reason == "CreateContainerError" ||
                      waiting.reason == "RunContainerError" || waiting.reason == "StartError" ||
                      waiting.reason == "CreateContainerConfigError";
  return failed &&
         (never_prepared(waiting) || waiting.message.find("CDI") != std::string_view::npos);
}

// The driver of the first claim that has devices of one driver alone; empty: there is none.
std::string_view first_only_driver(const AfterScene& scene) {
  for (const SubjectClaim& claim : scene.subject.claims) {
    if (const std::string_view driver = only_driver(&claim); !driver.empty()) return driver;
  }
  return {};
}

// The driver has prepared the devices, and the runtime does not know them by the names that it
// gave.
void not_found_by_runtime(const AfterScene& scene, const api::ContainerStatus& container) {
  const api::ContainerWaiting& waiting = *container.state.waiting;
  AfterFinding& found = scene.add(
      Code::ContainerNotStarted, nullptr,
      base::format("its devices are prepared, but the container runtime does not find them "
                   "for container {}: {}",
                   container.name, waiting.message));
  found.what = "not found by the runtime";
  found.driver = first_only_driver(scene);
  found.fails = Fails::Start;
  found.repair.action = Action::CompareCdi;
  found.repair.command = Command::DescribePod;
  found.repair.object = {"Pod", std::string(scene.pod->meta.namespace_),
                         std::string(scene.pod->meta.name)};
}

// Another pod of this node that uses the claim; nullptr: there is none.
const api::Pod* user_before(const AfterScene& scene, const api::ResourceClaim& claim) {
  for (const api::Consumer& consumer : claim.status.reserved_for) {
    const api::Pod* pod = consuming_pod(scene.snapshot, claim.meta.namespace_, consumer);
    const bool other = pod != nullptr && pod->meta.uid != scene.pod->meta.uid;
    if (other && pod->spec.node_name == scene.pod->spec.node_name) return pod;
  }
  return nullptr;
}

// The pods on the pod's node that use a claim of it.
std::vector<const api::Pod*> users_on_node(const AfterScene& scene) {
  std::vector<const api::Pod*> users = {scene.pod};
  for (const SubjectClaim& claim : scene.subject.claims) {
    if (claim.claim == nullptr) continue;
    for (const api::Consumer& consumer : claim.claim->status.reserved_for) {
      const api::Pod* pod = consuming_pod(scene.snapshot, claim.claim->meta.namespace_, consumer);
      if (pod != nullptr && pod->spec.node_name == scene.pod->spec.node_name && !pod->finished() &&
          std::ranges::find(users, pod) == users.end())
        users.push_back(pod);
    }
  }
  std::ranges::sort(users, {}, [](const api::Pod* pod) { return pod->meta.name; });
  return users;
}

// The runtime does not find what was prepared before the container ran last. The kubelet asks
// again after a reboot (pkg/kubelet/cm/dra, PrepareResources), and a driver that finds the claim in
// its checkpoint may answer without writing the files again. It forgets the claim once the last of
// its pods on the node is gone.
void prepared_files_lost(const AfterScene& scene, AfterFinding& found) {
  const auto* node = scene.snapshot.find<api::Node>(scene.pod->spec.node_name);
  const api::Event* reboot =
      node == nullptr ? nullptr : newest_warning(scene.snapshot, "Node", node->meta, "Rebooted");
  if (reboot != nullptr)
    found.finding.evidence.push_back({"node", std::string(reboot->message), reboot->last_seen()});
  found.driver = first_only_driver(scene);
  found.repair = {};
  for (const api::Pod* pod : users_on_node(scene))
    add_pod(*pod, found.repair);
  if (found.repair.pods.size() == 1) found.repair = delete_pod(*scene.pod);
  found.repair.action = Action::ReleaseClaims;
  if (found.repair.pods.size() == 1) return;
  found.repair.command = Command::DeletePods;
  found.repair.object = {"Pod", std::string(scene.pod->meta.namespace_), {}};
}

void cannot_create(const AfterScene& scene, const api::ContainerStatus& container) {
  const api::ContainerWaiting& waiting = *container.state.waiting;
  const bool had_run =
      scene.started() || container.restarts > 0 || container.last.terminated.has_value();
  if (!never_prepared(waiting) && !had_run) return not_found_by_runtime(scene, container);
  const std::string_view how = never_prepared(waiting)
                                   ? "the kubelet has not prepared all its claims"
                                   : "the container runtime does not find what was prepared for it "
                                     "any more";
  AfterFinding& found =
      scene.add(Code::PrepareFailed, nullptr,
                base::format("container {} cannot be created: {}", container.name, how));
  found.finding.certainty = Certainty::Heuristic;
  found.what = never_prepared(waiting) ? "not all prepared" : "not prepared any more";
  found.fails = Fails::Start;
  found.finding.evidence.push_back(
      {"container", base::format("{}: {}", waiting.reason, waiting.message)});
  found.repair = delete_pod(*scene.pod);
  found.repair.action = Action::RecreatePodAfterReboot;
  if (!never_prepared(waiting)) return prepared_files_lost(scene, found);
  if (scene.subject.claims.size() < 2) return;
  std::string bug = kubelet_bug(scene, Bug::PreparedClaimBesideOthers);
  if (bug.empty()) return;
  found.finding.evidence.push_back({"bug", std::move(bug)});
  found.repair = {.action = Action::UseFreshClaims};
  for (const SubjectClaim& claim : scene.subject.claims) {
    const api::Pod* other = claim.claim == nullptr ? nullptr : user_before(scene, *claim.claim);
    if (other == nullptr) continue;
    found.repair = delete_pod(*other);
    found.repair.action = Action::UseFreshClaims;
    found.repair.claim = claim.claim->meta.name;
    return;
  }
}

// A taint keeps new pods off the device already, unless its claim tolerates it.
bool is_tainted(const AfterScene& scene, const api::AllocationResultItem& result) {
  const PoolDevice* published = scene.inventory.find(id_of(result));
  if (published == nullptr) return false;
  const auto& taints = scene.inventory.facts(*published).taints;
  return !taints.empty() && !tolerates_all(result.tolerations, taints);
}

// The allocator ignores health, so it may give the same device again.
Repair repair_of_unhealthy(const AfterScene& scene, const api::AllocationResultItem* device) {
  if (device != nullptr && is_tainted(scene, *device)) {
    Repair repair = delete_pod(*scene.pod);
    repair.action = Action::GiveWay;
    return repair;
  }
  Repair repair;
  add_pod(*scene.pod, repair);
  if (device == nullptr) {
    cordon_node(scene, repair);
  } else {
    keep_pods_off(scene, id_of(*device), Action::TaintUnhealthyDevice, repair);
  }
  return repair;
}

// The allocated device that an id of the kubelet or of the container runtime ends with.
const api::AllocationResultItem* device_of(const AfterScene& scene, std::string_view id) {
  for (const SubjectClaim& claim : scene.subject.claims) {
    if (!claim.allocated()) continue;
    for (const auto& result : claim.claim->status.allocation->devices.results) {
      if (id.ends_with(result.device)) return &result;
    }
  }
  return nullptr;
}

// The kubelet gets the health of each device from the driver and reports it by container.
void look_at_health(const AfterScene& scene, const api::ContainerStatus& container,
                    std::set<std::string_view>& reported) {
  for (const api::ResourceStatus& resource : container.resources) {
    if (!resource.name.starts_with("claim:")) continue;
    for (const api::ResourceHealth& health : resource.resources) {
      if (health.health != "Unhealthy" || !reported.insert(health.id).second) continue;
      const api::AllocationResultItem* device = device_of(scene, health.id);
      AfterFinding& found = scene.add(
          Code::DeviceUnhealthy, nullptr,
          base::format("device {} is unhealthy{}{}", device == nullptr ? health.id : device->device,
                       health.message.empty() ? "" : ": ", health.message));
      found.what = "unhealthy " + without_names(scene, health.message);
      found.fails = scene.started() ? Fails::Run : Fails::Start;
      found.finding.evidence.push_back({"health", base::format("of {} in container {}: Unhealthy",
                                                               resource.name, container.name)});
      found.repair = repair_of_unhealthy(scene, device);
    }
  }
}

}  // namespace

void look_at_containers(const AfterScene& scene) {
  std::set<std::string_view> reported;
  for (const auto* statuses : {&scene.pod->status.init_containers, &scene.pod->status.containers}) {
    for (const api::ContainerStatus& container : *statuses) {
      if (container.state.waiting && lacks_device(*container.state.waiting))
        cannot_create(scene, container);
      look_at_health(scene, container, reported);
    }
  }
}

}  // namespace dra::engine

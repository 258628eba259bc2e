// src/answers/explain/after/container_remedy.cpp: one sentence for each action.

#include "src/answers/explain/after/after_remedy_parts.h"

#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/running/eviction.h"

namespace dra::answers {
namespace {

using engine::Action;

// The last way out: the kubelet is not asked.
std::string by_force(const engine::AfterFinding& found) {
  return diag::kubectl("delete pod")
      .name(found.repair.pods.front())
      .in(found.repair.namespace_)
      .words("--force --grace-period=0")
      .text();
}

std::string about_release(const engine::AfterFinding& found) {
  switch (found.repair.action) {
    case Action::RestoreClaimNames:
      return "Write the name back: the kubelet then takes the devices back, and the pod goes. "
             "Update the client that overwrites the status of pods, and the kubelet to v1.37, "
             "which does not need the name. Deleting the pod again does not help.";
    case Action::AwaitClaimNames:
      return base::format(
          "kube-controller-manager writes the name back within seconds, and pod {} then starts by "
          "itself. If that does not last, update the client that overwrites the status of pods.",
          found.repair.pods.front());
    case Action::MendPluginToRelease:
      return base::format(
          "Fix that pod: pod {} then goes by itself. If that pod in turn waits until pod {} is "
          "gone, only force ends it: `{}`.",
          found.repair.pods.front(), found.repair.pods.front(), by_force(found));
    default:
      return base::format(
          "Install driver {} again, at least on {}: the pod then goes by itself. Uninstall a "
          "driver only after the last pod with its claims. If it never comes back, only force ends "
          "the pod: `{}`.",
          found.driver, found.node, by_force(found));
  }
}

std::string about_deletion(const engine::AfterFinding& found) {
  switch (found.repair.action) {
    case Action::AwaitUnprepareOfPod:
      return "The kubelet takes the devices back before the pod goes, and has not: the logs of the "
             "kubelet and of the driver's pod on that node show why. Deleting the pod again does "
             "not "
             "help.";
    case Action::KillContainer:
      return base::format(
          "Look at the container runtime and at that process on node {}. Deleting the pod again "
          "does "
          "not help.",
          found.node);
    case Action::ReleaseLostNode:
      return base::format(
          "Bring node {0} back. If it is gone for good, delete the node, or taint it "
          "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute: then its pods are removed.",
          found.node);
    default:
      return "Whatever set that finalizer has to remove it: find out why it has not. If it is gone "
             "for good, remove the finalizer by hand.";
  }
}

// The controller of evicted pods makes them again, and the scheduler may choose the device again.
std::string about_eviction(const engine::AfterFinding& found) {
  if (found.what == engine::kTolerationLost)
    return "Update the control plane to v1.35. Until then use effect NoSchedule in place of "
           "NoExecute, or remove the taint: each new pod with this device is evicted, too.";
  return "Pods that come after get other devices, unless their claims tolerate the taint for ever. "
         "Remove the taint when the device is in order again.";
}

// What differs on the node between the driver and the container.
std::string about_runtime(const engine::AfterFinding& found) {
  switch (found.repair.action) {
    case Action::CompareCdi:
      return base::format(
          "On node {}, compare the directory in which the driver writes its CDI files with "
          "cdi_spec_dirs of the container runtime, and see that the runtime has CDI enabled. A new "
          "pod fails in the same way till then.",
          found.node);
    case Action::CompareNodes:
      return base::format(
          "Look for what differs on node {}: the driver's pod and its log, the container runtime "
          "and its CDI settings, the version of the hardware's own driver. The container's log "
          "shows what "
          "it misses.",
          found.node);
    default:
      return base::format(
          "Run containerd or CRI-O on node {}, or a cri-dockerd that passes CDI devices on "
          "(Mirantis/cri-dockerd#558), and keep pods with devices off it till then. If the "
          "container has its devices, its log shows why it crashes.",
          found.node);
  }
}

}  // namespace

std::string remedy_of_containers(const engine::AfterFinding& found) {
  switch (found.repair.action) {
    case Action::CompareCdi:
    case Action::CompareNodes:
    case Action::UseOtherRuntime:
      return about_runtime(found);
    case Action::MendContainer:
      return "The devices are not the cause: fix what the message names. The kubelet tries again "
             "by itself, and the pod keeps its devices meanwhile.";
    case Action::MendProbe:
      return "The program runs and does not answer its probe: its log shows why, or the probe "
             "gives "
             "it too little time. The pod keeps its devices meanwhile.";
    case Action::MendRuntime:
      return base::format(
          "The container runtime fails before the program starts, so there is no log of it: act on "
          "the message. Often the tools of the driver on node {} do not go with the driver's "
          "version.",
          found.node);
    case Action::RaiseMemory:
      return "Raise its memory limit, or let it use less. The pod keeps its devices meanwhile.";
    case Action::SeparatePlugin:
      return base::format(
          "Another pod may use the same hardware: switch the device plugin off on node {}, or move "
          "one of the pods. If it fails alone, too, its log shows why.",
          found.node);
    case Action::ReadEnding:
      return "A pod that has failed does not run again: act on what is said. Its controller, if it "
             "has one, makes another pod.";
    case Action::ListClaim:
      return base::format(
          "Add `resources: {{claims: [{{name: {}}}]}}` to the container that needs the devices, "
          "in the pod's template, and recreate the pod. If the devices are network interfaces, "
          "which "
          "need no such entry, the container's log shows why it crashes.",
          found.repair.claim);
    case Action::AwaitUnprepareOfPod:
    case Action::KillContainer:
    case Action::ReleaseLostNode:
    case Action::RemoveFinalizer:
      return about_deletion(found);
    case Action::RestoreClaimNames:
    case Action::AwaitClaimNames:
    case Action::BringBackToRelease:
    case Action::MendPluginToRelease:
      return about_release(found);
    case Action::EvictedForTaint:
      return about_eviction(found);
    default:
      return "The program itself fails: its log shows why. The pod keeps its devices meanwhile.";
  }
}

}  // namespace dra::answers

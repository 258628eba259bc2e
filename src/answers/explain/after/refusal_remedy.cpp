// src/answers/explain/after/refusal_remedy.cpp: one sentence for each action.

#include "dra/base/text.h"
#include "src/answers/explain/after/after_remedy_parts.h"

namespace dra::answers {
namespace {

using engine::Action;
using engine::Repair;

// The object to edit, as a claim cannot be changed.
std::string where_from(const Repair& repair) {
  return repair.template_name.empty() ? std::string("the pod's claims")
                                      : base::format("template {}", repair.template_name);
}

std::string about_kubelet(const engine::AfterFinding& found) {
  switch (found.repair.action) {
    case Action::AwaitRemoval:
      return base::format(
          "The kubelet of node {} removes the pod after all that is left of it there: its log "
          "shows "
          "what it waits for. Deleting the pod again does not help.",
          found.node);
    case Action::FreeDisk:
      return base::format("Free the disk of node {}. The kubelet tries again by itself.",
                          found.node);
    case Action::LetKubeletWrite:
      return base::format(
          "The driver was not at fault. Let the kubelet of node {} write to its directory "
          "(--root-dir, by default /var/lib/kubelet). It tries again by itself.",
          found.node);
    case Action::LookAtKubelet:
      return base::format(
          "Look at the kubelet and the container runtime of node {}: their logs show what they "
          "wait for. The pod keeps its devices meanwhile.",
          found.node);
    case Action::ReadKubeletLog:
      return base::format(
          "The kubelet says that, not the driver: its log on node {} shows more. It tries again by "
          "itself.",
          found.node);
    case Action::RestartKubelet:
      return base::format(
          "The driver's plugin works, and the kubelet has lost it. Restart the kubelet on node {}, "
          "and update it.",
          found.node);
    case Action::UpgradeKubelet:
      return base::format(
          "The driver was not called. Upgrade the kubelet of node {}, or let the API server serve "
          "the version that it asks for.",
          found.node);
    case Action::SwitchFeatureGateOn:
      return "Switch the feature gate that it names on for this kubelet, or use another node.";
    case Action::TeachKubelet:
      return base::format(
          "No device is missing. Update the kubelet of node {} to v1.36 or newer, or ask for the "
          "devices with a claim template. Then delete the pod: only a new one is served.",
          found.node);
    default:
      return base::format(
          "No device is missing. Remove {} from the status of node {}, update its kubelet to v1.36 "
          "or newer, or ask for the devices with a claim template. Then delete the pod: the "
          "kubelet "
          "does not try it again.",
          found.repair.resource, found.node);
  }
}

}  // namespace

bool has_words_of_refusal(engine::Action action) {
  switch (action) {
    case Action::GrantPermission:
    case Action::LeaveHostNetwork:
    case Action::ReadLogOfSkipped:
    case Action::RegisterAgain:
    case Action::RemoveNodeLabel:
    case Action::AwaitOtherOwner:
    case Action::RestartKubelet:
    case Action::AwaitRemoval:
    case Action::FreeDisk:
    case Action::LetKubeletWrite:
    case Action::LookAtKubelet:
    case Action::ReadKubeletLog:
    case Action::SwitchFeatureGateOn:
    case Action::UpgradeKubelet:
    case Action::SplitClaim:
    case Action::UseClaimOnce:
    case Action::TeachKubelet:
    case Action::ForgetPlugin:
      return true;
    default:
      return false;
  }
}

std::string remedy_of_refusals(const engine::AfterFinding& found) {
  const Repair& repair = found.repair;
  if (repair.object.kind == "ComputeDomain")
    return "Create a ComputeDomain in the namespace of the pod, and let the pod use the template "
           "that "
           "it makes: a copied template names the domain of the other namespace. No other try "
           "helps.";
  switch (repair.action) {
    case Action::GrantPermission:
      return base::format(
          "Allow service account {} to {}, in the ClusterRole that the driver was installed with. "
          "A "
          "restart of the driver does not help; the kubelet tries again by itself.",
          repair.object.name, repair.permission);
    case Action::LeaveHostNetwork:
      return "Remove hostNetwork: true from the pod, or the claim, and create the pod again. Until "
             "then it fails each time, on every node.";
    case Action::UseClaimOnce:
      return base::format(
          "Remove claim {} from container {}, or give it a claim of its own, and create the pod "
          "again. No other try helps.",
          repair.claim, repair.container);
    case Action::SplitClaim:
      return base::format(
          "A driver has to skip the devices of others: update it, or split {} into one claim for "
          "each driver.",
          where_from(repair));
    case Action::ReadLogOfSkipped:
      return "Its log shows what it waits for. The kubelet asks again by itself.";
    case Action::RegisterAgain:
      return base::format(
          "Restart its pod there: it then registers again. If that does not help, restart the "
          "kubelet on node {}, and compare its --root-dir with the directory plugins_registry that "
          "the pod mounts.",
          found.node);
    case Action::RemoveNodeLabel:
      return "Remove the label: the driver sets it again for the claim. To wait or to delete the "
             "pod "
             "does not help.";
    case Action::AwaitOtherOwner:
      return "The driver does not change that label. Let the pods of that ComputeDomain on the "
             "node "
             "end, or let this pod use another node.";
    default:
      return about_kubelet(found);
  }
}

}  // namespace dra::answers

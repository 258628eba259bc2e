// src/answers/explain/after/after_remedy.cpp: each action has one sentence, which is fixed or names
// the objects to repair.

#include "dra/answers/explain/after_remedy.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "dra/api/limits.h"
#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "src/answers/explain/after/after_remedy_parts.h"

namespace dra::answers {
namespace {

using engine::Action;
using engine::AfterFinding;
using engine::Repair;

std::string classes_words(const Repair& repair) {
  std::vector<std::string> classes;
  classes.reserve(repair.classes.size());
  for (const std::string& name : repair.classes)
    classes.push_back(name.empty() ? "the class" : base::format("class {}", name));
  return base::join(classes, " and of ");
}

// An allocation keeps the parameters of its creation, and so does a claim. The object to create
// again depends on where the parameters come from.
std::string correct_template(const Repair& repair, std::string_view or_class) {
  if (!repair.pod_group.empty())
    return base::format(
        "Re-create template {} with correct parameters{}, then delete pod group {} "
        "and its pods.",
        repair.template_name, or_class, repair.pod_group);
  const std::string which = repair.template_name.empty()
                                ? base::format("the template of claim {}", repair.claim)
                                : base::format("template {}", repair.template_name);
  return base::format(
      "Re-create {} with correct parameters{}, then delete {}: a claim keeps its parameters.{}",
      which, or_class, pods_words(repair.pods), by_hand(repair));
}

// Follows each advice to correct parameters.
constexpr std::string_view kRefusedEverywhere =
    " Until then every node refuses the claim, however often the kubelet tries. If the driver "
    "names "
    "something that is switched off in it, switching that on is enough.";

std::string correct_parameters(const Repair& repair) {
  const std::string classes = classes_words(repair);
  const std::string or_class =
      classes.empty() ? "" : base::format(" (spec.config of {} has some, too)", classes);
  switch (repair.action) {
    case Action::CorrectClass:
      return base::format(
          "Correct spec.config of {}, then delete {}: till then the claim keeps its "
          "parameters.{}",
          classes, pods_words(repair.pods), by_hand(repair));
    case Action::CorrectTemplate:
      return correct_template(repair, or_class);
    case Action::RecreateClaim:
      return base::format(
          "A claim keeps its parameters: delete {} and claim {}, then re-create the claim with "
          "corrected parameters{}.{}",
          pods_words(repair.pods), repair.claim, or_class, by_hand(repair));
    default:
      return "Correct the parameters where they are: spec.devices.config of the claim's template, "
             "spec.config of the class; a claim has to be re-created with them. Then delete the "
             "pod.";
  }
}

std::string about_claim(const Repair& repair) {
  const std::string pod = repair.pods.empty() ? std::string() : repair.pods.front();
  switch (repair.action) {
    case Action::CreateClaimAgain:
      return base::format(
          "Create claim {} again. Then delete pod {}: a claim is never allocated for a pod that "
          "already has a node.{}",
          repair.claim, pod, by_hand(repair));
    case Action::DeletePodForNewClaims:
      return base::format("Delete pod {}: its claims are re-created with a new pod.{}", pod,
                          by_hand(repair));
    case Action::AwaitReservation:
      return base::format(
          "kube-controller-manager reserves claim {} for pod {} within seconds. If a minute has "
          "passed, it does not run or fails: its lease shows when it was last renewed.",
          repair.claim, pod);
    case Action::UseMoreClaims:
      return base::format("A claim takes {} pods at most. Delete some, or use more claims.",
                          api::kMaxConsumers);
    case Action::UseFreshClaims:
      return base::format(
          "Update the kubelet. Until then delete {}, or give this pod claims that no other pod on "
          "the node uses.{}",
          pod.empty() ? std::string("the pod that already uses one of the claims")
                      : base::format("pod {}, which already uses claim {}", pod, repair.claim),
          by_hand(repair));
    case Action::UseOwnClaims:
      return "Give each pod a claim of its own: name a ResourceClaimTemplate in its "
             "spec.resourceClaims, not the claim. That takes a new pod.";
    case Action::UseSchedulerOfDra:
      if (repair.scheduler == api::kDefaultScheduler)
        return base::format(
            "{} runs without DRA: until v1.34 the feature gate DynamicResourceAllocation is off by "
            "default. Switch it on in kube-scheduler and kube-controller-manager; then delete the "
            "pod and create it again. A new pod meets the same before that.{}",
            repair.scheduler, by_hand(repair));
      return base::format(
          "Scheduler {} has bound the pod without its claim, and nothing allocates that now. First "
          "switch DRA on in that scheduler, or use {}: a new pod meets the same before that. Then "
          "delete the pod and create it again.",
          repair.scheduler, api::kDefaultScheduler);
    case Action::RecreateIfGone:
      return "Create the claim if it is gone: delete the pod, so that its owner re-creates both.";
    case Action::LetKubeletRead:
      return base::format(
          "The driver was not called: to the API server the pod is not on that node, so the "
          "kubelet "
          "cannot read its claim. Delete pod {}: a new one is bound once more. If new pods fail "
          "as "
          "well, look at the API server's authorization and its log.{}",
          pod, by_hand(repair));
    default:
      return "A claim is never allocated for a pod that already has a node: setting spec.nodeName "
             "bypasses the scheduler. Delete the pod, and create it without spec.nodeName.";
  }
}

// For devices that the claim keeps until its pods are deleted.
std::string about_lost_devices(const AfterFinding& found) {
  const Repair& repair = found.repair;
  const std::string rest = base::format("elete {}: pods that come after get other devices.{}",
                                        pods_words(repair.pods), by_hand(repair));
  if (repair.action == Action::AwaitDeletion)
    return base::format(
        "Claim {} is freed once {} {} gone: find out what keeps {}. Deleting again does not help.",
        repair.claim, pods_words(repair.pods), repair.pods.size() == 1 ? "is" : "are",
        repair.pods.size() == 1 ? "it" : "them");
  if (repair.action == Action::DeletePodsForOthers)
    return base::format("Claim {} keeps {}. D{}", repair.claim,
                        engine::name_devices(repair.devices), rest);
  return base::format("Bring driver {} back{}{}, or d{}", found.driver,
                      found.node.empty() ? "" : " on node ", found.node, rest);
}

std::string about_pod(const Repair& repair) {
  const std::string& pod = repair.pods.front();
  const std::string again = by_hand(repair);
  switch (repair.action) {
    case Action::RecreatePodAfterReboot:
      return base::format(
          "The driver takes the claim for prepared and does not prepare it again. The usual cause "
          "is "
          "a reboot of the node. Delete pod {}: for a new one the devices are prepared again.{}",
          pod, again);
    case Action::ReleaseClaims:
      return base::format(
          "The usual cause is a reboot of the node: the CDI files of the claim are gone, and the "
          "driver, which takes it for prepared, does not write them again. Delete {}{}: for a new "
          "pod they are written.{}",
          pods_words(repair.pods),
          repair.pods.size() == 1
              ? ""
              : ", all before any is made again, as each keeps its claim prepared",
          again);
    case Action::RecreateUnattached:
      return base::format(
          "A restart of its containers does not help: devices are attached to the pod's "
          "sandbox when that is made. Delete pod {}.{}",
          pod, again);
    case Action::TaintDevice:
      return base::format(
          "Only this device fails, and the driver still publishes it, so a new pod may get it "
          "again. "
          "First taint device {} with a DeviceTaintRule (effect NoSchedule), then delete pod {}.{}",
          repair.devices.front(), pod, again);
    case Action::GiveWay:
      return base::format("Delete pod {}: a new one gets another device.{}", pod, again);
    default:
      return base::format(
          "The driver reports it. A new pod may get the same device: first {}, then delete pod "
          "{}.{}",
          repair.action == Action::TaintUnhealthyDevice
              ? base::format("taint device {} with a DeviceTaintRule (effect NoSchedule)",
                             repair.devices.front())
              : "cordon the node",
          pod, again);
  }
}

struct Refusal {
  std::string_view reason;  // or how it begins
  std::string_view advice;
};

constexpr std::string_view kOneNumaNode =
    "The topology manager of that node's kubelet finds no NUMA node with all that the pod asks "
    "for; it looks at CPUs, memory and device plugins, not at devices of DRA. Ask for what one "
    "NUMA node has, or relax the kubelet's topologyManagerPolicy";
constexpr std::string_view kOtherKubelet =
    "That kubelet refuses such a pod each time: change what the message names in the pod's spec, "
    "or use nodes that support it";
constexpr std::string_view kScheduleAgain =
    "The node has changed since the pod was scheduled, or spec.nodeName went around the "
    "scheduler: let the scheduler choose a node for a new pod";

// Reasons of pkg/kubelet/lifecycle, cm/admission, cm/topologymanager, cm/cpumanager, nodeshutdown,
// sysctl and eviction, as in v1.34 to v1.37.
constexpr std::array kRefusals = {
    Refusal{"TopologyAffinityError", kOneNumaNode},
    Refusal{"SMTAlignmentError",
            "The CPU manager of that node's kubelet gives out whole cores: ask for a number of "
            "CPUs that is a multiple of the threads of a core"},
    Refusal{"EmptyPodSharedPoolError",
            "The pod's exclusive CPUs leave none for its other containers: ask for more CPUs for "
            "the pod, or for whole CPUs in each container"},
    Refusal{"OutOf",
            "The node has too little of what the message names, though the scheduler counted "
            "enough: see what else runs there"},
    Refusal{"NodeShutdown", "The node shuts down, and a new pod goes to another node"},
    Refusal{"Evicted",
            "The node is under the pressure that the message names: free it, or cordon the node"},
    Refusal{"NodeAffinity", kScheduleAgain},
    Refusal{"NodeName", kScheduleAgain},
    Refusal{"NodePorts", "Another pod on the node has the port: use another one, or another node"},
    Refusal{"TaintToleration", kScheduleAgain},
    Refusal{"AppArmor", kOtherKubelet},
    Refusal{"SysctlForbidden", kOtherKubelet},
    Refusal{"PodOS", kOtherKubelet},
    Refusal{"PodFeatureUnsupported", kOtherKubelet},
    Refusal{"PodLevelResourcesNotSupported", kOtherKubelet},
    Refusal{"SupplementalGroupsPolicyNotSupported", kOtherKubelet},
    Refusal{"InitContainerRestartPolicyForbidden", kOtherKubelet},
};

std::string about_refusal(const AfterFinding& found) {
  const auto& seen = found.finding.evidence;
  const std::string_view reason = seen.empty() ? std::string_view() : seen.front().text;
  const auto known = std::ranges::find_if(
      kRefusals, [reason](const Refusal& one) { return reason.starts_with(one.reason); });
  const std::string_view advice = known == kRefusals.end()
                                      ? "Repair what the message names: it is not about claims"
                                      : known->advice;
  const std::string& pod = found.repair.pods.front();
  return base::format("{}. The kubelet does not try pod {} again: delete it then.{}", advice, pod,
                      by_hand(found.repair));
}

std::string about_device(const AfterFinding& found) {
  const Repair& repair = found.repair;
  switch (repair.action) {
    case Action::ActOnCondition:
      return base::format("Act on what driver {} says about device {}; its log may say more.",
                          found.driver, repair.devices.front());
    case Action::MendConditions:
      return base::format(
          "The scheduler tries again by itself, and waits as long each time. Look at the log of "
          "whatever sets {} for driver {}.",
          base::join(repair.conditions, ", "), found.driver);
    case Action::AwaitConditions:
      return base::format(
          "Wait. If the time runs out again and again, look at the log of whatever sets "
          "{} for driver {}.",
          base::join(repair.conditions, ", "), found.driver);
    case Action::AwaitOtherAllocation:
      return base::format(
          "The scheduler frees claim {} and tries again, maybe with other devices. Fix "
          "what driver {} reports.",
          repair.claim, found.driver);
    case Action::DeleteUnevictedPod:
      return base::format("Delete {}: {} not evicted.{}", pods_words(repair.pods),
                          repair.pods.size() == 1 ? "it is" : "they are", by_hand(repair));
    case Action::EndOneUser:
      return base::format(
          "Only one of the two can work: delete {} or this pod. The driver should not publish both "
          "devices unless they share counters.",
          repair.claim);
    case Action::DeleteTaintRule:
      return "If that was not meant, delete the taint rule.";
    default:
      return "Have the device repaired; the driver takes the taint back then.";
  }
}

std::string about_driver(const AfterFinding& found) {
  switch (found.repair.action) {
    case Action::RestartOnNode:
      return base::format(
          "The driver on this node is at fault, not the claims: {}",
          found.repair.command == engine::Command::RestartPod
              ? "restart its pod there. The command saves its log first, which a restart loses."
              : "read its log, which a restart loses, then restart its pod there.");
    case Action::ClearCheckpoint:
      return base::format(
          "What the driver remembers on node {} is out of date. Restart its pod there; if it still "
          "names that uid, its checkpoint on the node has to be cleared as its documentation says. "
          "Waiting for another try does not help.",
          found.node);
    case Action::ReleaseOtherClaim:
      return base::format(
          "Delete the pods that use claim {}, or wait for them. If there are none, "
          "restart the driver's pod on the node.",
          found.repair.claim);
    case Action::FindHang:
      return "The driver hangs: its log shows where. A process that has the device open on the "
             "node "
             "is a usual cause.";
    case Action::AwaitRelease:
      return "Wait; if it stays, look at the driver's log on that node.";
    case Action::AwaitUnprepare:
      return "The kubelet takes it back within minutes. If it has not, the driver's log says why: "
             "restart its pod on the node, then the kubelet.";
    case Action::ReportToDriver:
      return "This is a mistake of the driver, which a newer release may have fixed.";
    case Action::MendHelper:
      if (found.repair.object.kind != "Pod")
        return "The driver waits for that pod: allow it, by what the message names. The kubelet "
               "tries "
               "again by itself.";
      return "The driver waits for that pod, which is on the same node: fix it first. The kubelet "
             "tries again by itself.";
    case Action::CompleteDomain:
      return "The driver waits for the nodes of the ComputeDomain: add those that are missing, and "
             "see why their daemons are not ready. The kubelet tries again by itself.";
    default:
      return about_plugin(found);
  }
}

std::string about_host(const AfterFinding& found) {
  switch (found.repair.action) {
    case Action::BringNodeBack:
      return "Bring the node back, or have it replaced.";
    case Action::RepairHost:
      return "Have the host repaired or replaced; no pod can use the rest of it.";
    case Action::RepairHostOfClaim:
      return "No pod can use this host until the chip is back. Keep pods away from its node, have "
             "it repaired or replaced, then delete the pod.";
    default:
      break;
  }
  const std::string whole =
      base::format("all {0} chips of a host in one claim (allocationMode: All, or count: {0})",
                   found.repair.chips);
  return found.on_some_nodes
             ? base::format(
                   "Keep it to nodes whose hosts have as many chips as it asks for, with a "
                   "nodeSelector; or ask for {}.",
                   whole)
             : base::format("Ask for {}, or use nodes whose hosts have as many chips as you need.",
                            whole);
}

// Of what runs on the node: containers, the machine, drivers.
std::string about_node(const AfterFinding& found) {
  switch (found.repair.action) {
    case Action::AwaitUnprepareOfPod:
    case Action::CompareCdi:
    case Action::KillContainer:
    case Action::ListClaim:
    case Action::MendContainer:
    case Action::MendProbe:
    case Action::MendProgram:
    case Action::CompareNodes:
    case Action::MendRuntime:
    case Action::RaiseMemory:
    case Action::SeparatePlugin:
    case Action::UseOtherRuntime:
    case Action::ReadEnding:
    case Action::ReleaseLostNode:
    case Action::RemoveFinalizer:
    case Action::RestoreClaimNames:
    case Action::AwaitClaimNames:
    case Action::BringBackToRelease:
    case Action::MendPluginToRelease:
    case Action::EvictedForTaint:
      return remedy_of_containers(found);
    case Action::AskForWholeHost:
    case Action::BringNodeBack:
    case Action::RepairHost:
    case Action::RepairHostOfClaim:
      return about_host(found);
    default:
      return about_driver(found);
  }
}

std::string text_of(const AfterFinding& found) {
  if (has_words_of_refusal(found.repair.action)) return remedy_of_refusals(found);
  switch (found.repair.action) {
    case Action::CreateClaimAgain:
    case Action::CreateWithoutNodeName:
    case Action::DeletePodForNewClaims:
    case Action::AwaitReservation:
    case Action::UseMoreClaims:
    case Action::UseFreshClaims:
    case Action::UseOwnClaims:
    case Action::UseSchedulerOfDra:
    case Action::RecreateIfGone:
    case Action::LetKubeletRead:
      return about_claim(found.repair);
    case Action::AwaitDeletion:
    case Action::BringDriverBack:
    case Action::DeletePodsForOthers:
      return about_lost_devices(found);
    case Action::Cordon:
    case Action::TaintDevice:
    case Action::TaintUnhealthyDevice:
    case Action::RecreatePodAfterReboot:
    case Action::RecreateUnattached:
    case Action::ReleaseClaims:
    case Action::GiveWay:
      return about_pod(found.repair);
    case Action::RecreatePodNotAdmitted:
      return about_refusal(found);
    case Action::ActOnCondition:
    case Action::AwaitConditions:
    case Action::AwaitOtherAllocation:
    case Action::MendConditions:
    case Action::DeleteTaintRule:
    case Action::EndOneUser:
    case Action::DeleteUnevictedPod:
    case Action::RepairDevice:
      return about_device(found);
    case Action::CorrectClass:
    case Action::CorrectParameters:
    case Action::CorrectTemplate:
    case Action::RecreateClaim:
      if (found.repair.object.kind == "ComputeDomain") return remedy_of_refusals(found);
      return base::format("{}{}", correct_parameters(found.repair), kRefusedEverywhere);
    default:
      return about_node(found);
  }
}

}  // namespace

diag::Remedy remedy_of(const AfterFinding& found) {
  return {text_of(found), command_of(found.repair)};
}

}  // namespace dra::answers

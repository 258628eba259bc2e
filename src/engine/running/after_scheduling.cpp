// src/engine/running/after_scheduling.cpp: see after_scheduling.h. Asks all sources, checks the
// reservations itself, and sorts the findings by weight.

#include "dra/engine/running/after_scheduling.h"

#include <algorithm>
#include <functional>
#include <set>

#include "dra/api/limits.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/facts/features.h"
#include "dra/engine/facts/node_match.h"
#include "dra/engine/scheduler/binding.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

using diag::Code;

constexpr std::size_t kMaxUsers = 8;      // pods of a claim; more are not looked at
constexpr std::size_t kNamedDevices = 4;  // of many devices

std::string who_has_it(const std::vector<api::Consumer>& consumers) {
  if (consumers.empty()) return "none";
  std::vector<std::string> names;
  names.reserve(consumers.size());
  for (const api::Consumer& consumer : consumers)
    names.push_back(
        base::format("{} {}", consumer.is_pod() ? "pod" : consumer.resource, consumer.name));
  return base::join_first(names, kNamedDevices);
}

// The scheduler that gave the pod its node with this claim, as its event says; else the pod's, if
// that is not the default one: a node set by hand leaves schedulerName as it is. Empty: not
// known. Upstream: k8s.io/kubernetes/pkg/scheduler/schedule_one.go, bindingCycle, whose event has
// the reason Scheduled.
std::string_view bound_by(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                          const api::ResourceClaim& claim) {
  for (const api::Event* event : events_of(snapshot, "Pod", pod.meta)) {
    if (event->reason != "Scheduled" || claim.meta.created > event->last_seen()) continue;
    return event->source.component.empty() ? event->reporter : event->source.component;
  }
  const std::string_view named = pod.spec.scheduler_name;
  return named == api::kDefaultScheduler ? std::string_view() : named;
}

// The claim controller reserves an allocated claim for a pod that got its node without the
// scheduler, if another consumer is possible; the scheduler reserves it before it binds.
Repair repair_of_reservation(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                             const SubjectClaim& claim) {
  Repair repair = delete_pod(pod);
  repair.claim = claim.name;
  if (!claim.allocated()) {
    repair.scheduler = bound_by(snapshot, pod, *claim.claim);
    repair.action =
        repair.scheduler.empty() ? Action::CreateWithoutNodeName : Action::UseSchedulerOfDra;
  } else if (std::ssize(claim.claim->status.reserved_for) >= api::kMaxConsumers) {
    repair.action = Action::UseMoreClaims;
    repair.command = Command::Describe;
    repair.object = subject_of(claim);
  } else {
    repair.action = Action::AwaitReservation;
    repair.command = Command::ShowControllerLease;
  }
  return repair;
}

void look_at_reservation(const AfterScene& scene, const SubjectClaim& claim) {
  const api::Pod& pod = *scene.pod;
  if (pod.spec.node_name.empty() || scene.started()) return;
  const bool allocated = claim.allocated();
  if (allocated && is_reserved(scene.subject, *claim.claim)) return;
  const auto& consumers = claim.claim->status.reserved_for;
  const auto older = std::ranges::find_if(consumers, [&pod](const api::Consumer& consumer) {
    return consumer.is_pod() && consumer.name == pod.meta.name;
  });
  const std::string_view scheduler =
      allocated ? std::string_view() : bound_by(scene.snapshot, pod, *claim.claim);
  std::string message = base::format(
      "{}claim {} is {}",
      scheduler.empty() ? "" : base::format("scheduler {} has bound it, but ", scheduler),
      claim.label(),
      !allocated                 ? "neither allocated nor reserved for it"
      : older != consumers.end() ? "reserved for an older pod of the same name, and not for it"
                                 : "not reserved for it");
  AfterFinding& found = scene.add(Code::NotReserved, &claim, std::move(message));
  found.what = !allocated ? "not allocated" : older != consumers.end() ? "older pod" : "";
  if (older != consumers.end()) {
    found.finding.evidence.push_back({"reserved for", base::format("uid {}", older->uid)});
    found.finding.evidence.push_back({"this pod", base::format("uid {}", pod.meta.uid)});
  } else {
    found.finding.evidence.push_back({"reserved for", who_has_it(consumers)});
  }
  found.repair = repair_of_reservation(scene.snapshot, pod, claim);
}

void look_for_claim(const AfterScene& scene, const SubjectClaim& claim) {
  if (scene.pod->spec.node_name.empty() || scene.started()) return;
  if (claim.state == ClaimState::Unknown) return;
  AfterFinding& found =
      scene.add(Code::PrepareFailed, &claim,
                claim.name.empty() ? base::format("claim {} was not created from template {}",
                                                  claim.pod_claim, claim.template_name)
                                   : base::format("claim {} does not exist", claim.label()));
  found.what = claim.name.empty() ? "not created" : "no claim";
  found.repair = delete_pod(*scene.pod);
  found.repair.action =
      claim.template_name.empty() ? Action::CreateClaimAgain : Action::DeletePodForNewClaims;
  found.repair.claim = claim.name;
}

// Whether the predicate holds for some pod that has reserved the claim.
template <class F>
bool any_user(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim, F wanted) {
  return std::ranges::any_of(claim.status.reserved_for, [&](const api::Consumer& consumer) {
    const api::Pod* pod = consuming_pod(snapshot, claim.meta.namespace_, consumer);
    return pod != nullptr && wanted(*pod);
  });
}

// Binding conditions matter only until a pod has its node.
bool waits_for_binding(const AfterScene& scene, const api::ResourceClaim& claim) {
  if (scene.pod != nullptr) return scene.pod->spec.node_name.empty();
  return !any_user(scene.snapshot, claim,
                   [](const api::Pod& pod) { return !pod.spec.node_name.empty(); });
}

void look_at_claim(const AfterScene& scene, const SubjectClaim& claim) {
  if (claim.claim == nullptr) {
    if (scene.pod != nullptr) look_for_claim(scene, claim);
    return;
  }
  if (scene.pod != nullptr) look_at_reservation(scene, claim);
  if (!claim.allocated()) return;
  look_at_devices(scene, claim);
  look_at_hosts(scene, claim);
  if (waits_for_binding(scene, *claim.claim)) look_at_binding(scene, claim);
}

// The kubelet's messages about the pods that use the named claims.
void look_at_users(const AfterScene& scene) {
  std::size_t looked_at = 0;
  for (const SubjectClaim& claim : scene.subject.claims) {
    if (claim.claim == nullptr) continue;
    for (const api::Consumer& consumer : claim.claim->status.reserved_for) {
      const api::Pod* pod = consuming_pod(scene.snapshot, claim.namespace_, consumer);
      if (pod == nullptr || pod->finished() || pod->spec.node_name.empty() ||
          looked_at++ == kMaxUsers)
        continue;
      const AfterScene of_pod{scene.snapshot, scene.inventory, scene.subject, pod, scene.findings};
      look_at_kubelet(of_pod);
      look_at_containers(of_pod);
    }
  }
}

// For named claims: if a pod runs with the host, it was prepared, which disproves knowledge of the
// driver.
void drop_disproved(const AfterScene& scene) {
  if (scene.pod != nullptr) return;
  std::erase_if(scene.findings, [&scene](const AfterFinding& found) {
    const auto& claims = scene.subject.claims;
    const auto claim =
        std::ranges::find_if(claims, [&](const SubjectClaim& one) { return is_about(found, one); });
    return found.finding.code == Code::PartialHost && claim != claims.end() &&
           claim->claim != nullptr && runs_with(scene.snapshot, *claim->claim);
  });
}

// What others may follow from comes first.
void sort_by_rank(std::vector<AfterFinding>& findings) {
  std::ranges::stable_sort(findings, std::ranges::greater(), [](const AfterFinding& found) {
    return diag::info_of(found.finding.code).rank;
  });
}

// Of a pod that should be gone, what keeps it comes before what was wrong with it.
void put_deletion_first(std::vector<AfterFinding>& findings) {
  std::stable_partition(findings.begin(), findings.end(),
                        [](const AfterFinding& found) { return found.fails == Fails::End; });
}

// The visible pods that have reserved the claim.
std::vector<const api::Pod*> users_of(const AfterScene& scene, const api::ResourceClaim& claim) {
  std::vector<const api::Pod*> users;
  for (const api::Consumer& consumer : claim.status.reserved_for) {
    const api::Pod* pod = consuming_pod(scene.snapshot, claim.meta.namespace_, consumer);
    if (pod != nullptr) users.push_back(pod);
  }
  if (users.empty() && scene.pod != nullptr) users.push_back(scene.pod);
  return users;
}

// The log of a pod that does not run is useless, except the previous log of one that crashes.
Command look_into(const api::Pod& pod) {
  if (container_state(pod).starts_with("CrashLoopBackOff")) return Command::ReadLogsOfCrash;
  return pod.status.phase == "Running" ? Command::ReadLogs : Command::DescribePod;
}

std::string crashing_container(const api::Pod& pod) {
  for (const auto* statuses : {&pod.status.init_containers, &pod.status.containers}) {
    for (const api::ContainerStatus& container : *statuses) {
      if (container.state.waiting && container.state.waiting->reason == "CrashLoopBackOff")
        return std::string(container.name);
    }
  }
  return {};
}

constexpr std::string_view kOfNames = "abcdefghijklmnopqrstuvwxyz0123456789-.";

diag::SubjectName name_of(const api::Pod& pod) {
  return {"Pod", std::string(pod.meta.namespace_), std::string(pod.meta.name)};
}

std::set<std::string_view> names_in(const AfterScene& scene) {
  std::set<std::string_view> names;
  if (scene.pod != nullptr)
    names.insert({scene.pod->meta.name, scene.pod->meta.uid, scene.pod->spec.node_name});
  for (const SubjectClaim& claim : scene.subject.claims) {
    names.insert(claim.name);
    if (claim.claim != nullptr) names.insert(claim.claim->meta.uid);
    if (!claim.allocated()) continue;
    for (const auto& result : claim.claim->status.allocation->devices.results)
      names.insert({result.pool, result.device});
  }
  return names;
}

}  // namespace

Trouble trouble_of(const AfterFinding& found) {
  return {found.finding.code, found.fails, found.driver, found.what};
}

std::string without_names(const AfterScene& scene, std::string_view text) {
  const std::set<std::string_view> names = names_in(scene);
  std::string left;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find_first_not_of(kOfNames));
    while (word.ends_with('.'))  // the end of a sentence
      word.remove_suffix(1);
    if (!names.contains(word)) left += word;
    text.remove_prefix(word.size());
    left += text.substr(0, 1);  // what has ended the word
    text.remove_prefix(std::min(text.size(), std::size_t{1}));
  }
  return left;
}

std::string_view name_of(Fails fails) {
  switch (fails) {
    case Fails::Bind:
      return "bind";
    case Fails::Prepare:
      return "prepare";
    case Fails::Start:
      return "start";
    case Fails::Run:
      return "run";
    case Fails::End:
      return "end";
  }
  return "";
}

bool runs_with(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim) {
  return any_user(snapshot, claim,
                  [](const api::Pod& pod) { return pod.status.phase == "Running"; });
}

std::string AfterScene::node_of(const api::ResourceClaim& claim) const {
  if (pod != nullptr && !pod->spec.node_name.empty()) return std::string(pod->spec.node_name);
  if (!claim.status.allocation || !claim.status.allocation->node_selector) return {};
  return std::string(only_node(*claim.status.allocation->node_selector));
}

AfterFinding& AfterScene::add(Code code, const SubjectClaim* claim, std::string message) const {
  AfterFinding found{.finding = {.code = code, .message = std::move(message)}};
  if (claim != nullptr) {
    found.finding.subjects.push_back(subject_of(*claim));
    if (claim->claim != nullptr) found.node = node_of(*claim->claim);
  }
  if (found.node.empty() && pod != nullptr) found.node = pod->spec.node_name;
  return findings.emplace_back(std::move(found));
}

std::string name_devices(const std::vector<std::string>& names) {
  if (names.size() == 1) return base::format("device {}", names.front());
  const auto shown = static_cast<std::ptrdiff_t>(std::min(names.size(), kNamedDevices));
  const std::vector<std::string> first(names.begin(), names.begin() + shown);
  return base::format("{} devices ({}{})", names.size(), base::join(first, ", "),
                      names.size() > kNamedDevices ? ", ..." : "");
}

void add_pod(const api::Pod& pod, Repair& repair) {
  repair.pods.emplace_back(pod.meta.name);
  if (api::controller_of(pod.meta) == nullptr) repair.unowned.emplace_back(pod.meta.name);
}

void add_users(const AfterScene& scene, const api::ResourceClaim& claim, Repair& repair) {
  for (const api::Pod* pod : users_of(scene, claim))
    add_pod(*pod, repair);
}

Repair delete_pod(const api::Pod& pod) {
  Repair repair{.command = Command::DeletePod, .object = name_of(pod)};
  add_pod(pod, repair);
  return repair;
}

void cordon_node(const AfterScene& scene, Repair& repair) {
  repair.action = Action::Cordon;
  repair.command = Command::CordonNode;
  repair.object = {"Node", {}, std::string(scene.pod->spec.node_name)};
}

void keep_pods_off(const AfterScene& scene, const DeviceId& device, Action taint, Repair& repair) {
  const snapshot::Server& server = scene.snapshot.server();
  if (!features_of(server).on(Gate::DRADeviceTaintRules)) return cordon_node(scene, repair);
  constexpr std::string_view in_names = "abcdefghijklmnopqrstuvwxyz0123456789-./";
  std::string id = to_string(device);
  const bool is_valid = id.find_first_not_of(in_names) == std::string::npos;
  const int minor = minor_release(server);
  repair.action = taint;
  repair.devices = {std::string(device.device)};
  repair.rule_version = minor >= 37 ? "v1" : minor == 36 ? "v1beta2" : "v1alpha3";
  repair.command = is_valid ? Command::TaintDevice : Command::Describe;
  repair.object = {"Device", {}, std::move(id)};
}

diag::SubjectName subject_of(const SubjectClaim& claim) {
  if (claim.name.empty()) return {"ResourceClaim", {}, std::string(claim.pod_claim)};
  return {"ResourceClaim", claim.namespace_, claim.name};
}

bool is_about(const AfterFinding& found, const SubjectClaim& claim) {
  const auto& subjects = found.finding.subjects;
  return std::ranges::find(subjects, subject_of(claim)) != subjects.end();
}

bool publishes_on(const Inventory& inventory, std::string_view driver, std::string_view node) {
  return std::ranges::any_of(inventory.pools(), [&](const Pool& pool) {
    return pool.driver == driver &&
           std::ranges::any_of(pool.slices, [node](const api::ResourceSlice* slice) {
             return slice->spec.node_name == node;
           });
  });
}

void add_node_fact(const AfterScene& scene, AfterFinding& found) {
  const auto* node = scene.snapshot.find<api::Node>(found.node);
  if (found.node.empty() || !scene.snapshot.coverage().saw(api::Kind::Node)) return;
  if (node == nullptr) {
    found.finding.evidence.push_back(
        {"node", base::format("{} does not exist any more", found.node)});
    return;
  }
  const api::Condition* ready = api::condition_of(node->status.conditions, "Ready");
  if (ready == nullptr || ready->status == "True") return;
  found.finding.evidence.push_back(
      {"node", base::format("{} is not ready: {}", found.node, words_of(*ready)), ready->changed});
}

bool has_ready_plugin(const AfterScene& scene, const AfterFinding& found) {
  return std::ranges::any_of(scene.snapshot.all<api::Pod>(), [&found](const api::Pod& pod) {
    return pod.spec.node_name == found.node && runs_plugin_of(pod, found.driver) &&
           api::is_true(pod.status.conditions, "Ready");
  });
}

void add_plugin_facts(const AfterScene& scene, AfterFinding& found) {
  const api::Pod* elsewhere = nullptr;
  const api::Pod* here = nullptr;  // one that is not ready tells more
  for (const api::Pod& pod : scene.snapshot.all<api::Pod>()) {
    if (!runs_plugin_of(pod, found.driver)) continue;
    if (pod.spec.node_name != found.node) {
      elsewhere = &pod;
    } else if (here == nullptr || !api::is_true(pod.status.conditions, "Ready")) {
      here = &pod;
    }
  }
  if (here != nullptr) {
    found.finding.evidence.push_back(
        {"driver", base::format("its pod {}/{} here is {}", here->meta.namespace_, here->meta.name,
                                trouble_in_words(*here))});
    found.repair.command = look_into(*here);
    found.repair.object = name_of(*here);
    found.repair.container = crashing_container(*here);
    return;
  }
  if (elsewhere != nullptr) {
    const api::OwnerReference* set = api::controller_of(elsewhere->meta);
    found.finding.evidence.push_back(
        {"driver", base::format("no pod of its DaemonSet {}/{} is on the node",
                                elsewhere->meta.namespace_, set->name)});
    found.repair.command = Command::DescribeDaemonSet;
    found.repair.object = {"DaemonSet", std::string(elsewhere->meta.namespace_),
                           std::string(set->name)};
    return;
  }
  if (!found.node.empty()) {
    found.repair.command = Command::ListPodsOfNode;
    found.repair.object = {"Node", {}, found.node};
  }
}

std::string words_of(const api::Condition& condition) {
  if (condition.message.empty()) return std::string(condition.reason);
  if (condition.reason.empty()) return std::string(condition.message);
  return base::format("{}: {}", condition.reason, condition.message);
}

std::vector<AfterFinding> after_scheduling(const snapshot::Snapshot& snapshot,
                                           const Inventory& inventory, const Subject& subject,
                                           std::span<const NodeResult> nodes) {
  std::vector<AfterFinding> findings;
  const AfterScene scene{snapshot, inventory, subject, subject.pod, findings};
  if (subject.pod != nullptr && subject.pod->finished()) {
    if (!subject.claims.empty()) look_at_end(scene);
    if (!subject.claims.empty() && subject.pod->meta.deleted) look_at_states(scene);
    put_deletion_first(findings);
    return findings;
  }
  for (const SubjectClaim& claim : subject.claims)
    look_at_claim(scene, claim);
  look_at_hardware(scene);
  const bool has_node = subject.pod != nullptr && !subject.pod->spec.node_name.empty();
  if (has_node) {
    look_at_kubelet(scene);
    look_at_containers(scene);
    const bool open = std::ranges::all_of(findings, [](const AfterFinding& found) {
      return found.finding.code == Code::HardwareHeldTwice ||
             found.finding.code == Code::DoubleAllocation;
    });
    // What is gone does not matter to a pod that is to go.
    if (subject.pod->meta.deleted)
      std::erase_if(findings, [](const AfterFinding& found) {
        return found.finding.code == Code::DeviceGone;
      });
    if (!subject.pod->meta.deleted) look_for_claim_names(scene);
    if (open || subject.pod->meta.deleted) look_at_states(scene);
    if (subject.pod->meta.deleted) look_at_eviction(scene);
  } else if (subject.pod == nullptr) {
    look_at_users(scene);
    drop_disproved(scene);
  }
  if (!has_node && !subject.allocated()) foresee_partial_hosts(scene, nodes);
  sort_by_rank(findings);
  put_deletion_first(findings);
  return findings;
}

}  // namespace dra::engine

// src/engine/running/after_scheduling.cpp: see after_scheduling.h. Asks all sources, looks at the
// reservations itself, and puts what they found in order.

#include "dra/engine/running/after_scheduling.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "dra/base/text.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/facts/node_match.h"
#include "dra/engine/scheduler/binding.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

using diag::Code;

constexpr std::size_t kMaxUsers = 8;      // pods of a claim that are looked at
constexpr std::size_t kNamedDevices = 4;  // of many devices

// What has to be mended first comes first.
constexpr std::array kByWeight = {
    Code::NotReserved, Code::DriverNotRegistered, Code::DeviceGone,     Code::HostLost,
    Code::PartialHost, Code::PrepareFailed,       Code::BindingPending, Code::DeviceUnhealthy};

constexpr std::size_t kMaxConsumers = 256;  // of a claim; k8s.io/api/resource/v1

std::string who_has_it(const std::vector<api::Consumer>& consumers) {
  if (consumers.empty()) return "nobody";
  std::vector<std::string> names;
  names.reserve(consumers.size());
  for (const api::Consumer& consumer : consumers)
    names.push_back(
        base::format("{} {}", consumer.is_pod() ? "pod" : consumer.resource, consumer.name));
  return base::join_first(names, kNamedDevices);
}

std::string delete_pod(const api::Pod& pod) {
  return kubectl("delete pod", pod.meta.name, pod.meta.namespace_);
}

// The claim controller reserves it for a pod that got its node without the scheduler, if it is
// allocated and there is room; the scheduler itself has done so before.
void say_what_to_do(const AfterScene& scene, const SubjectClaim& claim, AfterFinding& finding) {
  const api::Pod& pod = *scene.pod;
  finding.command = delete_pod(pod);
  if (!claim.allocated()) {
    finding.remedy =
        "Nobody allocates a claim for a pod that has its node already, as whoever sets "
        "spec.nodeName bypasses the scheduler. Delete the pod, and create it without "
        "spec.nodeName.";
  } else if (claim.claim->status.reserved_for.size() >= kMaxConsumers) {
    finding.remedy = base::format("A claim takes {} pods at most. Delete some, or use more claims.",
                                  kMaxConsumers);
    finding.command = kubectl("dra describe claim", claim.name, claim.namespace_);
  } else {
    finding.remedy = base::format(
        "The claim controller reserves claim {} for pod {} within seconds. If not, "
        "kube-controller-manager does not run: its lease shows when it was heard of last.",
        claim.name, pod.meta.name);
    finding.command = "kubectl get lease kube-controller-manager -n kube-system -o yaml";
  }
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
  std::string message = base::format(
      "claim {} is {}", claim.label(),
      !allocated                 ? "neither allocated nor reserved for it"
      : older != consumers.end() ? "reserved for an older pod of the same name, and not for it"
                                 : "not reserved for it");
  AfterFinding& finding = scene.add(Code::NotReserved, &claim, std::move(message));
  finding.what = !allocated ? "not allocated" : older != consumers.end() ? "older pod" : "";
  if (older != consumers.end()) {
    finding.facts.push_back({"reserved for", base::format("uid {}", older->uid)});
    finding.facts.push_back({"this pod", base::format("uid {}", pod.meta.uid)});
  } else {
    finding.facts.push_back({"reserved for", who_has_it(consumers)});
  }
  say_what_to_do(scene, claim, finding);
}

void look_for_claim(const AfterScene& scene, const SubjectClaim& claim) {
  if (scene.pod->spec.node_name.empty() || scene.started()) return;
  if (claim.state == ClaimState::Unknown) return;
  AfterFinding& finding =
      scene.add(Code::PrepareFailed, &claim,
                claim.name.empty() ? base::format("claim {} was not created from template {}",
                                                  claim.pod_claim, claim.template_name)
                                   : base::format("claim {} does not exist", claim.label()));
  finding.what = claim.name.empty() ? "not created" : "no claim";
  const api::Pod& pod = *scene.pod;
  finding.remedy = claim.template_name.empty()
                       ? base::format(
                             "Create claim {} again. Then delete pod {}: nobody allocates "
                             "a claim for a pod that has its node already.{}",
                             claim.name, pod.meta.name, by_hand(pod))
                       : base::format("Delete pod {}: its claims are made anew with a new pod.{}",
                                      pod.meta.name, by_hand(pod));
  finding.command = delete_pod(pod);
}

// Whether one of the pods that have reserved the claim is as the predicate wants it.
template <class F>
bool any_user(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim, F wanted) {
  return std::ranges::any_of(claim.status.reserved_for, [&](const api::Consumer& consumer) {
    const auto* pod = snapshot.find<api::Pod>(claim.meta.namespace_, consumer.name);
    return pod != nullptr && pod->meta.uid == consumer.uid && wanted(*pod);
  });
}

// Once a pod has its node, the conditions that the scheduler has waited for do not matter any more.
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

// The kubelet turned it away before anything was prepared, and does not try again.
void look_at_admission(const AfterScene& scene) {
  const api::PodStatus& status = scene.pod->status;
  if (status.phase != "Failed" || status.reason != "UnexpectedAdmissionError") return;
  AfterFinding& finding = scene.add(Code::PrepareFailed, nullptr, "the kubelet refused the pod");
  finding.reason.certainty = diag::Certainty::Heuristic;
  finding.what = "not admitted";
  finding.fails = Fails::Start;
  finding.facts.push_back({"kubelet", std::string(status.message)});
  const std::string_view name = scene.pod->meta.name;
  finding.remedy = base::format(
      "The kubelet does not try pod {} again. Delete pod {}: a new one is admitted anew.{}", name,
      name, by_hand(*scene.pod));
  finding.command = delete_pod(*scene.pod);
}

// What the kubelet says of the pods that use the claims which were named.
void look_at_users(const AfterScene& scene) {
  std::size_t looked_at = 0;
  for (const SubjectClaim& claim : scene.subject.claims) {
    if (claim.claim == nullptr) continue;
    for (const api::Consumer& consumer : claim.claim->status.reserved_for) {
      const auto* pod = scene.snapshot.find<api::Pod>(claim.namespace_, consumer.name);
      if (!consumer.is_pod() || pod == nullptr || pod->meta.uid != consumer.uid) continue;
      if (pod->finished() || pod->spec.node_name.empty() || looked_at++ == kMaxUsers) continue;
      const AfterScene of_pod{scene.snapshot, scene.inventory, scene.subject, pod, scene.findings};
      look_at_kubelet(of_pod);
      look_at_containers(of_pod);
    }
  }
}

// Of claims that were named: a host that a pod runs on was prepared, whatever is known of drivers.
void drop_disproved(const AfterScene& scene) {
  if (scene.pod != nullptr) return;
  std::erase_if(scene.findings, [&scene](const AfterFinding& finding) {
    const auto& claims = scene.subject.claims;
    const auto claim = std::ranges::find_if(
        claims, [&](const SubjectClaim& one) { return one.label() == finding.reason.claim; });
    return finding.reason.code == Code::PartialHost && claim != claims.end() &&
           claim->claim != nullptr && runs_with(scene.snapshot, *claim->claim);
  });
}

void sort_by_weight(std::vector<AfterFinding>& findings) {
  std::ranges::stable_sort(findings, {}, [](const AfterFinding& finding) {
    return std::ranges::find(kByWeight, finding.reason.code) - kByWeight.begin();
  });
}

// The pods that have reserved the claim, as far as they can be seen.
std::vector<const api::Pod*> users_of(const AfterScene& scene, const api::ResourceClaim& claim) {
  std::vector<const api::Pod*> users;
  for (const api::Consumer& consumer : claim.status.reserved_for) {
    const auto* pod = scene.snapshot.find<api::Pod>(claim.meta.namespace_, consumer.name);
    if (pod != nullptr && consumer.is_pod() && pod->meta.uid == consumer.uid) users.push_back(pod);
  }
  if (users.empty() && scene.pod != nullptr) users.push_back(scene.pod);
  return users;
}

// "pod a", "pods a, b and 3 more".
std::string name_pods(const std::vector<const api::Pod*>& pods) {
  std::vector<std::string> names;
  names.reserve(pods.size());
  for (const api::Pod* pod : pods)
    names.emplace_back(pod->meta.name);
  return base::format("{} {}", pods.size() == 1 ? "pod" : "pods",
                      base::join_first(names, kNamedDevices));
}

// Of pods that no controller makes anew.
std::string made_by_hand(const std::vector<const api::Pod*>& pods) {
  std::vector<const api::Pod*> bare;
  std::ranges::copy_if(pods, std::back_inserter(bare), [](const api::Pod* pod) {
    return api::controller_of(pod->meta) == nullptr;
  });
  if (bare.empty()) return {};
  std::string who = name_pods(bare);
  who.front() = 'P';
  return bare.size() == 1 ? base::format(" {} has no controller: create it again by hand.", who)
                          : base::format(" {} have no controller: create them again by hand.", who);
}

std::string state_of(const api::Pod& pod) {
  for (const api::ContainerStatus& container : pod.status.containers) {
    const auto& waiting = container.state.waiting;
    if (!waiting || waiting->reason.empty()) continue;
    return container.restarts > 0 ? base::format("{}, {}", waiting->reason,
                                                 base::plural(container.restarts, "restart"))
                                  : std::string(waiting->reason);
  }
  return std::string(pod.status.phase);
}

// Of a pod that does not run its log is of no use, but for one that crashes: that of before.
std::string look_into(const api::Pod& pod) {
  const bool crashes = state_of(pod).starts_with("CrashLoopBackOff");
  if (crashes)
    return kubectl("logs", pod.meta.name, pod.meta.namespace_) + " --all-containers --previous";
  if (pod.status.phase == "Running")
    return kubectl("logs", pod.meta.name, pod.meta.namespace_) + " --all-containers --tail=50";
  return kubectl("describe pod", pod.meta.name, pod.meta.namespace_);
}

constexpr std::string_view kOfNames = "abcdefghijklmnopqrstuvwxyz0123456789-.";

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

Trouble trouble_of(const AfterFinding& finding) {
  return {finding.reason.code, finding.fails, finding.driver, finding.what};
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
  AfterFinding finding{.reason = {.code = code, .message = std::move(message)}};
  if (claim != nullptr) {
    finding.reason.claim = claim->label();
    if (claim->claim != nullptr) finding.node = node_of(*claim->claim);
  }
  if (finding.node.empty() && pod != nullptr) finding.node = pod->spec.node_name;
  return findings.emplace_back(std::move(finding));
}

std::string name_devices(const std::vector<std::string_view>& names) {
  if (names.size() == 1) return base::format("device {}", names.front());
  std::vector<std::string> first;
  for (std::size_t i = 0; i < std::min(names.size(), kNamedDevices); ++i)
    first.emplace_back(names[i]);
  return base::format("{} devices ({}{})", names.size(), base::join(first, ", "),
                      names.size() > kNamedDevices ? ", ..." : "");
}

std::string name_users(const AfterScene& scene, const api::ResourceClaim& claim) {
  const auto users = users_of(scene, claim);
  return users.empty() ? "the pods that use it" : name_pods(users);
}

std::string by_hand(const AfterScene& scene, const api::ResourceClaim& claim) {
  return made_by_hand(users_of(scene, claim));
}

std::string by_hand(const api::Pod& pod) { return made_by_hand({&pod}); }

bool publishes_on(const Inventory& inventory, std::string_view driver, std::string_view node) {
  return std::ranges::any_of(inventory.pools(), [&](const Pool& pool) {
    return pool.driver == driver &&
           std::ranges::any_of(pool.slices, [node](const api::ResourceSlice* slice) {
             return slice->spec.node_name == node;
           });
  });
}

void add_node_fact(const AfterScene& scene, AfterFinding& finding) {
  const auto* node = scene.snapshot.find<api::Node>(finding.node);
  if (finding.node.empty() || !scene.snapshot.coverage().saw(api::Kind::Node)) return;
  if (node == nullptr) {
    finding.facts.push_back({"node", base::format("{} does not exist any more", finding.node)});
    return;
  }
  const api::Condition* ready = api::condition_of(node->status.conditions, "Ready");
  if (ready == nullptr || ready->status == "True") return;
  finding.facts.push_back({"node",
                           base::format("{} is not ready: {}", finding.node, words_of(*ready)),
                           ready->changed});
}

void add_plugin_facts(const AfterScene& scene, AfterFinding& finding) {
  const api::Pod* elsewhere = nullptr;
  for (const api::Pod& pod : scene.snapshot.all<api::Pod>()) {
    if (!runs_plugin_of(pod, finding.driver)) continue;
    if (pod.spec.node_name != finding.node) {
      elsewhere = &pod;
      continue;
    }
    finding.facts.push_back({"driver", base::format("its pod {}/{} here is {}", pod.meta.namespace_,
                                                    pod.meta.name, state_of(pod))});
    finding.command = look_into(pod);
    return;
  }
  if (elsewhere != nullptr) {
    const api::OwnerReference* set = api::controller_of(elsewhere->meta);
    finding.facts.push_back({"driver", base::format("no pod of its DaemonSet {}/{} is on the node",
                                                    elsewhere->meta.namespace_, set->name)});
    finding.command = kubectl("describe daemonset", set->name, elsewhere->meta.namespace_);
    return;
  }
  if (!finding.node.empty()) {
    finding.command = base::format("kubectl get pods -A -o wide --field-selector spec.nodeName={}",
                                   base::shell_word(finding.node));
  }
}

std::string kubectl(std::string_view verb, std::string_view name, std::string_view ns) {
  const std::string where = ns.empty() ? "" : base::format(" -n {}", base::shell_word(ns));
  return base::format("kubectl {} {}{}", verb, base::shell_word(name), where);
}

std::string words_of(const api::Condition& condition) {
  if (condition.message.empty()) return std::string(condition.reason);
  if (condition.reason.empty()) return std::string(condition.message);
  return base::format("{}: {}", condition.reason, condition.message);
}

std::vector<AfterFinding> after_scheduling(const snapshot::Snapshot& snapshot,
                                           const Inventory& inventory, const Subject& subject,
                                           std::span<const NodeStanding> nodes) {
  std::vector<AfterFinding> findings;
  const AfterScene scene{snapshot, inventory, subject, subject.pod, findings};
  if (subject.pod != nullptr && subject.pod->finished()) {
    if (!subject.claims.empty()) look_at_admission(scene);
    return findings;
  }
  for (const SubjectClaim& claim : subject.claims)
    look_at_claim(scene, claim);
  const bool has_node = subject.pod != nullptr && !subject.pod->spec.node_name.empty();
  if (has_node) {
    look_at_kubelet(scene);
    look_at_containers(scene);
  } else if (subject.pod == nullptr) {
    look_at_users(scene);
    drop_disproved(scene);
  }
  if (!has_node && !subject.allocated()) foresee_partial_hosts(scene, nodes);
  sort_by_weight(findings);
  return findings;
}

}  // namespace dra::engine

// src/report/explain/explanation_preemption.cpp: one sentence, and the victims on each node.

#include "src/report/explain/explanation_preemption.h"

#include <algorithm>
#include <vector>

#include "dra/base/text.h"
#include "dra/engine/facts/full_name.h"

namespace dra::report {
namespace {

using engine::NodePreemption;
using engine::Preempts;

constexpr std::size_t kNamedVictims = 3;

// "a, b and 3 more": names without the namespace of the pod that waits.
std::string victims_words(const NodePreemption& node, std::string_view ns) {
  std::vector<std::string> names;
  for (const api::Pod* pod : node.victims) {
    if (names.size() == kNamedVictims && node.victims.size() > kNamedVictims + 1) break;
    names.push_back(pod->meta.namespace_ == ns ? std::string(pod->meta.name)
                                               : engine::full_name(pod->meta));
  }
  const std::size_t more = node.victims.size() - names.size();
  if (more > 0) return base::format("{} and {} more", base::join(names, ", "), more);
  if (names.size() == 1) return names.front();
  const std::string last = std::move(names.back());
  names.pop_back();
  return base::format("{} and {}", base::join(names, ", "), last);
}

// "0", "0 to 10": the first victim has the highest.
std::string priorities_words(const NodePreemption& node) {
  const std::int64_t highest = node.victims.front()->spec.priority;
  const std::int64_t lowest = node.victims.back()->spec.priority;
  return lowest == highest ? base::format("priority {}", highest)
                           : base::format("priorities {} to {}", lowest, highest);
}

// "delete pods a and b (priority 0) on node n1, against a PodDisruptionBudget".
std::string deletion_of(const NodePreemption& node, std::string_view ns) {
  return base::format("{} {} ({}) on node {}{}", node.victims.size() == 1 ? "pod" : "pods",
                      victims_words(node, ns), priorities_words(node), node.node->meta.name,
                      node.violations > 0 ? ", against a PodDisruptionBudget" : "");
}

const NodePreemption& chosen_of(const engine::Preemption& preemption) {
  return *std::ranges::find_if(preemption.nodes, &NodePreemption::chosen);
}

// Which of several nodes it is, chance decides.
std::string or_elsewhere(const engine::Preemption& preemption) {
  const auto equal = std::ranges::count_if(preemption.nodes, &NodePreemption::chosen);
  if (preemption.any_node) return ", or on another node";
  if (equal == 1) return "";
  return base::format(", or on {} more {} as good", equal - 1, equal == 2 ? "node" : "nodes");
}

// Users expect their priority to make room, as it does for CPU and memory.
bool holders_would_yield(const Explanation& explanation) {
  const std::int64_t priority = explanation.subject.pod->spec.priority;
  const auto yields = [priority](const answers::ReleasedPod& one) {
    return one.priority < priority;
  };
  return explanation.help &&
         std::ranges::any_of(explanation.help->advice_facts, [&yields](const auto& advice) {
           return std::ranges::any_of(advice, [&yields](const answers::ChangeFacts& facts) {
             return std::ranges::any_of(facts.released, yields);
           });
         });
}

}  // namespace

std::string preemption_words(const Explanation& explanation) {
  const api::Pod* pod = explanation.subject.pod;
  if (pod == nullptr) return {};
  const auto& preemption = explanation.preemption;
  if (!preemption || preemption->preempts == Preempts::NoDevices) {
    if (holders_would_yield(explanation))
      return base::format(
          "Its priority ({}) does not make room: kube-scheduler preempts no pod to free devices.",
          pod->spec.priority);
    if (!preemption) return {};
    const NodePreemption& node = chosen_of(*preemption);
    return base::format(
        "Preemption does not help: without {} there would be room, but no devices, and "
        "kube-scheduler preempts no pod to free devices.",
        deletion_of(node, pod->meta.namespace_));
  }
  if (preemption->preempts == Preempts::Waits)
    return base::format(
        "Preemption: it waits for pods to end that kube-scheduler deleted for it on node {}.",
        preemption->nominated);
  const NodePreemption& chosen = chosen_of(*preemption);
  const bool ending = std::ranges::all_of(
      chosen.victims, [](const api::Pod* victim) { return victim->meta.deleted.has_value(); });
  if (ending && preemption->preempts == Preempts::Helps)
    return base::format("Preemption: it waits for {}, which {} ending already.",
                        deletion_of(chosen, pod->meta.namespace_),
                        chosen.victims.size() == 1 ? "is" : "are");
  const std::string deletion =
      deletion_of(chosen_of(*preemption), pod->meta.namespace_) + or_elsewhere(*preemption);
  if (preemption->preempts == Preempts::Forbidden)
    return base::format(
        "Its preemptionPolicy is Never, else kube-scheduler would delete {}, so that it fits.",
        deletion);
  return base::format("Preemption: kube-scheduler would delete {}, so that it fits.", deletion);
}

json::Value preemption_json(const engine::Preemption& preemption) {
  json::Value out = json::Value::object();
  out.set("outcome", engine::name_of(preemption.preempts));
  if (!preemption.nominated.empty()) out.set("nominatedNode", preemption.nominated);
  if (preemption.any_node) out.set("anyNode", true);
  json::Value nodes = json::Value::array();
  for (const NodePreemption& node : preemption.nodes) {
    json::Value victims = json::Value::array();
    for (const api::Pod* pod : node.victims) {
      json::Value victim = json::Value::object();
      victim.set("namespace", pod->meta.namespace_);
      victim.set("name", pod->meta.name);
      victim.set("priority", pod->spec.priority);
      victims.push(std::move(victim));
    }
    json::Value one = json::Value::object();
    one.set("node", node.node->meta.name);
    one.set("victims", std::move(victims));
    one.set("budgetViolations", node.violations);
    if (node.chosen) one.set("chosen", true);
    nodes.push(std::move(one));
  }
  out.set("nodes", std::move(nodes));
  return out;
}

}  // namespace dra::report

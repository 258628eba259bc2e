// src/report/explain/explanation_outlook.cpp: one sentence for each outlook, with a reservation if
// something is not simulated.

#include "src/report/explain/explanation_outlook.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/base/time.h"
#include "dra/engine/facts/full_name.h"
#include "src/report/explain/explanation_demands.h"

namespace dra::report {
namespace {

std::string why_never(const answers::Outlook& outlook) {
  switch (outlook.why) {
    case answers::WhyNever::NoNodeFits:
      return "it would fit on no node even if every device were free";
    case answers::WhyNever::WouldNotStart:
      return base::format(
          "it would get {} of the {} chips of a host, and the driver prepares all or none",
          outlook.chips, outlook.of_host);
    case answers::WhyNever::HeldByOld:
      return base::format(
          "the old pods of Deployment {} hold the devices, and they stay until the new pod is "
          "ready",
          outlook.deployment);
    case answers::WhyNever::HeldByOwn:
      return "pods of its own workload have the other devices, and wait for it";
  }
  return {};
}

std::string held_words(const Explanation& explanation) {
  const std::string& claim = explanation.outlook->held_for_good;
  const engine::HolderFacts& holder = explanation.holders.find(claim)->second;
  if (holder.state == engine::HolderState::NotAPod)
    return base::format(
        "Waiting does not help unless {} frees claim {}: the claim controller does that for pods "
        "only.",
        holder.consumer, claim);
  if (holder.state == engine::HolderState::Unused)
    return base::format(
        "Waiting alone does not help: claim {} keeps its devices until it is deleted, though no "
        "pod "
        "uses it.",
        claim);
  if (holder.state == engine::HolderState::Crashes)
    return base::format(
        "Waiting alone does not help: the pod that holds claim {} crashes again and again ({}), "
        "and "
        "keeps its devices until it is deleted.",
        claim, base::plural(holder.restarts, "restart"));
  return base::format(
      "Waiting alone does not help: the pod that holds claim {} does not go away. Explain that "
      "pod.",
      claim);
}

// Whatever devices become free, no request has any.
bool nothing_matches(const Explanation& explanation) {
  const auto& demands = explanation.demands;
  return !demands.empty() && std::ranges::all_of(demands, [](const answers::DemandFacts& facts) {
    return facts.known && facts.chosen == 0;
  });
}

// The pods whose end alone would be enough, as advice has it. nullptr: there are none.
const engine::Release* release_that_helps(const Explanation& explanation) {
  if (!explanation.help) return nullptr;
  for (const engine::Advice& advice : explanation.help->advice.advice) {
    if (advice.changes.size() != 1) continue;
    const auto* release = std::get_if<engine::Release>(&advice.changes.front());
    if (release != nullptr && !release->pods.empty()) return release;
  }
  return nullptr;
}

// The nodes that have what it needs, and that other filters reject.
struct NodesElsewhere {
  std::int64_t selected = 0;  // by the pod
  std::int64_t others = 0;
  std::string_view first = {};
};

NodesElsewhere nodes_elsewhere(const Explanation& explanation) {
  NodesElsewhere nodes;
  for (const engine::NodeResult& node : explanation.nodes) {
    if (!node.fits() || node.passes_filters()) continue;
    const bool selected = std::ranges::find(node.other_reasons, diag::Code::NodeAffinity,
                                            &diag::Reason::code) == node.other_reasons.end();
    ++(selected ? nodes.selected : nodes.others);
    if (nodes.first.empty()) nodes.first = node.name;
  }
  return nodes;
}

// "2 nodes have them free". Of claims that are allocated, free devices do not matter.
std::string where_devices_are(const Explanation& explanation) {
  const auto& claims = explanation.subject.claims;
  const auto allocated = std::ranges::count_if(claims, &engine::SubjectClaim::allocated);
  if (allocated == std::ssize(claims))
    return base::format("its {} them already", allocated == 1 ? "claim has" : "claims have");
  const NodesElsewhere nodes = nodes_elsewhere(explanation);
  if (allocated > 0) {
    const std::int64_t all = nodes.selected + nodes.others;
    return base::format(
        "its claims have them already or find them free, on {} only",
        all == 1 ? base::format("node {}", nodes.first) : base::plural(all, "node"));
  }
  const std::int64_t count = nodes.selected > 0 ? nodes.selected : nodes.others;
  return base::format("{}{} {} them free", base::plural(count, "node"),
                      nodes.selected > 0 ? "" : ", which the pod does not select,",
                      count == 1 ? "has" : "have");
}

// Nodes that other filters reject would serve it.
std::string elsewhere_words(const Explanation& explanation) {
  constexpr std::size_t named = 2;
  if (const engine::Release* release = release_that_helps(explanation))
    return base::format(
        "Waiting may help: it fits once {} {} {} gone.", release->pods.size() == 1 ? "pod" : "pods",
        base::join_first(release->pods, named), release->pods.size() == 1 ? "is" : "are");
  if (explanation.outlook->nodes_now > 0)
    return base::format("Devices are not the problem: {}.", where_devices_are(explanation));
  const std::int64_t nodes = explanation.outlook->nodes;
  return base::format(
      "Waiting for devices alone does not help: {} with such devices {} ruled out for other "
      "reasons.",
      nodes == 1 ? std::string("the node") : base::format("all {} nodes", nodes),
      nodes == 1 ? "is" : "are");
}

std::string ending_words(const answers::Ending& ending, std::string_view ns) {
  const api::ObjectMeta& meta = ending.pod->meta;
  const std::string pod = meta.namespace_ == ns ? std::string(meta.name) : engine::full_name(meta);
  switch (ending.by) {
    case answers::EndsBy::Deletion:
      return base::format("the deletion of pod {} is due", pod);
    case answers::EndsBy::PodDeadline:
      return base::format("pod {} reaches its activeDeadlineSeconds", pod);
    case answers::EndsBy::JobDeadline:
      return base::format("Job {} reaches its activeDeadlineSeconds, which ends pod {}",
                          ending.cause, pod);
    case answers::EndsBy::NodeTaint:
      return base::format("pod {} is evicted for a taint of node {}", pod, ending.cause);
    case answers::EndsBy::DeviceTaint:
      return base::format("pod {} is evicted for the device taint {}", pod, ending.cause);
  }
  return {};
}

// " In about 2h pod a reaches its activeDeadlineSeconds. It then fits on node n1, if no other pod
// comes first." Empty: no such time is known.
std::string estimate_words(const Explanation& explanation) {
  if (!explanation.estimate || !explanation.estimate->last) return {};
  const answers::Estimate& estimate = *explanation.estimate;
  const std::string ended = estimate.ended == 1
                                ? std::string()
                                : base::format(" (the last of {} pods that end)", estimate.ended);
  const std::string where = estimate.nodes.size() == 1
                                ? base::format("node {}", estimate.nodes.front())
                                : base::format("{} nodes", estimate.nodes.size());
  return base::format(" In about {} {}{}. It then fits on {}, if no other pod comes first.",
                      base::human_age(estimate.last->at - *explanation.time),
                      ending_words(*estimate.last, explanation.subjects.front().namespace_), ended,
                      where);
}

}  // namespace

std::string outlook_words(const Explanation& explanation) {
  if (!explanation.outlook) return {};
  const answers::Outlook& outlook = *explanation.outlook;
  const std::string nodes = base::plural(outlook.nodes, "node");
  const std::string_view far = explanation.not_simulated.empty() ? "" : ", as far as DRA goes";
  switch (outlook.when) {
    case answers::When::NotNow:
      if (!outlook.held_for_good.empty()) return held_words(explanation);
      // What to do about it stands above.
      if (!outlook.held_by_ended.empty() && !explanation.remedy.text.empty()) return {};
      if (!outlook.held_by_ended.empty())
        return base::format(
            "The pods that hold claim {} have ended or are gone: kube-controller-manager frees it "
            "within "
            "seconds. If it does not, it does not run: its lease shows when it was last renewed.",
            outlook.held_by_ended);
      return base::format("Waiting helps if devices are freed: with all free, it fits on {}{}.",
                          nodes, far) +
             estimate_words(explanation);
    case answers::When::NotHere:
      return elsewhere_words(explanation) + estimate_words(explanation);
    case answers::When::Never:
      if (outlook.why == answers::WhyNever::NoNodeFits && selector_fails(explanation))
        return "Waiting does not help: a selector fails until it is corrected.";
      if (outlook.why == answers::WhyNever::NoNodeFits && nothing_matches(explanation))
        return "Waiting does not help: there is no such device.";
      return base::format("Waiting does not help: {}.", why_never(outlook));
  }
  return {};
}

}  // namespace dra::report

// src/report/phrases/advice_words.cpp: one function for each kind of change, as a condition ("a
// node joined") and as an order ("add a node"). The JSON is in advice_json.cpp.

#include "dra/report/phrases/advice_words.h"

#include <algorithm>

#include "dra/answers/explain/headline.h"
#include "dra/answers/explain/suggestion_text.h"
#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/selectors/value_changes.h"
#include "dra/report/phrases/words.h"
#include "dra/snapshot/template_pods.h"
#include "src/report/phrases/pod_endings.h"

namespace dra::report {
namespace {

constexpr std::size_t kMaxNames = 3;  // names of pods and claims in a sentence
constexpr std::string_view kOtherDevices = " (devices of another kind)";

std::string names(const std::vector<std::string>& all) { return base::join_first(all, kMaxNames); }

std::string selector_name(const engine::SelectorPlace& place) {
  return place.of_class
             ? base::format("selector {} of the class of request {}", place.selector, place.request)
             : base::format("selector {} of request {}", place.selector, place.request);
}

// The claim that a change edits.
struct ClaimOf {
  template <class Change>
  std::string operator()(const Change& change) const {
    if constexpr (requires { change.place; })
      return change.place.of_class ? std::string() : change.place.claim;
    else if constexpr (requires { change.claim; })
      return change.claim;
    else
      return {};
  }
};

// " (node pool a100, priority 2 of 3 in ComputeClass gpus)"
std::string place_of_node(const answers::ChangeFacts& facts) {
  std::vector<std::string> parts;
  if (!facts.node_pool.empty()) parts.push_back(base::format("node pool {}", facts.node_pool));
  if (const auto& priority = facts.priority)
    parts.push_back(base::format("priority {} of {} in ComputeClass {}", priority->place,
                                 priority->of, priority->compute_class));
  return parts.empty() ? "" : base::format(" ({})", base::join(parts, ", "));
}

std::string taint_of(const engine::Tolerate& change) {
  return change.effect.empty() ? change.key : base::format("{}:{}", change.key, change.effect);
}

// Of a device's taint.
std::string who_tolerates(const engine::Tolerate& change) {
  return change.request.empty() ? base::format("every request of claim {}", change.claim)
                                : base::format("request {}", change.request);
}

// "2 parts (gpu and nic, gpu-2 and nic-2)", "2 parts (gpu with 2 devices, gpu-2 with 1)".
std::string parts_words(const engine::SplitRequests& change) {
  std::vector<std::string> parts;
  for (std::int64_t part = 1; part <= change.parts; ++part) {
    std::vector<std::string> requests;
    for (const std::string& request : change.requests)
      requests.push_back(engine::name_in_part(request, part));
    parts.push_back(base::join(requests, " and "));
    if (change.counts.empty()) continue;
    const std::int64_t count = engine::count_in_part(change, 0, part);
    parts.back() += part == 1 ? base::format(" with {}", base::plural(count, "device"))
                              : base::format(" with {}", count);
  }
  return base::format("{} parts ({})", change.parts, base::join_first(parts, kMaxNames));
}

// "nodeSelector gpu=a100"
std::string condition_words(const engine::SelectNodes& change) {
  return base::format("{} {}", change.expression ? "required node affinity" : "nodeSelector",
                      change.text);
}

// "gpu=h100"
std::string value_of(const engine::SelectNodes& change) {
  return base::format("{}={}", change.key, change.value.value_or(std::string()));
}

class ChangeWording {
 public:
  explicit ChangeWording(const answers::ChangeFacts& facts) : facts_(facts) {}

  std::string operator()(const engine::SetCount& change) const {
    return base::format("request {} asked for {}", change.request,
                        base::plural(change.count, "device"));
  }
  std::string operator()(const engine::DropSelector& change) const {
    if (!change.span) return base::format("{} were removed", selector_name(change.place));
    return base::format("request {} did without {}", change.place.request, one_line(change.text));
  }
  std::string operator()(const engine::EditSelector& change) const {
    const std::string values = answers::values_words(change.values);
    return base::format("{} were {}{}", selector_name(change.place), one_line(change.expression),
                        values.empty() || change.more ? "" : base::format(": {}", values));
  }
  std::string operator()(const engine::Tolerate& change) const {
    const std::string taint = taint_of(change);
    if (change.claim.empty()) return base::format("the pod tolerated the node taint {}", taint);
    return base::format("{} tolerated the device taint {}", who_tolerates(change), taint);
  }
  std::string operator()(const engine::DropConstraint& change) const {
    return base::format("constraint {} ({}) were removed", change.constraint, change.attribute);
  }
  std::string operator()(const engine::RelaxConstraint& change) const {
    return base::format("constraint {} matched {} instead of {}", change.constraint, change.instead,
                        change.attribute);
  }
  std::string operator()(const engine::SplitRequests& change) const {
    return base::format("constraint {} ({}) held for each of {}", change.constraint,
                        change.attribute, parts_words(change));
  }
  std::string operator()(const engine::SelectNodes& change) const {
    if (!change.value) return base::format("{} were removed", condition_words(change));
    return base::format("{} {} {}", condition_words(change),
                        change.expression ? "also accepted" : "were", value_of(change));
  }
  std::string operator()(const engine::UseAlternative& change) const {
    return base::format("only {} were left of the alternatives", change.request);
  }
  std::string operator()(const engine::Release& change) const {
    if (change.pods.empty())
      return base::format("{} {} were deleted", change.claims.size() == 1 ? "claim" : "claims",
                          names(change.claims));
    return base::format("{} {} went away", change.pods.size() == 1 ? "pod" : "pods",
                        names(change.pods));
  }
  std::string operator()(const engine::AddNode& change) const {
    return base::format("{} like {} joined{}",
                        change.count == 1 ? "a node" : base::plural(change.count, "node"),
                        change.like, place_of_node(facts_));
  }
  std::string operator()(const engine::RemoveNode& change) const {
    return base::format("node {} were gone", change.node);
  }
  std::string operator()(const engine::JoinNodes& change) const {
    const std::string nodes = base::plural(std::ssize(change.nodes), "node");
    return base::format("{} of {} joined", change.nodes.empty() ? "slices" : nodes, change.file);
  }
  std::string operator()(const engine::Drain&) const { return "they were drained"; }
  std::string operator()(const engine::Wait& change) const {
    return base::format("the missing slices of pool {} came ({})", change.pool, change.driver);
  }

 private:
  const answers::ChangeFacts& facts_;
};

class ChangeOrder {
 public:
  explicit ChangeOrder(const answers::ChangeFacts& facts) : facts_(facts) {}

  std::string operator()(const engine::SetCount& change) const {
    return base::format("ask for {} in request {}", base::plural(change.count, "device"),
                        change.request);
  }
  std::string operator()(const engine::DropSelector& change) const {
    if (!change.span)
      return base::format("remove {}{}", selector_name(change.place),
                          facts_.last_selector ? " (then any device of the class qualifies)" : "");
    return base::format("remove {} from request {}", one_line(change.text), change.place.request);
  }
  std::string operator()(const engine::EditSelector& change) const {
    const std::string values = answers::values_words(change.values);
    const bool others = engine::asks_for_others(change.values);
    if (values.empty() || change.more)
      return base::format("change {} to {}{}", selector_name(change.place),
                          one_line(change.expression),
                          others ? base::format(" (asks for other devices: {})", values) : "");
    return base::format("write {} in {}{}", values, selector_name(change.place),
                        others ? kOtherDevices : std::string_view());
  }
  std::string operator()(const engine::Tolerate& change) const {
    const std::string taint = taint_of(change);
    if (change.claim.empty()) return base::format("tolerate the node taint {} in the pod", taint);
    return base::format("tolerate the device taint {} in {} (it would use the tainted device)",
                        taint, who_tolerates(change));
  }
  std::string operator()(const engine::DropConstraint& change) const {
    return base::format("remove constraint {} ({})", change.constraint, change.attribute);
  }
  std::string operator()(const engine::RelaxConstraint& change) const {
    return base::format("match {} instead of {} in constraint {}", change.instead, change.attribute,
                        change.constraint);
  }
  std::string operator()(const engine::SplitRequests& change) const {
    return base::format("split the requests of constraint {} into {}, each with one {} of its own",
                        change.constraint, parts_words(change), change.attribute);
  }
  // Which condition keeps it away, and what it would have to be.
  std::string operator()(const engine::SelectNodes& change) const {
    const std::string_view devices = change.other_devices ? kOtherDevices : "";
    const std::string condition = condition_words(change);
    if (!change.value) return base::format("remove {}, which keeps it away{}", condition, devices);
    return change.expression ? base::format("accept {} in {}, which keeps it away{}",
                                            value_of(change), condition, devices)
                             : base::format("change {}, which keeps it away, to {}{}", condition,
                                            value_of(change), devices);
  }
  std::string operator()(const engine::UseAlternative& change) const {
    return base::format("keep only {} of the alternatives", change.request);
  }
  std::string operator()(const engine::Release& change) const {
    return release_words(change, facts_);
  }
  std::string operator()(const engine::AddNode& change) const {
    return base::format("add {} like {}{}",
                        change.count == 1 ? "a node" : base::plural(change.count, "node"),
                        change.like, place_of_node(facts_));
  }
  template <class NeverAdvice>
  std::string operator()(const NeverAdvice&) const {
    return {};
  }
  std::string operator()(const engine::Wait& change) const {
    return base::format("wait for the missing slices of pool {} ({})", change.pool, change.driver);
  }

 private:
  const answers::ChangeFacts& facts_;
};

// The claim that the advice edits; nullptr: none.
const engine::SubjectClaim* changed_claim(const engine::Advice& advice,
                                          const engine::Subject& subject) {
  std::string label;
  for (const engine::Change& change : advice.changes) {
    std::string claim = edited_claim(change);
    if (!claim.empty()) label = std::move(claim);
  }
  return label.empty() ? nullptr : claim_labelled(subject, label);
}

// The change of what selects the pod's nodes, and its facts; nullptr: none.
struct NodeSelectionAdvice {
  const engine::SelectNodes* change = nullptr;
  const answers::ChangeFacts* facts = nullptr;
};

NodeSelectionAdvice of_node_selection(const engine::Advice& advice,
                                      std::span<const answers::ChangeFacts> facts) {
  for (std::size_t i = 0; i < advice.changes.size(); ++i) {
    if (const auto* change = std::get_if<engine::SelectNodes>(&advice.changes[i]))
      return {change, &facts[i]};
  }
  return {};
}

// While it is suspended, a Job can get another selection of nodes, and a JobSet another node
// selector. No other part of their templates can be edited.
std::string how_to_change_job(std::string_view job, bool editable) {
  return editable ? base::format(
                        "The pod template of {} can be edited only while it is suspended, which "
                        "deletes its pods: suspend it, change the template, then resume it.",
                        job)
                  : base::format(
                        "The pod template of {} cannot be edited: delete it and re-create it with "
                        "the change.",
                        job);
}

std::string how_to_change_template(const engine::SelectNodes& change,
                                   const answers::ChangeFacts& facts, const api::Pod& pod) {
  const std::string owner = base::format("{} {}", facts.owner_kind, facts.owner_name);
  if (!snapshot::is_planned(pod)) {
    if (facts.owner_kind == "Job") return how_to_change_job(owner, true);
    if (facts.owner_kind == "JobSet") return how_to_change_job(owner, !change.expression);
    const api::OwnerReference* direct = api::controller_of(pod.meta);
    if (facts.owner_kind == "CronJob" && direct != nullptr)
      return base::format(
          "Change the pod template of {}, then delete Job {}: only its next Job has the change.",
          owner, direct->name);
    if (facts.owner_kind != "Deployment" && has_editable_template(facts.owner_kind))
      return base::format("Change the pod template of {}, then delete the pod.", owner);
  }
  return base::format("Change the pod template of {}.", owner);
}

// A pod cannot be moved to other nodes by an edit.
std::string how_to_select(const NodeSelectionAdvice& selection, const engine::Subject& subject) {
  if (subject.pod != nullptr && !selection.facts->owner_kind.empty())
    return how_to_change_template(*selection.change, *selection.facts, *subject.pod);
  const bool planned = subject.pod != nullptr && snapshot::is_planned(*subject.pod);
  return planned ? std::string("Change the pod before it is created.")
                 : std::string(
                       "A pod's selection of nodes cannot be edited: delete the pod and "
                       "re-create it.");
}

}  // namespace

std::string edited_claim(const engine::Change& change) { return std::visit(ClaimOf(), change); }

bool has_editable_template(std::string_view owner_kind) {
  return owner_kind == "Deployment" || owner_kind == "ReplicaSet" || owner_kind == "StatefulSet";
}

const engine::SubjectClaim* claim_labelled(const engine::Subject& subject, std::string_view label) {
  const auto claim = std::ranges::find_if(
      subject.claims, [label](const engine::SubjectClaim& one) { return one.label() == label; });
  return claim == subject.claims.end() ? nullptr : &*claim;
}

std::string change_words(const engine::Change& change, const answers::ChangeFacts& facts) {
  return std::visit(ChangeWording(facts), change);
}

std::string advice_title(std::string_view it, std::size_t pieces) {
  return base::format("To make {} fit{} (simulated, nothing was changed):", it,
                      pieces > 1 ? ", any one of these" : "");
}

std::string advice_words(const engine::Advice& advice,
                         std::span<const answers::ChangeFacts> facts) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < advice.changes.size(); ++i)
    parts.push_back(std::visit(ChangeOrder(facts[i]), advice.changes[i]));
  return base::join(parts, ", and ");
}

std::string how_words(const engine::Advice& advice, std::span<const answers::ChangeFacts> facts,
                      const engine::Subject& subject) {
  if (const NodeSelectionAdvice selection = of_node_selection(advice, facts); selection.change)
    return how_to_select(selection, subject);
  const engine::SubjectClaim* claim = changed_claim(advice, subject);
  if (claim == nullptr) return {};
  const bool planned_claim = claim->claim != nullptr && snapshot::is_planned(*claim->claim);
  if (planned_claim && snapshot::is_from_template(*claim->claim))
    return base::format("Change template {}.", claim->name);
  if (planned_claim) return base::format("Change claim {} before it is created.", claim->name);
  if (claim->template_name.empty())
    return base::format("A claim cannot be edited: delete claim {} and re-create it.", claim->name);
  if (!claim->pod_group.empty())
    return base::format(
        "The claim is that of pod group {}: re-create template {} with the change, then delete the "
        "group and its pods.",
        claim->pod_group, claim->template_name);
  const bool planned_pod = subject.pod != nullptr && snapshot::is_planned(*subject.pod);
  return claim->claim == nullptr || planned_pod
             ? base::format("The claim is made from template {}: re-create that with the change.",
                            claim->template_name)
             : base::format(
                   "A claim cannot be edited: re-create template {} with the change, then delete "
                   "the pod.",
                   claim->template_name);
}

namespace {

// What becomes of the pods, which keep the claims of the old template.
std::string new_pods_words(std::span<const answers::ChangeFacts> facts,
                           const engine::Subject& subject) {
  if (subject.pod == nullptr) return {};
  if (api::controller_of(subject.pod->meta) == nullptr) return ", then the pod";
  return facts.front().pods_alike.empty() ? ", then deletes the pod"
                                          : ", then deletes the pods that wait";
}

}  // namespace

std::string replaced_words(const engine::Advice& advice,
                           std::span<const answers::ChangeFacts> facts,
                           const engine::Subject& subject) {
  if (const NodeSelectionAdvice selection = of_node_selection(advice, facts); selection.change) {
    const std::string& owner = selection.facts->owner_kind;
    if (owner.empty()) return "This saves the pod, deletes it and creates it with the change:";
    if (owner == "Deployment") return {};
    return base::format("This changes the pod template{}:", new_pods_words(facts, subject));
  }
  const engine::SubjectClaim* claim = changed_claim(advice, subject);
  if (claim == nullptr) return {};
  if (claim->template_name.empty())
    return base::format("This saves claim {}, deletes it and creates it with the change:",
                        claim->name);
  return base::format("This saves template {} and replaces it{}:", claim->template_name,
                      new_pods_words(facts, subject));
}

std::string lasting_words(std::span<const answers::ChangeFacts> facts) {
  for (const answers::ChangeFacts& one : facts) {
    if (!one.deployer) continue;
    return base::format(
        "It is part of {}: change it there, too, because a change by hand alone is lost {}.",
        answers::words_of(*one.deployer), one.deployer->until);
  }
  return {};
}

std::vector<std::string> protection_words(std::span<const answers::ChangeFacts> facts) {
  std::vector<std::string> words;
  std::vector<std::string> unread;
  for (const answers::ChangeFacts& one : facts) {
    for (const answers::ReleasedPod& pod : one.released) {
      if (!pod.budgets.empty() && words.size() < kMaxNames)
        words.push_back(
            base::format("{}. A deletion ignores that.", answers::capitalized(pod.budgets)));
      if (one.budgets_unread && std::ranges::find(unread, pod.namespace_) == unread.end())
        unread.push_back(pod.namespace_);
    }
  }
  for (const std::string& ns : unread)
    words.push_back(base::format("PodDisruptionBudgets cannot be read: `{}`.",
                                 diag::kubectl("get poddisruptionbudgets").in(ns).text()));
  return words;
}

std::string part_words(const engine::DemandPart& part) {
  using Kind = engine::DemandPart::Kind;
  switch (part.kind) {
    case Kind::Request:
      return base::format("request {}", part.request);
    case Kind::Selector:
      return part.of_class
                 ? base::format("the class's selector {} for {}", part.index, part.request)
                 : base::format("selector {} of {}", part.index, part.request);
    case Kind::Constraint:
      return base::format("constraint {}", part.index);
    case Kind::Occupancy:
      return "devices held by others";
    case Kind::Taint:
      return "taints of devices";
    case Kind::Pool:
      return "pools that are not complete";
    case Kind::Filter:
      return "the scheduler's other filters";
  }
  return "";
}

}  // namespace dra::report

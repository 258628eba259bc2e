// src/report/explanation.cpp: the facts of an explanation and its verdict. See explanation.h.

#include "dra/report/explanation.h"

#include <algorithm>
#include <array>
#include <map>

#include "dra/base/text.h"
#include "dra/engine/nodes.h"
#include "src/report/explanation_cause.h"
#include "src/report/selector_evidence.h"

namespace dra::report {
namespace {

using diag::Code;
using diag::Reason;

// Without these no statement about devices is complete; what was read may still prove one.
constexpr std::array kNeeded = {api::Kind::Claim, api::Kind::Class, api::Kind::Node,
                                api::Kind::Slice, api::Kind::TaintRule};

enum class Detail { Causes, Every };

// Two nodes are told as one when everything but the names of devices and holders is the same.
std::string group_key(const engine::NodeStanding& node) {
  std::string key = node.ruled_out ? "no" : "open";
  for (const engine::DriverStanding& driver : node.drivers) {
    key += base::format("|{} {} {} {} {} {}", driver.driver, driver.published, driver.in_use,
                        driver.tainted, driver.unusable, driver.free);
  }
  for (const engine::DemandStanding& demand : node.demands) {
    key +=
        base::format("|{} {} {} {}", demand.request, demand.matching, demand.in_use, demand.usable);
  }
  for (const Reason& reason : node.reasons) {
    key += base::format("|{} {} {}", diag::name_of(reason.code), reason.request, reason.message);
  }
  return key;
}

std::vector<std::vector<std::size_t>> group(const std::vector<engine::NodeStanding>& nodes) {
  std::map<std::string, std::size_t> index;
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto [found, added] = index.emplace(group_key(nodes[i]), groups.size());
    if (added) groups.emplace_back();
    groups[found->second].push_back(i);
  }
  return groups;
}

DemandFacts facts_of(const engine::Demands& demands, const api::DeviceDemand& demand,
                     Detail detail) {
  const engine::Selection* selection = demands.of(demand);
  DemandFacts facts{.demand = &demand, .known = selection != nullptr};
  if (selection == nullptr) return facts;
  facts.devices = selection->devices.size();
  facts.chosen = selection->chosen;
  if (detail == Detail::Every || selection->chosen == 0) facts.clauses = demands.clauses_of(demand);
  facts.findings = findings_of(demands, demand, facts.clauses);
  const std::size_t of_class = demands.of_class(demand);
  for (std::size_t i = 0; i < selection->selectors.size(); ++i) {
    const engine::SelectorCount& count = selection->selectors[i];
    facts.selectors.push_back({.of_class = i < of_class,
                               .index = i < of_class ? i : i - of_class,
                               .expression = std::string(count.answer->selector.expression()),
                               .devices = count.reached,
                               .matched = count.after,
                               .failed = count.failed});
  }
  return facts;
}

// Beyond what the verdict rests on.
void add_suggestions(const engine::Demands& demands, const snapshot::Server& server,
                     DemandFacts& facts) {
  if (facts.findings.empty()) return;
  std::vector<std::string_view> expressions;
  for (const SelectorFacts& selector : facts.selectors)
    expressions.push_back(selector.expression);
  facts.suggestions = engine::suggestions_for(demands.fleet(), expressions, server);
}

// What is to be allocated, with what its selectors say.
void look_at_demands(const engine::Demands& demands, Detail detail, Explanation& explanation) {
  engine::for_each_unmet(
      explanation.subject, [&](const engine::SubjectClaim&, const api::DeviceRequest& request) {
        for (const api::NamedDemand& demand : api::demands_of(request))
          explanation.demands.push_back(facts_of(demands, *demand.demand, detail));
      });
}

// A reason about a selector has the name of its demand and its claim.
void add_evidence(const engine::Demands& demands, const engine::Inventory& inventory,
                  Explanation& explanation) {
  SelectorEvidence evidence(demands, inventory);
  std::map<std::pair<std::string, std::string>, const api::DeviceDemand*> asked;
  engine::for_each_unmet(explanation.subject,
                         [&](const engine::SubjectClaim& claim, const api::DeviceRequest& request) {
                           for (const api::NamedDemand& demand : api::demands_of(request))
                             asked.emplace(std::pair(claim.label(), demand.name), demand.demand);
                         });
  for (engine::NodeStanding& node : explanation.nodes) {
    for (Reason& reason : node.reasons) {
      const auto demand = asked.find({reason.claim, reason.request});
      if (demand != asked.end()) evidence.add_to(reason, *demand->second);
    }
  }
}

void look_at_nodes(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                   Detail detail, Explanation& explanation) {
  if (explanation.subject.claims.empty()) return;
  engine::Nodes nodes = engine::nodes_of(snapshot);
  explanation.nodes_assumed = nodes.assumed;
  const engine::Demands demands(snapshot, inventory, explanation.subject);
  look_at_demands(demands, detail, explanation);
  if (detail == Detail::Every) {
    for (DemandFacts& facts : explanation.demands)
      add_suggestions(demands, snapshot.server(), facts);
  }
  for (const api::Node& node : nodes.nodes) {
    explanation.nodes.push_back(
        engine::standing_of({inventory, snapshot.coverage(), demands}, explanation.subject, node));
    engine::NodeStanding& standing = explanation.nodes.back();
    if (standing.ruled_out) continue;
    standing.reasons.push_back(
        {.code = Code::NotSimulated,
         .message = explanation.subject.allocated()
                        ? "the scheduler's other filters are not simulated by this version"
                        : "whether its devices can be had together, with counters, capacity and "
                          "constraints, is not simulated by this version"});
  }
  explanation.groups = group(explanation.nodes);
  if (detail == Detail::Every) add_evidence(demands, inventory, explanation);
}

std::optional<SchedulerWord> word_of_condition(const api::Pod& pod) {
  for (const api::Condition& condition : pod.status.conditions) {
    if (condition.type != "PodScheduled" || condition.status != "False") continue;
    if (condition.message.empty() && condition.reason.empty()) continue;
    return SchedulerWord{std::string(condition.message), std::string(condition.reason),
                         condition.changed, std::nullopt};
  }
  return std::nullopt;
}

std::optional<SchedulerWord> word_of_event(const snapshot::Snapshot& snapshot,
                                           const api::Pod& pod) {
  const api::Event* newest = nullptr;
  for (const api::Event& event : snapshot.all<api::Event>()) {
    if (event.about.kind != "Pod" || event.about.namespace_ != pod.meta.namespace_) continue;
    if (event.about.name != pod.meta.name || event.reason != "FailedScheduling") continue;
    if (newest == nullptr || event.last_seen() > newest->last_seen()) newest = &event;
  }
  if (newest == nullptr) return std::nullopt;
  return SchedulerWord{std::string(newest->message), std::string(newest->reason),
                       newest->first ? newest->first : newest->at, std::nullopt};
}

bool ruled_out_everywhere(const Explanation& explanation) {
  return !explanation.nodes.empty() &&
         std::ranges::all_of(explanation.nodes, &engine::NodeStanding::ruled_out);
}

void note_what_is_not_visible(const snapshot::Snapshot& snapshot, Explanation& explanation) {
  for (const api::Kind kind : kNeeded) {
    if (snapshot.coverage().saw(kind)) continue;
    explanation.subject.blockers.push_back(
        {.code = Code::NotVisible,
         .certainty = diag::Certainty::AsFarAsVisible,
         .message = base::format("{} cannot be read", api::info_of(kind).resource)});
  }
}

bool is_other_scheduler(const api::Pod* pod) {
  return pod != nullptr && !pod->spec.scheduler_name.empty() &&
         pod->spec.scheduler_name != api::kDefaultScheduler;
}

Verdict judge(const snapshot::Snapshot& snapshot, Explanation& explanation) {
  engine::Subject& subject = explanation.subject;
  const bool is_scheduled = subject.pod != nullptr && !subject.pod->spec.node_name.empty();
  if (is_scheduled || (subject.pod == nullptr && subject.allocated())) {
    subject.blockers.clear();  // what would block a start does not matter any more
    return Verdict::Scheduled;
  }
  if (is_other_scheduler(subject.pod)) {
    subject.blockers.insert(subject.blockers.begin(),
                            {.code = Code::OtherScheduler,
                             .message = base::format("scheduler {} is responsible for this pod",
                                                     subject.pod->spec.scheduler_name)});
    return Verdict::Undetermined;
  }
  if (!subject.blockers.empty()) return Verdict::Blocked;
  note_what_is_not_visible(snapshot, explanation);
  const bool saw_places =
      snapshot.coverage().saw(api::Kind::Node) && snapshot.coverage().saw(api::Kind::Slice);
  return ruled_out_everywhere(explanation) && saw_places ? Verdict::DoesNotFit
                                                         : Verdict::Undetermined;
}

// "0/3 nodes are available: ..." speaks of 3 nodes; other messages of none.
bool counts_the_same_nodes(const Explanation& explanation) {
  const std::string_view message = explanation.scheduler->message;
  const std::size_t slash = message.find('/');
  const std::size_t words = message.find(" nodes are available");
  if (slash == std::string_view::npos || words == std::string_view::npos || words < slash)
    return true;
  return message.substr(slash + 1, words - slash - 1) == std::to_string(explanation.nodes.size());
}

void conclude(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory, Detail detail,
              Explanation& explanation) {
  look_at_nodes(snapshot, inventory, detail, explanation);
  explanation.verdict = judge(snapshot, explanation);
  conclude_cause(explanation);
  const bool stands =
      explanation.verdict == Verdict::Blocked || explanation.verdict == Verdict::DoesNotFit;
  if (explanation.scheduler && stands && counts_the_same_nodes(explanation))
    explanation.scheduler->agrees = true;
}

Explanation explain(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                    const api::Pod& pod, Detail detail) {
  Explanation explanation;
  explanation.subjects = {{"Pod", std::string(pod.meta.namespace_), std::string(pod.meta.name)}};
  explanation.subject = engine::subject_of_pod(snapshot, pod);
  if (pod.spec.node_name.empty()) {
    explanation.scheduler = word_of_condition(pod);
    if (!explanation.scheduler) explanation.scheduler = word_of_event(snapshot, pod);
  }
  conclude(snapshot, inventory, detail, explanation);
  return explanation;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Fits:
      return "Fits";
    case Verdict::DoesNotFit:
      return "DoesNotFit";
    case Verdict::Blocked:
      return "Blocked";
    case Verdict::Scheduled:
      return "Scheduled";
    case Verdict::Undetermined:
      return "Undetermined";
  }
  return "";
}

const DemandFacts* Explanation::facts_of(const api::DeviceDemand& demand) const {
  const auto facts = std::ranges::find(demands, &demand, &DemandFacts::demand);
  return facts == demands.end() ? nullptr : &*facts;
}

bool Explanation::hypothetical() const {
  return std::ranges::any_of(subject.claims, &engine::SubjectClaim::hypothetical);
}

Explanation explain_pod(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  return explain(snapshot, engine::Inventory(snapshot), pod, Detail::Every);
}

Explanation explain_pod(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                        const api::Pod& pod) {
  return explain(snapshot, inventory, pod, Detail::Causes);
}

Explanation explain_claims(const snapshot::Snapshot& snapshot, const std::string& ns,
                           const std::vector<std::string>& names) {
  Explanation explanation;
  for (const std::string& name : names)
    explanation.subjects.push_back({"ResourceClaim", ns, name});
  explanation.subject = engine::subject_of_claims(snapshot, ns, names);
  conclude(snapshot, engine::Inventory(snapshot), Detail::Every, explanation);
  return explanation;
}

}  // namespace dra::report

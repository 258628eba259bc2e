// src/report/explain/explanation.cpp: the facts of an explanation and its verdict. See
// explanation.h.

#include "dra/report/explain/explanation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>

#include "dra/base/text.h"
#include "dra/engine/cluster/claim_references.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/scheduler/subject_on_node.h"
#include "dra/engine/selectors/device_counts.h"
#include "dra/engine/whatif/post_filter.h"
#include "dra/report/describe/describe_parts.h"
#include "dra/report/phrases/selector_evidence.h"
#include "dra/snapshot/template_pods.h"
#include "src/report/explain/explanation_alternatives.h"
#include "src/report/explain/explanation_cause.h"
#include "src/report/explain/explanation_help.h"
#include "src/report/explain/explanation_outlook.h"

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
  std::string key = node.fits ? (*node.fits ? "fits" : "no") : "open";
  for (const engine::DriverStanding& driver : node.drivers) {
    key += base::format("|{} {} {} {} {} {}", driver.driver, driver.published, driver.in_use,
                        driver.tainted, driver.unusable, driver.free);
  }
  for (const engine::DemandStanding& demand : node.demands) {
    key += base::format("|{} {} {} {} {}", demand.request, demand.matching, demand.in_use,
                        demand.usable, demand.by_plugin);
  }
  for (const auto* reasons : {&node.reasons, &node.other_reasons}) {
    key += "||";
    for (const Reason& reason : *reasons)
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

DemandFacts facts_of(const engine::Demands& demands, const engine::Inventory& inventory,
                     const api::DeviceDemand& demand, Detail detail) {
  const engine::Selection* selection = demands.of(demand);
  DemandFacts facts{.demand = &demand, .known = selection != nullptr};
  if (selection == nullptr) return facts;
  facts.devices = selection->devices.size();
  facts.chosen = selection->chosen;
  if (detail == Detail::Every) facts.free = engine::free_of(*selection, inventory);
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
void look_at_demands(const engine::Demands& demands, const engine::Inventory& inventory,
                     Detail detail, Explanation& explanation) {
  engine::for_each_unmet(
      explanation.subject, [&](const engine::SubjectClaim&, const api::DeviceRequest& request) {
        for (const api::NamedDemand& demand : api::demands_of(request))
          explanation.demands.push_back(facts_of(demands, inventory, *demand.demand, detail));
      });
}

// A reason about a selector has the name of its demand and its claim.
class EvidenceAdder {
 public:
  EvidenceAdder(const engine::Demands& demands, const engine::Inventory& inventory,
                const engine::Subject& subject)
      : evidence_(demands, inventory), asked_(subject) {}

  void add_to(engine::NodeStanding& node) {
    for (Reason& reason : node.reasons) {
      const api::DeviceDemand* demand = asked_.of(reason);
      if (demand != nullptr) evidence_.add_to(reason, *demand);
    }
  }

  void add_to(engine::DeviceVerdict& verdict) {
    std::vector<Reason> reasons;
    for (Reason& reason : verdict.reasons) {
      const api::DeviceDemand* demand = asked_.of(reason);
      if (demand == nullptr) {
        reasons.push_back(std::move(reason));
      } else {
        std::ranges::move(evidence_.by_condition(reason, *demand), std::back_inserter(reasons));
      }
    }
    verdict.reasons = std::move(reasons);
  }

 private:
  SelectorEvidence evidence_;
  engine::UnmetDemands asked_;
};

// What an explanation is computed from.
struct Cluster {
  const snapshot::Snapshot& snapshot;
  const engine::Inventory& inventory;
  const engine::NodeLoads& loads;
  const Focus& focus;
};

// The scheduler only comes to bind the pod on the node that it prefers.
void note_preferences(Explanation& explanation) {
  const auto fails = [](const engine::NodeStanding& node) {
    return node.aborts && node.passes() && node.reasons.front().code == Code::ExtendedClaimEmpty;
  };
  if (std::ranges::any_of(explanation.nodes, fails) &&
      std::ranges::any_of(explanation.nodes, &engine::NodeStanding::open))
    explanation.not_simulated.emplace_back("which node the scheduler prefers");
}

void add_evidence(const engine::Demands& demands, const engine::Inventory& inventory,
                  Explanation& explanation) {
  EvidenceAdder adder(demands, inventory, explanation.subject);
  for (engine::NodeStanding& node : explanation.nodes)
    adder.add_to(node);
  for (DeviceAnswer& device : explanation.devices) {
    for (DeviceOnNode& on_node : device.nodes) {
      if (!on_node.requests) continue;
      for (engine::DeviceVerdict& verdict : *on_node.requests)
        adder.add_to(verdict);
    }
  }
}

// The device on the node that was looked at last.
void look_at_device(engine::Standings& standings, const api::Node& node, const Cluster& cluster,
                    const engine::DeviceId& device, Explanation& explanation) {
  auto verdicts = standings.verdicts(node, explanation.nodes.back(), device);
  if (!verdicts && cluster.focus.nodes.empty()) return;
  const std::string id = engine::to_string(device);
  auto answer = std::ranges::find(explanation.devices, id, &DeviceAnswer::device);
  answer->nodes.push_back({explanation.nodes.size() - 1, std::move(verdicts)});
}

void look_at_nodes(const Cluster& cluster, Detail detail, Explanation& explanation) {
  if (explanation.subject.claims.empty()) return;
  const auto& [snapshot, inventory, loads, focus] = cluster;
  engine::Nodes nodes = engine::nodes_of(snapshot);
  explanation.nodes_assumed = nodes.assumed;
  explanation.nodes_chosen = !focus.nodes.empty();
  const engine::Demands demands(snapshot, inventory, explanation.subject);
  look_at_demands(demands, inventory, detail, explanation);
  if (detail == Detail::Every) {
    for (DemandFacts& facts : explanation.demands)
      add_suggestions(demands, snapshot.server(), facts);
  }
  engine::SearchBudget budget;
  std::optional<engine::NodeFilters> filters;
  if (explanation.subject.pod != nullptr && !nodes.assumed) {
    filters.emplace(snapshot, loads, *explanation.subject.pod);
    explanation.not_simulated = filters->not_simulated();
  }
  const engine::Surroundings surroundings{inventory, snapshot.coverage(), demands, budget,
                                          filters ? &*filters : nullptr};
  const auto depth = detail == Detail::Every ? engine::Depth::Evidence : engine::Depth::Reasons;
  engine::Standings standings(snapshot, surroundings, explanation.subject, depth);
  for (const engine::DeviceId& device : focus.devices)
    explanation.devices.push_back({engine::to_string(device)});
  for (const api::Node& node : nodes.nodes) {
    const auto& only = focus.nodes;
    if (!only.empty() && std::ranges::find(only, node.meta.name) == only.end()) continue;
    explanation.nodes.push_back(standings.of(node));
    for (const engine::DeviceId& device : focus.devices)
      look_at_device(standings, node, cluster, device, explanation);
  }
  engine::apply_post_filter(snapshot, wanted_of(explanation), depth, explanation.nodes);
  note_preferences(explanation);
  if (detail == Detail::Every) add_alternatives(explanation);
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
  for (const api::Event* event : engine::events_of(snapshot, "Pod", pod.meta)) {
    if (event->reason != "FailedScheduling") continue;
    if (newest == nullptr || event->last_seen() > newest->last_seen()) newest = event;
  }
  if (newest == nullptr) return std::nullopt;
  return SchedulerWord{std::string(newest->message), std::string(newest->reason),
                       newest->first ? newest->first : newest->at, std::nullopt};
}

// The scheduler looks at all nodes where there are few; of many, only until enough of them fit.
// Upstream: k8s.io/kubernetes/pkg/scheduler, numFeasibleNodesToFind.
std::size_t nodes_to_find(std::size_t all) {
  constexpr std::size_t few = 100;
  if (all < few) return all + 1;  // it does not stop before the last
  const std::size_t percent = all / 125 >= 45 ? 5 : 50 - all / 125;
  return std::max(few, all * percent / 100);
}

// Over the nodes that the other filters let through. Where the scheduler gives up on the pod,
// nothing else counts; but it may not come to that where enough nodes fit before.
Verdict judge_nodes(const Explanation& explanation) {
  const auto& nodes = explanation.nodes;
  const auto open =
      static_cast<std::size_t>(std::ranges::count_if(nodes, &engine::NodeStanding::open));
  const bool gives_up =
      std::ranges::any_of(nodes, [](const auto& node) { return node.aborts && node.passes(); });
  // A filter that is not simulated may keep the scheduler from the node where it would give up.
  if (gives_up && open > 0 && !explanation.not_simulated.empty()) return Verdict::Undetermined;
  if (gives_up)
    return open < nodes_to_find(nodes.size()) || open == 0 ? Verdict::DoesNotFit
                                                           : Verdict::Undetermined;
  if (open > 0) return explanation.not_simulated.empty() ? Verdict::Fits : Verdict::Undetermined;
  const bool all_out = !nodes.empty() && std::ranges::all_of(nodes, [](const auto& node) {
    return node.ruled_out || !node.passes();
  });
  return all_out ? Verdict::DoesNotFit : Verdict::Undetermined;
}

void note_what_is_not_visible(const snapshot::Snapshot& snapshot, Explanation& explanation) {
  for (const api::Kind kind : kNeeded) {
    const snapshot::Missing* missing = snapshot.coverage().find(kind);
    if (missing == nullptr) continue;
    explanation.subject.blockers.push_back({.code = Code::NotVisible,
                                            .certainty = diag::Certainty::AsFarAsVisible,
                                            .message = snapshot::cannot_be_read(*missing)});
  }
}

bool is_other_scheduler(const api::Pod* pod) {
  return pod != nullptr && !pod->spec.scheduler_name.empty() &&
         pod->spec.scheduler_name != api::kDefaultScheduler;
}

Verdict verdict_of(const snapshot::Snapshot& snapshot, Explanation& explanation) {
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
  return saw_places ? judge_nodes(explanation) : Verdict::Undetermined;
}

// "0/3 nodes are available: ..." speaks of 3 nodes; other messages of none.
std::optional<std::int64_t> nodes_counted(std::string_view message) {
  const std::size_t slash = message.find('/');
  const std::size_t words = message.find(" nodes are available");
  if (slash == std::string_view::npos || words == std::string_view::npos || words < slash)
    return std::nullopt;
  const std::string_view digits = message.substr(slash + 1, words - slash - 1);
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return count;
}

// Whether nobody will allocate the claim that was named; where pods can be seen.
bool is_unused(const snapshot::Snapshot& snapshot, const engine::Subject& subject) {
  if (subject.pod != nullptr || subject.claims.size() != 1) return false;
  const api::ResourceClaim* claim = subject.claims.front().claim;
  if (claim == nullptr || claim->allocated() || snapshot::is_planned(*claim)) return false;
  return snapshot.coverage().saw(api::Kind::Pod, claim->meta.namespace_) &&
         std::ranges::none_of(snapshot.all<api::Pod>(), [claim](const api::Pod& pod) {
           return pod.meta.namespace_ == claim->meta.namespace_ && !pod.finished() &&
                  engine::names_claim(pod, claim->meta.name);
         });
}

void conclude(const Cluster& cluster, Detail detail, Explanation& explanation) {
  look_at_nodes(cluster, detail, explanation);
  explanation.verdict = verdict_of(cluster.snapshot, explanation);
  explanation.unused = is_unused(cluster.snapshot, explanation.subject);
  explanation.after = engine::after_scheduling(cluster.snapshot, cluster.inventory,
                                               explanation.subject, explanation.nodes);
  conclude_cause(explanation);
  if (detail == Detail::Every) {
    explanation.outlook = outlook_of(cluster.snapshot, cluster.inventory, explanation);
    if (cluster.focus.nodes.empty() && cluster.focus.devices.empty())
      explanation.help = help_of(cluster.snapshot, cluster.inventory, cluster.loads, explanation);
  }
  const bool stands =
      explanation.verdict == Verdict::Blocked || explanation.verdict == Verdict::DoesNotFit;
  if (explanation.scheduler) {
    SchedulerWord& word = *explanation.scheduler;
    word.nodes = nodes_counted(word.message);
    const auto now = static_cast<std::int64_t>(explanation.nodes.size());
    if (stands && word.nodes.value_or(now) == now) word.agrees = true;
  }
  // It may just not have tried again since.
  if (explanation.scheduler && explanation.verdict == Verdict::Fits)
    explanation.scheduler->agrees = false;
}

// A pod may want devices without naming a claim, by a resource that a class would have to serve.
// Where classes cannot be read, that is said first.
std::string words_without_claims(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  const auto resources = engine::extended_resources_of(snapshot.server(), pod);
  if (resources.empty()) return {};
  const std::string names = base::join(resources, ", ");
  if (!engine::features_of(snapshot.server()).on(engine::Gate::DRAExtendedResource))
    return base::format(
        "it uses no claims, and {} is a device plugin's as {} is off, so DRA does not hold it up",
        names, engine::name_of(engine::Gate::DRAExtendedResource));
  return base::format(
      "it uses no claims, and no device class serves {}: a device plugin has to, so DRA does not "
      "hold it up",
      names);
}

Explanation explain(const Cluster& cluster, const api::Pod& pod, Detail detail) {
  Explanation explanation;
  explanation.subjects = {{"Pod", std::string(pod.meta.namespace_), std::string(pod.meta.name)}};
  explanation.subject = engine::subject_of_pod(cluster.snapshot, pod);
  if (explanation.subject.claims.empty())
    explanation.without_claims = words_without_claims(cluster.snapshot, pod);
  if (pod.spec.node_name.empty()) {
    explanation.capacity_words = answers::capacity_words(cluster.snapshot, pod);
    explanation.scheduler = word_of_condition(pod);
    if (!explanation.scheduler) explanation.scheduler = word_of_event(cluster.snapshot, pod);
  }
  conclude(cluster, detail, explanation);
  return explanation;
}

Explanation explain(const Cluster& cluster, const std::string& ns,
                    const std::vector<std::string>& names, Detail detail) {
  Explanation explanation;
  for (const std::string& name : names)
    explanation.subjects.push_back({"ResourceClaim", ns, name});
  explanation.subject = engine::subject_of_claims(cluster.snapshot, ns, names);
  conclude(cluster, detail, explanation);
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

Explanation explain_pod(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                        const Focus& focus) {
  const engine::Inventory inventory(snapshot);
  const engine::NodeLoads loads(snapshot);
  return explain({snapshot, inventory, loads, focus}, pod, Detail::Every);
}

Explanation explain_pod(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                        const engine::NodeLoads& loads, const api::Pod& pod, const Focus& focus) {
  return explain({snapshot, inventory, loads, focus}, pod, Detail::Causes);
}

Explanation explain_claims(const snapshot::Snapshot& snapshot, const std::string& ns,
                           const std::vector<std::string>& names, const Focus& focus) {
  const engine::Inventory inventory(snapshot);
  const engine::NodeLoads loads(snapshot);
  return explain({snapshot, inventory, loads, focus}, ns, names, Detail::Every);
}

Explanation explain_claims(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                           const engine::NodeLoads& loads, const std::string& ns,
                           const std::vector<std::string>& names) {
  return explain({snapshot, inventory, loads, {}}, ns, names, Detail::Causes);
}

}  // namespace dra::report

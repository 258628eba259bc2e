// src/report/explanation.cpp: the facts of an explanation and its verdict. See explanation.h.

#include "dra/report/explanation.h"

#include <algorithm>
#include <array>
#include <map>

#include "dra/base/text.h"
#include "dra/engine/nodes.h"
#include "src/report/words.h"

namespace dra::report {
namespace {

using diag::Code;
using diag::Reason;

// Without these no statement about devices is complete; what was read may still prove one.
constexpr std::array kNeeded = {api::Kind::Claim, api::Kind::Class, api::Kind::Node,
                                api::Kind::Slice, api::Kind::TaintRule};

std::string subject_words(const Explanation& explanation) {
  const SubjectName& first = explanation.subjects.front();
  const std::string name = base::format("{}/{}", first.namespace_, first.name);
  if (explanation.subject.pod != nullptr) return "Pod " + name;
  if (explanation.subjects.size() == 1) return "Claim " + name;
  return base::format("The group of {} claims with {}", explanation.subjects.size(), name);
}

bool nothing_to_allocate(const engine::Subject& subject) {
  return std::ranges::all_of(subject.claims, [](const engine::SubjectClaim& claim) {
    return claim.claim != nullptr && claim.claim->allocated();
  });
}

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

DemandFacts facts_of(const engine::Demands& demands, const api::DeviceDemand& demand) {
  const engine::Selection* selection = demands.of(demand);
  DemandFacts facts{.demand = &demand, .known = selection != nullptr};
  if (selection == nullptr) return facts;
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

// What is to be allocated, with what its selectors say.
void look_at_demands(const engine::Demands& demands, Explanation& explanation) {
  for (const engine::SubjectClaim& claim : explanation.subject.claims) {
    if (claim.spec == nullptr || (claim.claim != nullptr && claim.claim->allocated())) continue;
    for (const api::DeviceRequest& request : claim.spec->devices.requests) {
      for (const api::NamedDemand& demand : api::demands_of(request))
        explanation.demands.push_back(facts_of(demands, *demand.demand));
    }
  }
}

void look_at_nodes(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                   Explanation& explanation) {
  if (explanation.subject.claims.empty()) return;
  engine::Nodes nodes = engine::nodes_of(snapshot);
  explanation.nodes_assumed = nodes.assumed;
  const engine::Demands demands(snapshot, inventory, explanation.subject);
  look_at_demands(demands, explanation);
  for (const api::Node& node : nodes.nodes) {
    explanation.nodes.push_back(
        engine::standing_of({inventory, snapshot.coverage(), demands}, explanation.subject, node));
    engine::NodeStanding& standing = explanation.nodes.back();
    if (standing.ruled_out) continue;
    standing.reasons.push_back(
        {.code = Code::NotSimulated,
         .message = nothing_to_allocate(explanation.subject)
                        ? "the scheduler's other filters are not simulated by this version"
                        : "whether its devices can be had together, with counters, capacity and "
                          "constraints, is not simulated by this version"});
  }
  explanation.groups = group(explanation.nodes);
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
  if (is_scheduled || (subject.pod == nullptr && nothing_to_allocate(subject))) {
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

// The cause that a user has to act on, rather than its consequence.
const Reason& deciding(const std::vector<Reason>& blockers) {
  for (const Code code : {Code::TemplateMissing, Code::ClaimCreationFailed}) {
    const auto found = std::ranges::find(blockers, code, &Reason::code);
    if (found != blockers.end()) return *found;
  }
  return blockers.front();
}

std::string nodes_words(std::size_t count) {
  return count == 1 ? "the only node" : base::format("any of {} nodes", count);
}

// "every device is in use (12 of 12)", if that is what all nodes have in common.
std::string everything_in_use(const Explanation& explanation) {
  std::int64_t published = 0;
  std::int64_t in_use = 0;
  for (const engine::NodeStanding& node : explanation.nodes) {
    for (const engine::DriverStanding& driver : node.drivers) {
      published += driver.published;
      in_use += driver.in_use;
    }
  }
  return published == in_use ? base::format("every device is in use ({} of {})", in_use, published)
                             : std::string();
}

// The codes that rule nodes out, each with the number of its nodes.
std::map<Code, std::int64_t> count_causes(const Explanation& explanation) {
  std::map<Code, std::int64_t> causes;
  for (const engine::NodeStanding& node : explanation.nodes)
    ++causes[node.reasons.front().code];
  return causes;
}

// One cause for all nodes if they have one, else each with the number of its nodes.
std::string common_cause(const Explanation& explanation) {
  const auto causes = count_causes(explanation);
  const Reason& first = explanation.nodes.front().reasons.front();
  const bool same_words = std::ranges::all_of(explanation.nodes, [&first](const auto& node) {
    return node.reasons.front().message == first.message;
  });
  if (same_words) return first.message;
  if (causes.size() == 1 && causes.contains(Code::CountShort)) {
    if (std::string all = everything_in_use(explanation); !all.empty()) return all;
  }
  std::vector<std::string> parts;
  for (const auto& [code, count] : causes) {
    const std::string_view title = diag::info_of(code).title;
    parts.push_back(causes.size() == 1
                        ? std::string(title)
                        : base::format("{} on {}", title, base::plural(count, "node")));
  }
  return base::join(parts, ", ");
}

// What is left open when nothing blocks the subject and not every node is ruled out.
std::string not_computed(const engine::Subject& subject) {
  if (!subject.blockers.empty() || subject.claims.empty()) return {};
  return nothing_to_allocate(subject)
             ? "the scheduler's other filters, which this version does not simulate"
             : "how its devices can be had together, which this version does not simulate";
}

std::string summary_undetermined(const Explanation& explanation) {
  const auto& blockers = explanation.subject.blockers;
  if (!blockers.empty()) return blockers.front().message;
  if (explanation.subject.claims.empty()) return "it uses no claims, so DRA does not hold it up";
  const auto out = static_cast<std::int64_t>(
      std::ranges::count_if(explanation.nodes, &engine::NodeStanding::ruled_out));
  const auto all = static_cast<std::int64_t>(explanation.nodes.size());
  const std::string& why = explanation.depends_on;
  if (out == 0) return base::format("it depends on {}", why);
  return base::format("{} of {} {} ruled out; on the {} it depends on {}", out,
                      base::plural(all, "node"), out == 1 ? "is" : "are",
                      all - out == 1 ? "other" : base::format("other {}", all - out), why);
}

// The code that rules out most nodes.
Code common_code(const Explanation& explanation) {
  const auto causes = count_causes(explanation);
  return std::ranges::max_element(causes, {}, [](const auto& cause) { return cause.second; })
      ->first;
}

// What makes the scheduler give up on the whole pod, whatever other nodes have; nullptr: nothing.
const Reason* fatal_reason(const Explanation& explanation) {
  const auto node = std::ranges::find_if(explanation.nodes, &engine::NodeStanding::aborts);
  return node == explanation.nodes.end() ? nullptr : &node->reasons.front();
}

void find_cause(Explanation& explanation) {
  const auto& blockers = explanation.subject.blockers;
  switch (explanation.verdict) {
    case Verdict::Blocked:
      explanation.code = deciding(blockers).code;
      explanation.cause = deciding(blockers).message;
      break;
    case Verdict::DoesNotFit:
      explanation.code = common_code(explanation);
      explanation.cause = common_cause(explanation);
      if (const Reason* fatal = fatal_reason(explanation)) {
        explanation.code = fatal->code;
        explanation.cause =
            base::format("{}, and the scheduler gives up on it at that", fatal->message);
      }
      break;
    case Verdict::Undetermined:
      explanation.code = blockers.empty() ? Code::NotSimulated : blockers.front().code;
      explanation.depends_on = not_computed(explanation.subject);
      explanation.cause = summary_undetermined(explanation);
      break;
    case Verdict::Fits:
    case Verdict::Scheduled:
      break;
  }
}

std::string summarize(const Explanation& explanation) {
  std::string who = subject_words(explanation);
  switch (explanation.verdict) {
    case Verdict::Blocked:
      return sentence(
          base::format("{} is blocked before any node is looked at: {}", who, explanation.cause));
    case Verdict::DoesNotFit:
      return base::format("{} does not fit on {}: {}.", who, nodes_words(explanation.nodes.size()),
                          explanation.cause);
    case Verdict::Scheduled:
      return explanation.subject.pod == nullptr
                 ? base::format("{} is allocated.", who)
                 : base::format("{} is scheduled on node {}.", who,
                                explanation.subject.pod->spec.node_name);
    case Verdict::Undetermined:
      return sentence(base::format("{}: undetermined, {}", who, explanation.cause));
    case Verdict::Fits:
      return base::format("{} fits.", who);
  }
  return who;
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

void conclude(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
              Explanation& explanation) {
  look_at_nodes(snapshot, inventory, explanation);
  explanation.verdict = judge(snapshot, explanation);
  find_cause(explanation);
  explanation.summary = summarize(explanation);
  const bool stands =
      explanation.verdict == Verdict::Blocked || explanation.verdict == Verdict::DoesNotFit;
  if (explanation.scheduler && stands && counts_the_same_nodes(explanation))
    explanation.scheduler->agrees = true;
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

bool Explanation::hypothetical() const {
  return std::ranges::any_of(subject.claims, &engine::SubjectClaim::hypothetical);
}

Explanation explain_pod(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  return explain_pod(snapshot, engine::Inventory(snapshot), pod);
}

Explanation explain_pod(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                        const api::Pod& pod) {
  Explanation explanation;
  explanation.subjects = {{"Pod", std::string(pod.meta.namespace_), std::string(pod.meta.name)}};
  explanation.subject = engine::subject_of_pod(snapshot, pod);
  if (pod.spec.node_name.empty()) {
    explanation.scheduler = word_of_condition(pod);
    if (!explanation.scheduler) explanation.scheduler = word_of_event(snapshot, pod);
  }
  conclude(snapshot, inventory, explanation);
  return explanation;
}

Explanation explain_claims(const snapshot::Snapshot& snapshot, const std::string& ns,
                           const std::vector<std::string>& names) {
  Explanation explanation;
  for (const std::string& name : names)
    explanation.subjects.push_back({"ResourceClaim", ns, name});
  explanation.subject = engine::subject_of_claims(snapshot, ns, names);
  conclude(snapshot, engine::Inventory(snapshot), explanation);
  return explanation;
}

}  // namespace dra::report

// src/answers/explain/explanation.cpp: runs the stages of an explanation in order: the results of
// the nodes, the verdict, failures after scheduling, the cause, the outlook, and advice.

#include "dra/answers/explain/explanation.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "dra/answers/explain/unreleased_holders.h"
#include "dra/api/device_class.h"
#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/claim_controller.h"
#include "dra/engine/cluster/claim_references.h"
#include "dra/engine/cluster/extended_resources.h"
#include "dra/engine/facts/full_name.h"
#include "dra/engine/scheduler/verdict.h"
#include "dra/snapshot/template_pods.h"
#include "src/answers/explain/away/kept_causes.h"
#include "src/answers/explain/cause.h"
#include "src/answers/explain/class_facts.h"
#include "src/answers/explain/estimate.h"
#include "src/answers/explain/gang_decision.h"
#include "src/answers/explain/help.h"
#include "src/answers/explain/holders.h"
#include "src/answers/explain/outlook.h"
#include "src/answers/explain/scheduler_bugs.h"
#include "src/answers/explain/scheduler_word.h"
#include "src/answers/explain/survey.h"

namespace dra::answers {
namespace {

// The subject of an explanation, with the names that the user gave.
struct Asked {
  std::vector<SubjectName> names;
  engine::Subject subject;
};

// The claim that the user named will never be allocated. Known only if pods are visible.
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

// The cause for a pod without claims that asks for extended resources, which no class serves.
// Classes that cannot be read are a blocker, and blockers come first.
std::string words_without_claims(const snapshot::Snapshot& snapshot,
                                 const engine::Subject& subject) {
  if (subject.pod == nullptr || !subject.claims.empty()) return {};
  const auto resources = engine::extended_resources_of(snapshot.server(), *subject.pod);
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

// Adds why to the cause and the headline.
void say_more(Explanation& explanation, const std::string& why) {
  explanation.cause += ": " + why;
  for (std::string* said : {&explanation.headline.predicate, &explanation.headline.answer}) {
    if (said->ends_with('.'))
      *said = base::format("{}: {}.", said->substr(0, said->size() - 1), why);
  }
}

// Adds to the cause the claim that may be meant by the name of a missing one.
void name_similar_claim(const snapshot::Snapshot& snapshot, Explanation& explanation) {
  if (explanation.code != diag::Code::ClaimMissing) return;
  const auto& claims = explanation.subject.claims;
  const auto missing = std::ranges::find_if(claims, [&explanation](const auto& claim) {
    return claim.claim == nullptr && !claim.name.empty() &&
           claim.label() == explanation.blockers.front().claim;
  });
  if (missing == claims.end()) return;
  std::vector<std::string_view> names;
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>()) {
    if (claim.meta.namespace_ == missing->namespace_) names.push_back(claim.meta.name);
  }
  const std::string_view near = base::nearest(missing->name, names);
  if (near.empty()) return;
  const std::string meant = base::format("; did you mean {}?", near);
  explanation.cause += meant;
  for (std::string* said : {&explanation.headline.predicate, &explanation.headline.answer}) {
    if (said->ends_with('.')) *said = said->substr(0, said->size() - 1) + meant;
  }
}

// Adds messages of autoscalers, queues and the scheduler about a pod without a node.
void add_words(const Cluster& cluster, Explanation& explanation) {
  const api::Pod* pod = explanation.subject.pod;
  if (pod == nullptr || !pod->spec.node_name.empty()) return;
  explanation.capacity_words = capacity_words(cluster.snapshot, *pod);
  explanation.scheduler =
      scheduler_word(cluster.snapshot, *pod, explanation.verdict, explanation.nodes);
  explanation.scheduler_bugs = scheduler_bugs(cluster.snapshot, explanation);
  // A scheduler that has spoken runs, or did; what another one than the default says is not why.
  const bool silent = !explanation.scheduler || explanation.verdict == Verdict::Undetermined;
  if (silent)
    explanation.its_scheduler = engine::scheduler_named(cluster.snapshot, pod->spec.scheduler_name);
  const bool waits_for_claim = std::ranges::any_of(
      explanation.blockers,
      [](const diag::Reason& blocker) { return blocker.code == diag::Code::ClaimNotCreated; });
  if (!waits_for_claim) return;
  explanation.controller_manager =
      engine::component_named(cluster.snapshot, engine::kControllerManager);
  if (explanation.controller_manager.down != nullptr)
    say_more(explanation, base::format("{} does not run, {}", engine::kControllerManager,
                                       explanation.controller_manager.trouble));
  if (const api::Pod* runs = explanation.controller_manager.ready) {
    const auto off = engine::claim_controller_off(*runs, cluster.snapshot.server());
    if (!off.why.empty())
      say_more(explanation, base::format("{} {}", engine::kControllerManager, off.why));
  }
}

// Adds to the outlook what the states of the holders say.
void add_holders(const snapshot::Snapshot& snapshot, Explanation& explanation) {
  Outlook& outlook = *explanation.outlook;
  outlook.held_for_good = held_for_good(explanation.holders);
  outlook.held_by_ended = held_by_ended(explanation.holders);
  const UnreleasedHolders unreleased = unreleased_in(snapshot, explanation.nodes);
  if (!unreleased.claims.empty())
    outlook.held_by_ended = engine::full_name(unreleased.claims.front()->meta);
  if (explanation.subject.pod == nullptr) return;
  outlook.deployment = held_by_old_pods(snapshot, *explanation.subject.pod, explanation.holders);
  if (outlook.deployment.empty()) return;
  outlook.when = When::Never;
  outlook.why = WhyNever::HeldByOld;
}

// Without the releases: of a rollout that waits for itself, the old pods would be made again.
void drop_releases(Help& help) {
  auto& advice = help.advice.advice;
  for (std::size_t i = advice.size(); i > 0; --i) {
    const bool releases =
        std::ranges::any_of(advice[i - 1].changes, [](const engine::Change& change) {
          return std::holds_alternative<engine::Release>(change);
        });
    if (!releases) continue;
    advice.erase(advice.begin() + static_cast<std::ptrdiff_t>(i - 1));
    help.advice_facts.erase(help.advice_facts.begin() + static_cast<std::ptrdiff_t>(i - 1));
  }
}

// Without the releases by pods that do not run any more: nothing is to be stopped there.
void drop_idle_releases(const snapshot::Snapshot& snapshot, Help& help) {
  const auto is_idle = [&snapshot](const engine::Change& change) {
    const auto* release = std::get_if<engine::Release>(&change);
    return release != nullptr &&
           std::ranges::any_of(release->pods, [&snapshot](const std::string& name) {
             const auto* pod = engine::find_by_full_name<api::Pod>(snapshot, name);
             return pod == nullptr ? snapshot.coverage().saw(api::Kind::Pod) : pod->finished();
           });
  };
  auto& advice = help.advice.advice;
  for (std::size_t i = advice.size(); i > 0; --i) {
    if (std::ranges::none_of(advice[i - 1].changes, is_idle)) continue;
    advice.erase(advice.begin() + static_cast<std::ptrdiff_t>(i - 1));
    help.advice_facts.erase(help.advice_facts.begin() + static_cast<std::ptrdiff_t>(i - 1));
  }
}

// A pod of the subject's own DaemonSet goes only for another one that needs the same.
bool frees_own_daemon(const std::vector<ChangeFacts>& facts) {
  return std::ranges::any_of(facts, [](const ChangeFacts& one) {
    return one.own_controller == "DaemonSet" && !one.own_pods.empty();
  });
}

// Of pods of a DaemonSet that share a claim, to free one pod or to wait for it helps none.
void drop_own_daemons(Explanation& explanation) {
  if (explanation.code != diag::Code::ClaimElsewhere || explanation.remedy.text.empty()) return;
  Help& help = *explanation.help;
  for (std::size_t i = help.advice.advice.size(); i > 0; --i) {
    if (!frees_own_daemon(help.advice_facts[i - 1])) continue;
    help.advice.advice.erase(help.advice.advice.begin() + static_cast<std::ptrdiff_t>(i - 1));
    help.advice_facts.erase(help.advice_facts.begin() + static_cast<std::ptrdiff_t>(i - 1));
    explanation.outlook.reset();
  }
}

// Adds what the scheduler would delete for a pod, where all that keeps it away is simulated.
void add_preemption(const Cluster& cluster, Explanation& explanation) {
  const api::Pod* pod = explanation.subject.pod;
  if (pod == nullptr || explanation.nodes_assumed || explanation.nodes_chosen) return;
  explanation.preemption =
      engine::preemption_for(cluster.snapshot, cluster.loads, *pod, explanation.nodes);
}

// Adds when enough is known to be free, where waiting may help.
void add_estimate(const Cluster& cluster, Explanation& explanation) {
  const auto& outlook = explanation.outlook;
  const auto& time = explanation.time;
  if (!outlook || outlook->when == When::Never || !time || !explanation.help) return;
  if (!outlook->held_for_good.empty() || !outlook->held_by_ended.empty()) return;
  explanation.estimate =
      estimate_of(cluster, wanted_of(explanation.subjects, explanation.subject), *time);
}

// Whether it fits with the slices that a pool still lacks, as was tried: then waiting may help.
bool is_worth_waiting(const Help& help) {
  return std::ranges::any_of(help.advice.advice, [](const engine::Advice& advice) {
    return std::ranges::any_of(advice.changes, [](const engine::Change& change) {
      return std::holds_alternative<engine::Wait>(change);
    });
  });
}

// Adds outlook and advice for a subject that certainly does not fit.
void add_prospects(const Cluster& cluster, Explanation& explanation, Detail detail) {
  if (explanation.verdict != Verdict::DoesNotFit) return;
  explanation.holders = holders_in(cluster.snapshot, explanation.nodes);
  explanation.holder_pods = holder_pods_in(cluster.snapshot, explanation.nodes);
  explanation.outlook = outlook_of(cluster.snapshot, cluster.inventory, explanation.subject,
                                   explanation.nodes, explanation.after);
  if (explanation.outlook && explanation.outlook->when == When::NotNow)
    add_holders(cluster.snapshot, explanation);
  add_preemption(cluster, explanation);
  const Focus& focus = cluster.focus;
  if (!focus.nodes.empty() || !focus.devices.empty()) return;
  explanation.help = help_of(cluster, wanted_of(explanation.subjects, explanation.subject),
                             explanation.subject, explanation.nodes, detail);
  if (explanation.help) drop_idle_releases(cluster.snapshot, *explanation.help);
  if (explanation.help) drop_own_daemons(explanation);
  if (!explanation.help || !explanation.outlook) return;
  if (explanation.outlook->why == WhyNever::HeldByOld) drop_releases(*explanation.help);
  if (explanation.outlook->when == When::Never && is_worth_waiting(*explanation.help))
    explanation.outlook.reset();
  add_estimate(cluster, explanation);
}

Explanation explain(const Cluster& cluster, Asked asked, Detail detail) {
  const snapshot::Snapshot& snapshot = cluster.snapshot;
  Survey found = survey(cluster, asked.names, asked.subject, detail);
  engine::Decision decision =
      engine::judge(snapshot.coverage(), asked.subject, found.nodes, found.not_simulated.empty());
  std::optional<engine::Gang> gang = decide_gang(cluster, asked.subject, found, decision);
  auto after = engine::after_scheduling(snapshot, cluster.inventory, asked.subject, found.nodes);
  const std::string without_claims = words_without_claims(snapshot, asked.subject);
  const bool unused = is_unused(snapshot, asked.subject);
  std::vector<KeptAway> kept = kept_away_of(cluster, asked.subject, found, decision);
  Conclusion conclusion = conclude({cluster, asked.names, asked.subject, found, decision, after,
                                    without_claims, unused, gang ? &*gang : nullptr, kept});
  mark_stated(found.nodes, conclusion, kept);
  Explanation explanation{.subjects = std::move(asked.names),
                          .demands = std::move(found.demands),
                          .verdict = decision.verdict,
                          .blockers = std::move(decision.blockers),
                          .headline = std::move(conclusion.headline),
                          .cause = std::move(conclusion.cause),
                          .code = conclusion.code,
                          .remedy = std::move(conclusion.remedy),
                          .depends_on = std::move(conclusion.depends_on),
                          .not_simulated = std::move(found.not_simulated),
                          .gang = std::move(gang),
                          .subject = std::move(asked.subject),
                          .nodes = std::move(found.nodes),
                          .nodes_assumed = found.nodes_assumed,
                          .nodes_chosen = found.nodes_chosen,
                          .unused = unused,
                          .groups = std::move(found.groups),
                          .devices = std::move(found.devices),
                          .after = std::move(after),
                          .cause_is_after = conclusion.is_after,
                          .server = snapshot.server(),
                          .time = snapshot.time(),
                          .not_before = snapshot.not_before(),
                          .coverage = snapshot.coverage()};
  explanation.classes = class_facts(snapshot, cluster.inventory, explanation.subject);
  add_words(cluster, explanation);
  if (detail == Detail::Every) name_similar_claim(snapshot, explanation);
  if (detail == Detail::Every) explanation.kept_away = std::move(kept);
  if (detail == Detail::Every) add_prospects(cluster, explanation, detail);
  return explanation;
}

Explanation explain(const Cluster& cluster, const api::Pod& pod, Detail detail) {
  return explain(
      cluster, {{api::subject_of("Pod", pod.meta)}, engine::subject_of_pod(cluster.snapshot, pod)},
      detail);
}

Explanation explain(const Cluster& cluster, const std::string& ns,
                    const std::vector<std::string>& names, Detail detail) {
  Asked asked{.subject = engine::subject_of_claims(cluster.snapshot, ns, names)};
  for (const std::string& name : names)
    asked.names.push_back({"ResourceClaim", ns, name});
  return explain(cluster, std::move(asked), detail);
}

}  // namespace

bool Explanation::fails_after() const {
  if (after.empty()) return false;
  if (verdict == Verdict::Fits) return after.front().finding.code == diag::Code::BindingLate;
  if (verdict != Verdict::Scheduled) return false;
  if (after.front().fails == engine::Fails::End) return true;
  const api::Pod* pod = subject.pod;
  return pod == nullptr || pod->status.phase != "Running" ||
         !api::is_true(pod->status.conditions, "Ready");
}

const DemandFacts* facts_of(std::span<const DemandFacts> all, const api::DeviceDemand& demand) {
  const auto facts = std::ranges::find(all, &demand, &DemandFacts::demand);
  return facts == all.end() ? nullptr : &*facts;
}

const DemandFacts* Explanation::facts_of(const api::DeviceDemand& demand) const {
  return answers::facts_of(demands, demand);
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

void add_advice(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                const engine::NodeLoads& loads, Explanation& explanation) {
  add_prospects({snapshot, inventory, loads, {}}, explanation, Detail::Causes);
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

}  // namespace dra::answers

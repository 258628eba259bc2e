// src/report/explain/plan_drain.cpp: see plan_drain.h.

#include "src/report/explain/plan_drain.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/answers/explain/headline.h"
#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/report/phrases/reason_json.h"
#include "dra/report/phrases/remedy.h"
#include "dra/report/phrases/words.h"
#include "src/report/explain/drain_budgets.h"

namespace dra::report {
namespace {

using answers::DrainedPodFacts;
using answers::DrainFacts;
using answers::PlannedPod;
using answers::PodPlan;
using engine::DrainFate;
using engine::PlanVerdict;
using view::Tone;

constexpr std::size_t kMostNamed = 3;

// The pods that wait because of the drain, by what comes of them.
struct Moves {
  std::vector<const PlannedPod*> all;
  std::vector<const PlannedPod*> open;
  std::vector<const PlannedPod*> stuck;

  std::size_t fit() const { return all.size() - open.size() - stuck.size(); }
};

Moves moves_of(const PodPlan& plan) {
  Moves moves;
  for (const PlannedPod& pod : plan.pods) {
    if (!pod.drained) continue;
    moves.all.push_back(&pod);
    switch (pod.step.verdict) {
      case PlanVerdict::Fits:
        break;
      case PlanVerdict::DoesNotFit:
      case PlanVerdict::Blocked:
        moves.stuck.push_back(&pod);
        break;
      case PlanVerdict::Depends:
      case PlanVerdict::Undetermined:
        moves.open.push_back(&pod);
        break;
    }
  }
  return moves;
}

// "train-0, train-1 and 4 more"; with their namespaces, where the pods of the drain have several.
std::string moved_names(const std::vector<const PlannedPod*>& pods, const Moves& moves) {
  const auto ns_of = [](const PlannedPod* pod) { return pod->step.pod->meta.namespace_; };
  const bool one_namespace = std::ranges::all_of(
      moves.all, [&](const PlannedPod* pod) { return ns_of(pod) == ns_of(moves.all.front()); });
  std::vector<std::string> names;
  for (const PlannedPod* pod : pods) {
    if (names.size() == kMostNamed) break;
    const api::ObjectMeta& meta = pod->step.pod->meta;
    names.push_back(one_namespace ? std::string(meta.name)
                                  : base::format("{}/{}", meta.namespace_, meta.name));
  }
  if (pods.size() > names.size())
    return base::format("{} and {} more", base::join(names, ", "), pods.size() - names.size());
  if (names.size() == 1) return names.front();
  const std::string last = std::move(names.back());
  names.pop_back();
  return base::format("{} and {}", base::join(names, ", "), last);
}

// ": no node has 8 GPUs", where all have this cause.
std::string common_cause(const std::vector<const PlannedPod*>& pods) {
  const std::string& first = pods.front()->cause;
  const bool common =
      std::ranges::all_of(pods, [&first](const PlannedPod* pod) { return pod->cause == first; });
  return common && !first.empty() ? ": " + first : std::string();
}

std::string words_for_one(const Moves& moves) {
  const std::string name = moved_names(moves.all, moves);
  if (!moves.stuck.empty())
    return base::format("pod {} does not fit elsewhere{}", name, common_cause(moves.stuck));
  if (!moves.open.empty())
    return base::format("pod {} may fit elsewhere{}", name, common_cause(moves.open));
  return base::format("pod {} fits elsewhere", name);
}

std::string words_for_moves(const Moves& moves) {
  if (moves.all.empty()) return "no pod has to go elsewhere";
  if (moves.all.size() == 1) return words_for_one(moves);
  if (moves.fit() == moves.all.size())
    return base::format("all {} pods fit elsewhere", moves.all.size());
  if (moves.stuck.size() == moves.all.size())
    return base::format("none of {} pods fits elsewhere{}", moves.all.size(),
                        common_cause(moves.stuck));
  std::string text = base::format("{} of {} pods {} elsewhere", moves.fit(), moves.all.size(),
                                  moves.fit() == 1 ? "fits" : "fit");
  if (!moves.open.empty()) text += base::format("; {} may", moved_names(moves.open, moves));
  if (!moves.stuck.empty())
    text += base::format("; {} {} not{}", moved_names(moves.stuck, moves),
                         moves.stuck.size() == 1 ? "does" : "do", common_cause(moves.stuck));
  return text;
}

std::string short_devices(const DrainedPodFacts& pod) {
  std::vector<std::string_view> names;
  names.reserve(pod.loses.size());
  for (const engine::DeviceId& device : pod.loses)
    names.push_back(device.device);
  return names.empty() ? std::string() : fold_names(names);
}

// Without --force: what no controller makes again would be lost. Empty: it would fail.
std::string drain_command(const PodPlan& plan) {
  if (std::ranges::any_of(plan.drain.pods, &DrainedPodFacts::never_evicted)) return {};
  diag::CommandLine command = diag::kubectl("drain");
  for (const std::string& node : plan.drain.nodes)
    command.name(node);
  command.words("--ignore-daemonsets");
  if (std::ranges::any_of(plan.drain.pods, &DrainedPodFacts::loses_data))
    command.words("--delete-emptydir-data");
  return command.text();
}

// Whether the question about the pod, with the nodes gone, is another one: a pod that stays on them
// would be gone, too.
bool depends_on_staying(const PodPlan& plan, const PlannedPod& pod) {
  return pod.drained && plan.drain.pods[*pod.drained].shares_staying;
}

// One node more like this than are supposed already.
std::string more_like(const PodPlan& plan, const std::string& node) {
  std::int64_t count = 1;
  for (const engine::Change& change : plan.what_if) {
    const auto* add = std::get_if<engine::AddNode>(&change);
    if (add != nullptr && add->like == node) count += add->count;
  }
  return count == 1 ? node : base::format("{}={}", node, count);
}

// What follows, and the words before it. If all pods fit, the drain can be carried out. Else the
// question is why one does not; or, if only others are before it, what one more node for each would
// change.
struct NextCommand {
  std::string_view words;
  std::string command;
};
NextCommand next_command(const PodPlan& plan, const Moves& moves, const PlanViewOptions& options) {
  if (moves.fit() == moves.all.size())
    return {needs_other_budget(plan.drain) ? "Then: " : "To drain: ", drain_command(plan)};
  const auto& left = moves.stuck.empty() ? moves.open : moves.stuck;
  const auto alone =
      std::ranges::find_if(left, [](const PlannedPod* pod) { return !pod->step.fits_alone; });
  diag::CommandLine command(options.program);
  std::string_view words = "Why: ";
  if (alone == left.end()) {
    words = "With one more node: ";
    command.words("plan");
    for (const std::string& node : plan.drain.nodes)
      command.option("--drain", node).option("--add-node-like", more_like(plan, node));
  } else {
    // Of a pod without claims an explanation says only that.
    if ((*alone)->step.pod->spec.claims.empty() || depends_on_staying(plan, **alone)) return {};
    const api::ObjectMeta& meta = (*alone)->step.pod->meta;
    command.words("explain pod").name(meta.name).in(meta.namespace_).words("--as-if-pending");
    for (const std::string& node : plan.drain.nodes)
      command.option("--remove-node", node);
  }
  for (const engine::Change& change : plan.what_if) {
    if (const auto* join = std::get_if<engine::JoinNodes>(&change))
      command.option("--add-nodes", join->file);
  }
  return {words, command.flags(options.flags).text()};
}

std::string bare_words(const DrainedPodFacts& pod) {
  const std::string devices = short_devices(pod);
  return base::format(
      "Pod {}/{} has no controller and does not come back{}: the drain stops at it, and --force "
      "deletes it for good.",
      pod.namespace_, pod.name,
      devices.empty() ? std::string() : base::format("; it has {}", devices));
}

std::string words_for_job(const DrainedPodFacts& pod) {
  return base::format(
      "Pod {}/{} counts as failed once it is evicted, and with it fails {}: it does not come back.",
      pod.namespace_, pod.name, pod.ends_job);
}

// "The data of emptyDir volumes of pods web/a and web/b is lost."
std::string data_words(const PodPlan& plan) {
  std::vector<std::string> names;
  for (const DrainedPodFacts& pod : plan.drain.pods) {
    if (pod.loses_data) names.push_back(base::format("{}/{}", pod.namespace_, pod.name));
  }
  if (names.empty()) return {};
  return base::format(
      "The data of emptyDir volumes of {} {} is lost; without --delete-emptydir-data the drain "
      "stops.",
      names.size() == 1 ? "pod" : "pods", base::join_first(names, kMostNamed));
}

// "; pods web/debug and web/tool do not come back".
std::string lost_words(const PodPlan& plan) {
  std::vector<std::string> lost;
  for (const DrainedPodFacts& pod : plan.drain.pods) {
    if (pod.fate == DrainFate::NotRecreated || pod.fate == DrainFate::EndsJob)
      lost.push_back(base::format("{}/{}", pod.namespace_, pod.name));
  }
  if (lost.empty()) return {};
  return base::format("; {} {} {} not come back", lost.size() == 1 ? "pod" : "pods",
                      base::join_first(lost, kMostNamed), lost.size() == 1 ? "does" : "do");
}

// "; the drain fails at pod data/ledger-0".
std::string failure_words(const PodPlan& plan) {
  std::vector<std::string> at;
  for (const DrainedPodFacts& pod : plan.drain.pods) {
    if (pod.never_evicted) at.push_back(base::format("{}/{}", pod.namespace_, pod.name));
  }
  if (at.empty()) return {};
  return base::format("; the drain fails at {} {}", at.size() == 1 ? "pod" : "pods",
                      base::join_first(at, kMostNamed));
}

}  // namespace

std::string drain_headline(const PodPlan& plan) {
  return base::format("Drain of {}: {}{}{}{}.", base::join_first(plan.drain.nodes, kMostNamed),
                      words_for_moves(moves_of(plan)), lost_words(plan), failure_words(plan),
                      budgets_headline(plan.drain));
}

Tone drain_tone(const PodPlan& plan) {
  const Moves moves = moves_of(plan);
  if (!moves.stuck.empty()) return Tone::Bad;
  const bool good = moves.open.empty() && lost_words(plan).empty() && failure_words(plan).empty() &&
                    budgets_headline(plan.drain).empty();
  return good ? Tone::Good : Tone::Warn;
}

void add_drain_notes(view::Document& document, const PodPlan& plan,
                     const PlanViewOptions& options) {
  std::vector<std::string> notes;
  if (std::string data = data_words(plan); !data.empty()) notes.push_back(std::move(data));
  for (const DrainedPodFacts& pod : plan.drain.pods) {
    if (pod.fate == DrainFate::NotRecreated) notes.push_back(bare_words(pod));
    if (pod.fate == DrainFate::EndsJob) notes.push_back(words_for_job(pod));
  }
  for (const DrainedPodFacts& pod : plan.drain.pods) {
    if (pod.never_evicted) notes.push_back(answers::capitalized(pod.budgets) + ".");
  }
  if (plan.drain.budgets_unread)
    notes.emplace_back(
        "PodDisruptionBudgets cannot be read, so it is not known whether one delays the drain.");
  const std::size_t shown = options.wide ? notes.size() : std::min(notes.size(), kMostNamed);
  for (std::size_t i = 0; i < shown; ++i)
    document.add(view::Paragraph{.spans = {span(notes[i], Tone::Warn)}, .indent = 2});
  if (shown < notes.size())
    document.add(view::Paragraph{
        .spans = {span(base::format("and {} more: -o wide", notes.size() - shown), Tone::Dim)},
        .indent = 2});
  add_budget_notes(document, plan.drain, options.wide);
}

bool may_stop(const PodPlan& plan) {
  return std::ranges::any_of(plan.drain.pods, [](const DrainedPodFacts& pod) {
    return pod.never_evicted || !pod.budgets.empty() || pod.fate == DrainFate::NotRecreated;
  });
}

void add_drain_command(view::Document& document, const PodPlan& plan,
                       const PlanViewOptions& options) {
  NextCommand next = next_command(plan, moves_of(plan), options);
  if (!next.command.empty()) add_command(document, next.words, std::move(next.command));
}

std::string left_behind(const PodPlan& plan, const PlannedPod& pod) {
  if (!pod.drained) return std::string(kNone);
  const DrainedPodFacts& drained = plan.drain.pods[*pod.drained];
  const std::string devices = short_devices(drained);
  return devices.empty() ? drained.node : base::format("{} {}", drained.node, devices);
}

json::Value drain_json(const DrainFacts& drain) {
  json::Value pods = json::Value::array();
  for (const DrainedPodFacts& pod : drain.pods) {
    json::Value one = json::Value::object();
    one.set("pod", base::format("{}/{}", pod.namespace_, pod.name));
    one.set("node", pod.node);
    one.set("fate", name_of(pod.fate));
    json::Value loses = json::Value::array();
    for (const engine::DeviceId& device : pod.loses)
      loses.push(engine::to_string(device));
    one.set("loses", std::move(loses));
    if (!pod.budgets.empty()) one.set("protection", pod.budgets);
    if (pod.loses_data) one.set("losesData", true);
    pods.push(std::move(one));
  }
  json::Value out = json::Value::object();
  out.set("nodes", strings_json(drain.nodes));
  out.set("pods", std::move(pods));
  if (json::Value budgets = budgets_json(drain); !budgets.items().empty())
    out.set("budgets", std::move(budgets));
  if (drain.budgets_unread) out.set("protectionUnread", true);
  return out;
}

}  // namespace dra::report

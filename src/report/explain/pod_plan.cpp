// src/report/explain/pod_plan.cpp: a row for each pod, below what comes of all of them.

#include "dra/report/explain/pod_plan.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "dra/api/pod.h"
#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/diag/subject_words.h"
#include "dra/report/phrases/advice_words.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/reason_json.h"
#include "dra/report/phrases/subject_json.h"
#include "dra/report/phrases/words.h"
#include "src/report/explain/more_nodes.h"
#include "src/report/explain/plan_drain.h"

namespace dra::report {
namespace {

using answers::PlannedPod;
using answers::PodPlan;
using engine::PlanVerdict;
using view::Tone;

constexpr std::size_t kNodesInJson = 100;  // that are named of each pod
constexpr std::size_t kNodesOnScreen = 3;

constexpr std::string_view kAssumed =
    "Assumed: each pod is tried once, the highest priority first, then the one that waits longest; "
    "nothing else changes. Where several nodes fit, the verdict on other pods holds for each of "
    "them.";
constexpr std::string_view kAssumedOfDrain =
    " Pods that controllers re-create wait behind the others of the same priority.";
constexpr std::string_view kAssumedOfStops =
    " Pods that stop the drain are taken to end; those that controllers re-create wait behind the "
    "others of the same priority.";

// What comes of pods that wait, without those that a drain ends.
struct Outcomes {
  std::size_t all = 0;
  std::size_t placed = 0;
  std::size_t open = 0;
};

Outcomes outcomes_of(const PodPlan& plan) {
  Outcomes outcomes;
  for (const PlannedPod& pod : plan.pods) {
    const PlanVerdict verdict = pod.step.verdict;
    if (pod.drained) continue;
    ++outcomes.all;
    if (verdict == PlanVerdict::Fits) ++outcomes.placed;
    if (verdict == PlanVerdict::Depends || verdict == PlanVerdict::Undetermined) ++outcomes.open;
  }
  return outcomes;
}

// "5 pods wait: 2 get a node, 1 may get one, 2 get none." Only what there is.
std::string outcome_words(const Outcomes& outcomes, std::string_view where) {
  const auto [all, placed, open] = outcomes;
  if (all == 1)
    return base::format("1 pod{} waits; it {}.", where,
                        placed > 0 ? "gets a node"
                        : open > 0 ? "may get a node"
                                   : "gets no node");
  const std::size_t none = all - placed - open;
  std::vector<std::string> parts;
  if (placed > 0)
    parts.push_back(base::format("{} {} a node", placed, placed == 1 ? "gets" : "get"));
  if (open > 0) parts.push_back(base::format("{} may get one", open));
  if (none > 0)
    parts.push_back(base::format("{} {} {}", none, none == 1 ? "gets" : "get",
                                 parts.empty() ? "no node" : "none"));
  return base::format("{} pods{} wait: {}.", all, where, base::join(parts, ", "));
}

std::string plan_headline(const PodPlan& plan) {
  const std::string where =
      plan.namespace_.empty() ? "" : base::format(" in namespace {}", plan.namespace_);
  if (const std::string unknown = plan.unknown(); !unknown.empty())
    return plan.drain.nodes.empty()
               ? base::format("Whether pods wait for a node{} is unknown: {}.", where, unknown)
               : base::format("What pods the drain evicts is unknown: {}.", unknown);
  if (!plan.drain.nodes.empty()) return drain_headline(plan);
  if (plan.pods.empty())
    return base::format("No pod waits for a node{}{}.", where,
                        plan.elsewhere == 0 ? ""
                                            : base::format("; {} {} in others: -A", plan.elsewhere,
                                                           plan.elsewhere == 1 ? "does" : "do"));
  return outcome_words(outcomes_of(plan), where);
}

Tone tone_of_plan(const PodPlan& plan) {
  if (!plan.unknown().empty()) return Tone::Warn;
  if (!plan.drain.nodes.empty()) return drain_tone(plan);
  if (plan.count(PlanVerdict::Fits) == plan.pods.size()) return Tone::Good;
  const bool none = plan.count(PlanVerdict::DoesNotFit) + plan.count(PlanVerdict::Blocked) > 0;
  return none ? Tone::Bad : Tone::Warn;
}

view::Cell result_cell(PlanVerdict verdict) {
  switch (verdict) {
    case PlanVerdict::Fits:
      return cell(view::kYes, Tone::Good);
    case PlanVerdict::DoesNotFit:
    case PlanVerdict::Blocked:
      return cell(view::kNo, Tone::Bad);
    case PlanVerdict::Depends:
    case PlanVerdict::Undetermined:
      break;
  }
  return cell("?", Tone::Warn);
}

// "n1", "one of n1, n2", "one of 40: n1, n2, n3, ...".
std::string nodes_words(const engine::PlanStep& step, bool wide) {
  const auto& nodes = step.nodes;
  if (nodes.empty()) return std::string(kNone);
  if (nodes.size() == 1) return std::string(nodes.front());
  const std::size_t shown = wide ? nodes.size() : std::min(nodes.size(), kNodesOnScreen);
  const std::vector<std::string> names(nodes.begin(),
                                       nodes.begin() + static_cast<std::ptrdiff_t>(shown));
  const std::string list = base::join(names, ", ");
  return shown == nodes.size() ? base::format("one of {}", list)
                               : base::format("one of {}: {}, ...", nodes.size(), list);
}

std::string planned_devices(const engine::PlanStep& step) {
  std::vector<std::string_view> names;
  for (const engine::PlannedDevice& device : step.devices)
    names.push_back(std::string_view(device.device).substr(device.device.rfind('/') + 1));
  return names.empty() ? std::string() : fold_names(names);
}

json::Value planned_pod_json(const PodPlan& plan, const PlannedPod& pod) {
  const engine::PlanStep& step = pod.step;
  json::Value out = json::Value::object();
  out.set("place", pod.place);
  out.set("subject", subject_json(subject_of("Pod", step.pod->meta)));
  if (pod.drained) out.set("drainedFrom", plan.drain.pods[*pod.drained].node);
  out.set("priority", step.pod->spec.priority);
  out.set("verdict", name_of(step.verdict));
  out.set("nodeCount", step.nodes.size());
  json::Value nodes = json::Value::array();
  for (std::size_t i = 0; i < std::min(step.nodes.size(), kNodesInJson); ++i)
    nodes.push(step.nodes[i]);
  out.set("nodes", std::move(nodes));
  if (!step.devices.empty()) {
    json::Value devices = json::Value::array();
    for (const engine::PlannedDevice& device : step.devices) {
      json::Value one = json::Value::object();
      one.set("claim", device.claim);
      one.set("request", device.request);
      one.set("device", device.device);
      devices.push(std::move(one));
    }
    out.set("devices", std::move(devices));
  }
  if (!pod.cause.empty()) out.set("cause", pod.cause);
  if (!step.before.empty()) {
    out.set("fitsAlone", step.fits_alone);
    out.set("before", pods_json(step.before));
    out.set("beforeCount", step.all_before);
  }
  return out;
}

std::vector<view::Cell> plan_row(const PodPlan& plan, const PlannedPod& pod, bool wide) {
  const api::ObjectMeta& meta = pod.step.pod->meta;
  std::vector<view::Cell> row = {
      result_cell(pod.step.verdict), cell(static_cast<std::int64_t>(pod.place)),
      cell(plan.namespace_ != meta.namespace_ ? base::format("{}/{}", meta.namespace_, meta.name)
                                              : std::string(meta.name)),
      cell(pod.step.pod->spec.priority)};
  if (!plan.drain.nodes.empty()) row.push_back(cell(left_behind(plan, pod)));
  row.push_back(cell(nodes_words(pod.step, wide)));
  row.push_back(cell(planned_devices(pod.step)));
  row.push_back(cell(pod.cause));
  return row;
}

view::Table plan_table(const PodPlan& plan, bool wide) {
  view::Table table{.columns = {{.title = ""},
                                {.title = "#"},
                                {.title = "POD", .elastic = true},
                                {.title = "PRIORITY", .spare = true}},
                    .rows = {},
                    .indent = 2,
                    .fits_width = true};
  if (!plan.drain.nodes.empty()) table.columns.push_back({.title = "FROM", .elastic = true});
  table.columns.push_back({.title = "NODE", .elastic = true});
  table.columns.push_back({.title = "DEVICES", .elastic = true});
  table.columns.push_back({.title = "WHY NOT", .prose = true});
  for (const PlannedPod& pod : plan.pods)
    table.rows.push_back(plan_row(plan, pod, wide));
  return table;
}

// A drain is the first line's; what else is supposed stands before it.
void add_supposed(view::Document& document, const PodPlan& plan) {
  std::vector<std::string> changes;
  for (std::size_t i = 0; i < plan.what_if.size(); ++i) {
    if (std::holds_alternative<engine::Drain>(plan.what_if[i])) continue;
    changes.push_back(change_words(plan.what_if[i], plan.what_if_facts[i]));
  }
  if (changes.empty()) return;
  document.add(
      view::Paragraph{.spans = {span("If " + base::join(changes, ", and ") + ":", Tone::Strong)}});
}

void add_drain(view::Document& document, const PodPlan& plan, const PlanViewOptions& options) {
  if (plan.drain.nodes.empty()) return;
  add_drain_notes(document, plan, options);
  add_drain_command(document, plan, options);
  const Outcomes others = outcomes_of(plan);
  if (others.all == 0) return;
  document.add(view::Paragraph{.spans = {span("Not of this drain: " + outcome_words(others, ""))},
                               .indent = 2});
}

}  // namespace

json::Value to_json(const PodPlan& plan) {
  json::Value out = report_object("Plan");
  if (!plan.what_if.empty()) {
    json::Value changes = json::Value::array();
    for (const engine::Change& change : plan.what_if)
      changes.push(change_json(change));
    out.set("whatIf", std::move(changes));
  }
  out.set("summary", plan_headline(plan));
  if (!plan.drain.nodes.empty()) out.set("drain", drain_json(plan.drain));
  if (plan.elsewhere > 0) out.set("waitingElsewhere", plan.elsewhere);
  json::Value items = json::Value::array();
  for (const PlannedPod& pod : plan.pods)
    items.push(planned_pod_json(plan, pod));
  out.set("items", std::move(items));
  add_more_nodes(out, plan);
  add_coverage(out, plan.state.coverage());
  return out;
}

view::Document to_view(const PodPlan& plan, const PlanViewOptions& options) {
  view::Document document;
  add_supposed(document, plan);
  document.add(view::Paragraph{.spans = {span(plan_headline(plan), tone_of_plan(plan))}});
  add_drain(document, plan, options);
  if (plan.pods.empty()) return document;
  document.add(view::Blank{});
  const std::size_t rows = document.begin_fold(
      {.more = {.one = "and 1 more pod: -o wide", .several = "and {} more pods: -o wide"},
       .none = {.one = "1 pod: -o wide", .several = "{} pods: -o wide"}});
  std::vector<view::RowPart> parts(plan.pods.size(), view::RowPart{.rank = 1});
  document.add_rows(rows, plan_table(plan, options.wide), parts);
  add_more_nodes(document, plan, options.wide);
  document.add(view::Blank{});
  std::string assumed(kAssumed);
  if (!plan.drain.nodes.empty()) assumed += may_stop(plan) ? kAssumedOfStops : kAssumedOfDrain;
  document.add(
      view::Paragraph{.spans = {span(std::move(assumed), Tone::Dim)}, .indent = 2, .hang = 0});
  return document;
}

}  // namespace dra::report

// src/report/explain/pod_plan.cpp: a row for each pod, below what comes of all of them.

#include "dra/report/explain/pod_plan.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "dra/api/pod.h"
#include "dra/api/subject.h"
#include "dra/base/text.h"
#include "dra/diag/subject_words.h"
#include "dra/report/phrases/advice_words.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/reason_json.h"
#include "dra/report/phrases/subject_json.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using answers::PlannedPod;
using answers::PodPlan;
using engine::PlanVerdict;
using view::Tone;

constexpr std::size_t kNodesInJson = 100;  // that are named of each pod
constexpr std::size_t kNodesOnScreen = 3;

constexpr std::string_view kAssumed =
    "Assumed: each pod is tried once, by priority, then by the time since which it waits, and "
    "nothing else changes. Where several nodes fit, the scheduler's scores choose one, and other "
    "pods are judged for every such choice.";

// "5 pods wait: 2 get a node, 1 may get one, 2 get none." Only what there is.
std::string plan_headline(const PodPlan& plan) {
  const std::string where =
      plan.namespace_.empty() ? "" : base::format(" in namespace {}", plan.namespace_);
  if (plan.pods.empty())
    return base::format("No pod waits for a node{}{}.", where,
                        plan.elsewhere == 0 ? ""
                                            : base::format("; {} {} in others: -A", plan.elsewhere,
                                                           plan.elsewhere == 1 ? "does" : "do"));
  const std::size_t placed = plan.count(PlanVerdict::Fits);
  const std::size_t open = plan.count(PlanVerdict::Depends) + plan.count(PlanVerdict::Undetermined);
  const std::size_t none = plan.pods.size() - placed - open;
  std::vector<std::string> parts;
  if (placed > 0)
    parts.push_back(base::format("{} {} a node", placed, placed == 1 ? "gets" : "get"));
  if (open > 0) parts.push_back(base::format("{} may get one", open));
  if (none > 0)
    parts.push_back(base::format("{} {} {}", none, none == 1 ? "gets" : "get",
                                 parts.empty() ? "no node" : "none"));
  return base::format("{}{} {}: {}.", base::plural(std::ssize(plan.pods), "pod"), where,
                      plan.pods.size() == 1 ? "waits" : "wait", base::join(parts, ", "));
}

Tone tone_of_plan(const PodPlan& plan) {
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

json::Value planned_pod_json(const PlannedPod& pod) {
  const engine::PlanStep& step = pod.step;
  json::Value out = json::Value::object();
  out.set("place", pod.place);
  out.set("subject", subject_json(subject_of("Pod", step.pod->meta)));
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

view::Table plan_table(const PodPlan& plan, bool wide) {
  view::Table table{.columns = {{.title = ""},
                                {.title = "#"},
                                {.title = "POD", .elastic = true},
                                {.title = "PRIORITY", .spare = true},
                                {.title = "NODE", .elastic = true},
                                {.title = "DEVICES", .elastic = true},
                                {.title = "WHY NOT", .prose = true}},
                    .rows = {},
                    .indent = 2,
                    .fits_width = true};
  for (const PlannedPod& pod : plan.pods) {
    const api::ObjectMeta& meta = pod.step.pod->meta;
    table.rows.push_back(
        {result_cell(pod.step.verdict), cell(static_cast<std::int64_t>(pod.place)),
         cell(plan.namespace_.empty() ? base::format("{}/{}", meta.namespace_, meta.name)
                                      : std::string(meta.name)),
         cell(pod.step.pod->spec.priority), cell(nodes_words(pod.step, wide)),
         cell(planned_devices(pod.step)), cell(pod.cause)});
  }
  return table;
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
  if (plan.elsewhere > 0) out.set("waitingElsewhere", plan.elsewhere);
  json::Value items = json::Value::array();
  for (const PlannedPod& pod : plan.pods)
    items.push(planned_pod_json(pod));
  out.set("items", std::move(items));
  add_coverage(out, plan.state.coverage());
  return out;
}

view::Document to_view(const PodPlan& plan, bool wide) {
  view::Document document;
  if (!plan.what_if.empty()) {
    std::vector<std::string> changes;
    for (std::size_t i = 0; i < plan.what_if.size(); ++i)
      changes.push_back(change_words(plan.what_if[i], plan.what_if_facts[i]));
    document.add(view::Paragraph{
        .spans = {span("If " + base::join(changes, ", and ") + ":", Tone::Strong)}});
  }
  document.add(view::Paragraph{.spans = {span(plan_headline(plan), tone_of_plan(plan))}});
  if (plan.pods.empty()) return document;
  document.add(view::Blank{});
  const std::size_t rows = document.begin_fold(
      {.more = {.one = "and 1 more pod: -o wide", .several = "and {} more pods: -o wide"}});
  std::vector<view::RowPart> parts(plan.pods.size(), view::RowPart{.rank = 1});
  document.add_rows(rows, plan_table(plan, wide), parts);
  document.add(view::Blank{});
  document.add(
      view::Paragraph{.spans = {span(std::string(kAssumed), Tone::Dim)}, .indent = 2, .hang = 0});
  return document;
}

}  // namespace dra::report

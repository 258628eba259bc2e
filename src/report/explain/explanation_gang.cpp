// src/report/explain/explanation_gang.cpp: see explanation_gang.h.

#include "src/report/explain/explanation_gang.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/api/pod.h"
#include "dra/base/text.h"

namespace dra::report {
namespace {

constexpr std::size_t kGangNodesInJson = 100;  // that are named of each pod
constexpr std::size_t kGangPodsShown = 4;
constexpr std::size_t kGangNodesShown = 2;

json::Value gang_pod_json(const engine::PlanStep& step) {
  json::Value out = json::Value::object();
  out.set("name", step.pod->meta.name);
  out.set("verdict", engine::name_of(step.verdict));
  json::Value nodes = json::Value::array();
  for (std::size_t i = 0; i < std::min(step.nodes.size(), kGangNodesInJson); ++i)
    nodes.push(step.nodes[i]);
  out.set("nodes", std::move(nodes));
  out.set("nodeCount", step.nodes.size());
  return out;
}

// "on n1", "each on one of n1, n2", "on one of 40 nodes", "on none"; "perhaps" of what is open.
std::string gang_place(const engine::PlanStep& step, bool wide) {
  switch (step.verdict) {
    case engine::PlanVerdict::Fits:
      break;
    case engine::PlanVerdict::Blocked:
    case engine::PlanVerdict::DoesNotFit:
      return "on none";
    case engine::PlanVerdict::Depends:
    case engine::PlanVerdict::Undetermined:
      return "perhaps";
  }
  if (step.nodes.size() == 1) return base::format("on {}", step.nodes.front());
  if (!wide && step.nodes.size() > kGangNodesShown)
    return base::format("on one of {} nodes", step.nodes.size());
  return "on one of " +
         base::join(std::vector<std::string>(step.nodes.begin(), step.nodes.end()), ", ");
}

}  // namespace

json::Value gang_json(const engine::Gang& gang) {
  json::Value out = json::Value::object();
  out.set("name", gang.name);
  out.set("minCount", gang.min_count);
  out.set("verdict", engine::name_of(gang.verdict));
  out.set("withNode", gang.with_node);
  out.set("placed", gang.placed);
  json::Value pods = json::Value::array();
  for (const engine::PlanStep& step : gang.plan->steps)
    pods.push(gang_pod_json(step));
  out.set("pods", std::move(pods));
  return out;
}

std::string gang_words(const engine::Gang& gang, bool wide) {
  std::vector<std::string> parts;
  if (gang.with_node > 0)
    parts.push_back(
        base::format("{} {} a node", gang.with_node, gang.with_node == 1 ? "has" : "have"));
  const auto& steps = gang.plan->steps;
  for (std::size_t i = 0; i < steps.size();) {
    const std::string place = gang_place(steps[i], wide);
    std::vector<std::string> names;
    for (; i < steps.size() && gang_place(steps[i], wide) == place; ++i)
      names.emplace_back(steps[i].pod->meta.name);
    const bool differ = names.size() > 1 && place.starts_with("on one of ");
    parts.push_back(base::format("{} {}{}",
                                 base::join_first(names, wide ? names.size() : kGangPodsShown),
                                 differ ? "each " : "", place));
  }
  return base::format("needs {}: {}", base::plural(gang.min_count, "pod"), base::join(parts, "; "));
}

}  // namespace dra::report

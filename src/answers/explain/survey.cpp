// src/answers/explain/survey.cpp: evaluates each node for the subject, lets the PostFilter
// deallocate claims, groups equal nodes, and adds evidence in a full explanation.

#include "src/answers/explain/survey.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "dra/answers/explain/alternatives.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/whatif/post_filter.h"
#include "src/answers/explain/help.h"
#include "src/answers/explain/selector_evidence.h"

namespace dra::answers {
namespace {

using diag::Code;
using diag::Reason;

// Nodes with equal keys differ only in names of devices and holders, so they are presented as one.
std::string group_key(const engine::NodeResult& node) {
  std::string key = node.fits() ? "fits" : node.does_not_fit() ? "no" : "open";
  for (const engine::DriverCounts& driver : node.drivers) {
    key += base::format("|{} {} {} {} {} {} {}", driver.driver, driver.published, driver.in_use,
                        driver.blocked, driver.tainted, driver.unusable, driver.free);
  }
  for (const engine::DemandResult& demand : node.demands) {
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

std::vector<std::vector<std::size_t>> group(const std::vector<engine::NodeResult>& nodes) {
  std::map<std::string, std::size_t> index;
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto [found, added] = index.emplace(group_key(nodes[i]), groups.size());
    if (added) groups.emplace_back();
    groups[found->second].push_back(i);
  }
  return groups;
}

// Finds the demand of a reason by the claim and request that the reason names.
class EvidenceAdder {
 public:
  EvidenceAdder(const engine::Demands& demands, const engine::Inventory& inventory,
                const engine::Subject& subject)
      : evidence_(demands, inventory), asked_(subject) {}

  void add_to(engine::NodeResult& node) {
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

// Binding fails on some nodes, and the scheduler binds the pod only on the node that it prefers.
bool depends_on_preference(const std::vector<engine::NodeResult>& nodes) {
  const auto fails = [](const engine::NodeResult& node) {
    return node.aborts_pod() && node.reasons.front().code == Code::ExtendedClaimEmpty;
  };
  return std::ranges::any_of(nodes, fails) &&
         std::ranges::any_of(nodes, &engine::NodeResult::is_feasible);
}

// Evaluates the nodes, and the devices that the user asked about, one node after the other.
class NodesLookedAt {
 public:
  NodesLookedAt(const Cluster& cluster, const engine::Subject& subject,
                const engine::NodeContext& context, engine::Depth depth)
      : focus_(cluster.focus), evaluator_(cluster.snapshot, context, subject, depth) {
    for (const engine::DeviceId& device : focus_.devices)
      devices_.push_back({engine::to_string(device)});
  }

  void add(const api::Node& node) {
    const auto& only = focus_.nodes;
    if (!only.empty() && std::ranges::find(only, node.meta.name) == only.end()) return;
    nodes_.push_back(evaluator_.evaluate(node));
    for (std::size_t i = 0; i < devices_.size(); ++i)
      add_device(node, focus_.devices[i], devices_[i]);
  }

  std::vector<engine::NodeResult> take_nodes() { return std::move(nodes_); }
  std::vector<DeviceAnswer> take_devices() { return std::move(devices_); }

 private:
  void add_device(const api::Node& node, const engine::DeviceId& device, DeviceAnswer& answer) {
    auto verdicts = evaluator_.verdicts(node, nodes_.back(), device);
    if (!verdicts && focus_.nodes.empty()) return;
    answer.nodes.push_back({nodes_.size() - 1, std::move(verdicts)});
  }

  const Focus& focus_;
  engine::NodeEvaluator evaluator_;
  std::vector<engine::NodeResult> nodes_;
  std::vector<DeviceAnswer> devices_;
};

void add_evidence(EvidenceAdder adder, Survey& survey) {
  for (engine::NodeResult& node : survey.nodes)
    adder.add_to(node);
  for (DeviceAnswer& device : survey.devices) {
    for (DeviceOnNode& on_node : device.nodes) {
      if (!on_node.requests) continue;
      for (engine::DeviceVerdict& verdict : *on_node.requests)
        adder.add_to(verdict);
    }
  }
}

void add_alternatives(const engine::Subject& subject, std::vector<engine::NodeResult>& nodes) {
  for (engine::NodeResult& node : nodes)
    std::ranges::move(alternatives_against(subject, node), std::back_inserter(node.reasons));
}

}  // namespace

Survey survey(const Cluster& cluster, const std::vector<SubjectName>& subjects,
              const engine::Subject& subject, Detail detail) {
  if (subject.claims.empty()) return {};
  const auto& [snapshot, inventory, loads, focus] = cluster;
  const engine::Nodes nodes = engine::nodes_of(snapshot);
  const engine::Demands demands(snapshot, inventory, subject);
  std::optional<engine::NodeFilters> filters;
  if (subject.pod != nullptr && !nodes.assumed) filters.emplace(snapshot, loads, *subject.pod);
  engine::SearchBudget budget;
  const auto depth = detail == Detail::Every ? engine::Depth::Evidence : engine::Depth::Reasons;
  NodesLookedAt looked_at(
      cluster, subject,
      {inventory, snapshot.coverage(), demands, budget, filters ? &*filters : nullptr}, depth);
  for (const api::Node& node : nodes.nodes)
    looked_at.add(node);
  Survey survey{.demands = demand_facts(subject, demands, inventory, snapshot.server(), detail),
                .nodes_assumed = nodes.assumed,
                .nodes_chosen = !focus.nodes.empty(),
                .nodes = looked_at.take_nodes(),
                .devices = looked_at.take_devices()};
  engine::apply_post_filter(snapshot, wanted_of(subjects, subject), depth, survey.nodes);
  if (filters) survey.not_simulated = filters->not_simulated();
  if (depends_on_preference(survey.nodes))
    survey.not_simulated.emplace_back("which node the scheduler prefers");
  if (detail == Detail::Every) add_alternatives(subject, survey.nodes);
  survey.groups = group(survey.nodes);
  if (detail == Detail::Every) add_evidence({demands, inventory, subject}, survey);
  return survey;
}

}  // namespace dra::answers

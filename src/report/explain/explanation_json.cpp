// src/report/explain/explanation_json.cpp: presents an explanation as JSON, the published contract.

#include <algorithm>
#include <map>

#include "dra/answers/explain/refusal.h"
#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "dra/engine/facts/features.h"
#include "dra/engine/facts/full_name.h"
#include "dra/report/explain/explanation.h"
#include "dra/report/phrases/advice_words.h"
#include "dra/report/phrases/clause_json.h"
#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/reason_json.h"
#include "dra/report/phrases/subject_json.h"
#include "dra/report/phrases/suggestion_words.h"
#include "dra/report/phrases/words.h"
#include "dra/snapshot/template_pods.h"
#include "src/report/explain/explanation_after.h"
#include "src/report/explain/explanation_moves.h"
#include "src/report/explain/explanation_preemption.h"

namespace dra::report {
namespace {

void add_selectors(json::Value& out, std::string_view source,
                   const std::vector<api::DeviceSelector>& selectors) {
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    json::Value selector = json::Value::object();
    selector.set("source", source);
    selector.set("selector", i);
    selector.set("expression", selectors[i].expression());
    out.push(std::move(selector));
  }
}

json::Value to_json(const SelectorFacts& facts, const std::optional<engine::ClauseTable>& clauses,
                    std::size_t position) {
  json::Value out = json::Value::object();
  out.set("source", facts.of_class ? "class" : "request");
  out.set("selector", facts.index);
  out.set("expression", facts.expression);
  out.set("devices", facts.devices);
  out.set("matched", facts.matched);
  if (facts.failed > 0) out.set("failed", facts.failed);
  if (!clauses) return out;
  json::Value list = json::Value::array();
  for (const engine::ClauseCount& clause : clauses->clauses) {
    if (clause.selector == position) list.push(clause_json(clause));
  }
  out.set("clauses", std::move(list));
  return out;
}

// Counts of selectors exist for demands that are not allocated; for others only the expression is
// written.
json::Value selectors_json(const Explanation& explanation, const api::DeviceDemand& demand) {
  json::Value out = json::Value::array();
  const DemandFacts* facts = explanation.facts_of(demand);
  if (facts != nullptr && facts->known) {
    for (std::size_t i = 0; i < facts->selectors.size(); ++i)
      out.push(to_json(facts->selectors[i], facts->clauses, i));
    return out;
  }
  if (const auto* device_class = explanation.classes.find(demand.device_class))
    add_selectors(out, "class", device_class->spec.selectors);
  add_selectors(out, "request", demand.selectors);
  return out;
}

json::Value demand_json(const Explanation& explanation, const api::NamedDemand& named,
                        std::string_view extended_resource) {
  const api::DeviceDemand& demand = *named.demand;
  json::Value out = json::Value::object();
  out.set("request", named.name);
  if (!extended_resource.empty()) out.set("extendedResource", extended_resource);
  out.set("class", demand.device_class);
  out.set("mode", demand.all() ? api::kModeAll : api::kModeExactCount);
  if (!demand.all()) out.set("count", demand.wanted());
  if (demand.admin_access) out.set("adminAccess", true);
  out.set("selectors", selectors_json(explanation, demand));
  const DemandFacts* facts = explanation.facts_of(demand);
  if (facts != nullptr && facts->known && facts->free) {
    out.set("free", facts->free->free);
    if (facts->free->blocked > 0) {
      out.set("freeWithoutRoom", facts->free->blocked);
      out.set("blocked", facts->free->blocked);
    }
    if (facts->free->shared > 0) out.set("sharedWithRoom", facts->free->shared);
  }
  if (facts == nullptr || facts->suggestions.empty()) return out;
  json::Value suggestions = json::Value::array();
  for (const engine::Suggestion& suggestion : facts->suggestions) {
    const SelectorFacts& selector = facts->selectors[suggestion.selector];
    json::Value one = suggestion_json(suggestion, true);
    one.set("source", selector.of_class ? "class" : "request");
    one.set("selector", selector.index);
    suggestions.push(std::move(one));
  }
  out.set("suggestions", std::move(suggestions));
  return out;
}

json::Value to_json(const Explanation& explanation, const engine::SubjectClaim& claim) {
  json::Value out = json::Value::object();
  out.set("namespace", claim.namespace_);
  if (!claim.name.empty()) out.set("name", claim.name);
  if (!claim.pod_claim.empty()) out.set("podClaim", claim.pod_claim);
  if (!claim.template_name.empty()) out.set("template", claim.template_name);
  if (!claim.pod_group.empty()) out.set("podGroup", claim.pod_group);
  out.set("state", engine::name_of(claim.state));
  if (claim.claim != nullptr && snapshot::is_planned(*claim.claim)) out.set("planned", true);
  if (claim.state == engine::ClaimState::Deleting) {
    json::Value users = json::Value::array();
    for (const api::Consumer& consumer : claim.claim->status.reserved_for)
      users.push(consumer.name);
    out.set("reservedFor", std::move(users));
  }
  if (claim.allocated()) {
    json::Value devices = json::Value::array();
    for (const auto& result : claim.claim->status.allocation->devices.results) {
      devices.push(engine::to_string({result.driver, result.pool, result.device}));
    }
    out.set("devices", std::move(devices));
  }
  json::Value requests = json::Value::array();
  if (claim.spec != nullptr) {
    for (const api::DeviceRequest& request : claim.spec->devices.requests) {
      for (const api::NamedDemand& demand : api::demands_of(request)) {
        requests.push(demand_json(explanation, demand, claim.resource_of(request)));
      }
    }
  }
  out.set("requests", std::move(requests));
  return out;
}

json::Value driver_json(const engine::DriverCounts& driver) {
  json::Value out = json::Value::object();
  out.set("driver", driver.driver);
  out.set("published", driver.published);
  out.set("inUse", driver.in_use);
  out.set("blocked", driver.blocked);
  out.set("tainted", driver.tainted);
  out.set("unusable", driver.unusable);
  out.set("free", driver.unknown > 0 ? json::Value() : json::Value(driver.free));
  return out;
}

json::Value demand_result_json(const engine::DemandResult& demand) {
  json::Value out = json::Value::object();
  out.set("claim", demand.claim);
  out.set("request", demand.request);
  if (demand.by_plugin) out.set("byDevicePlugin", true);
  out.set("matched", demand.known ? json::Value(demand.matching) : json::Value());
  out.set("inUse", demand.known ? json::Value(demand.in_use) : json::Value());
  out.set("usable", demand.known ? json::Value(demand.usable) : json::Value());
  if (demand.failing > 0) out.set("failed", demand.failing);
  return out;
}

json::Value allocation_json(const std::vector<engine::PickedDevice>& allocation) {
  json::Value out = json::Value::array();
  for (const engine::PickedDevice& picked : allocation) {
    json::Value one = json::Value::object();
    one.set("claim", picked.claim->label());
    one.set("request", picked.request);
    const engine::DeviceId id = picked.id();
    one.set("driver", id.driver);
    one.set("pool", id.pool);
    one.set("device", id.device);
    one.set("shareID", picked.share);
    if (!picked.consumed.empty()) {
      json::Value consumed = json::Value::object();
      for (const auto& [name, amount] : picked.consumed)
        consumed.set(std::string(name), amount.to_string());
      one.set("consumedCapacity", std::move(consumed));
    }
    if (picked.admin_access) one.set("adminAccess", true);
    out.push(std::move(one));
  }
  return out;
}

json::Value claim_nodes_json(const Explanation& explanation, const engine::NodeResult& node) {
  json::Value out = json::Value::array();
  for (const engine::ClaimNodes& claim :
       engine::claim_nodes(explanation.server, explanation.subject, node)) {
    json::Value one = json::Value::object();
    one.set("claim", claim.claim->label());
    one.set("nodeSelector", claim.selector ? node_selector_json(*claim.selector) : json::Value());
    out.push(std::move(one));
  }
  return out;
}

json::Value to_json(const Explanation& explanation, const engine::NodeResult& node) {
  json::Value out = json::Value::object();
  out.set("name", node.name);
  out.set("fits", node.fits()           ? json::Value(true)
                  : node.does_not_fit() ? json::Value(false)
                                        : json::Value());
  out.set("aborts", node.aborts());
  if (explanation.nodes_assumed) out.set("assumed", true);
  if (explanation.hypothetical()) out.set("hypothetical", true);
  json::Value drivers = json::Value::array();
  for (const engine::DriverCounts& driver : node.drivers)
    drivers.push(driver_json(driver));
  out.set("drivers", std::move(drivers));
  json::Value demands = json::Value::array();
  for (const engine::DemandResult& demand : node.demands)
    demands.push(demand_result_json(demand));
  out.set("requests", std::move(demands));
  out.set("reasons", reasons_json(node.reasons));
  out.set("otherReasons", reasons_json(node.other_reasons));
  out.set("allocation", allocation_json(node.allocation));
  json::Value selectors = claim_nodes_json(explanation, node);
  if (!selectors.items().empty()) out.set("nodeSelectors", std::move(selectors));
  return out;
}

json::Value verdict_json(const engine::DeviceVerdict& verdict) {
  json::Value out = json::Value::object();
  out.set("claim", verdict.claim);
  out.set("request", verdict.request);
  out.set("state", engine::name_of(verdict.outcome));
  out.set("reasons", reasons_json(verdict.reasons));
  return out;
}

json::Value devices_json(const Explanation& explanation) {
  json::Value out = json::Value::array();
  for (const DeviceAnswer& device : explanation.devices) {
    json::Value nodes = json::Value::array();
    for (const DeviceOnNode& on_node : device.nodes) {
      json::Value one = json::Value::object();
      one.set("name", explanation.nodes[on_node.node].name);
      one.set("sees", on_node.requests.has_value());
      json::Value requests = json::Value::array();
      for (const engine::DeviceVerdict& verdict :
           on_node.requests.value_or(std::vector<engine::DeviceVerdict>()))
        requests.push(verdict_json(verdict));
      one.set("requests", std::move(requests));
      nodes.push(std::move(one));
    }
    json::Value one = json::Value::object();
    one.set("device", device.device);
    one.set("nodes", std::move(nodes));
    out.push(std::move(one));
  }
  return out;
}

json::Value groups_json(const Explanation& explanation) {
  json::Value out = json::Value::array();
  for (const std::vector<std::size_t>& members : explanation.groups) {
    json::Value nodes = json::Value::array();
    for (const std::size_t index : members)
      nodes.push(explanation.nodes[index].name);
    json::Value one = json::Value::object();
    one.set("nodes", std::move(nodes));
    const engine::NodeResult& first = explanation.nodes[members.front()];
    one.set("reasons", reasons_json(first.reasons));
    if (!first.passes_filters()) one.set("otherReasons", reasons_json(first.other_reasons));
    out.push(std::move(one));
  }
  return out;
}

// Known gates: the server's, and those that a flag sets.
json::Value gates_json(const snapshot::Server& server) {
  std::map<std::string_view, bool> gates;
  for (const auto& [name, on] : server.gates)
    gates[name] = on;
  json::Value out = json::Value::object();
  for (const auto& [name, on] : gates)
    out.set(std::string(name), on);
  return out;
}

json::Value server_json(const snapshot::Server& server) {
  json::Value features = json::Value::array();
  for (const std::string_view name : engine::features_of(server).names())
    features.push(name);
  json::Value out = json::Value::object();
  out.set("version", server.version);
  out.set("assumed", server.assumed || !server.gates_known);
  if (!server.gates.empty()) out.set("gates", gates_json(server));
  out.set("features", std::move(features));
  return out;
}

void add_help(json::Value& out, const Explanation& explanation) {
  const answers::Help help = explanation.help.value_or(answers::Help());
  out.set("conflicts", conflicts_json(help.conflicts.conflicts));
  if (help.conflicts.bounded) out.set("conflictsBounded", true);
  json::Value advice = json::Value::array();
  for (std::size_t i = 0; i < help.advice.advice.size(); ++i)
    advice.push(advice_json(help.advice.advice[i], help.advice_facts[i], explanation.subject,
                            explanation.server));
  out.set("advice", std::move(advice));
  if (!help.advice.in_vain.empty()) {
    json::Value in_vain = json::Value::array();
    for (const engine::Means means : help.advice.in_vain)
      in_vain.push(engine::name_of(means));
    out.set("triedInVain", std::move(in_vain));
  }
  if (help.advice.moves) out.set("moves", moves_json(*help.advice.moves));
  if (help.advice.bounded) out.set("adviceBounded", true);
  if (explanation.preemption) out.set("preemption", preemption_json(*explanation.preemption));
  if (!explanation.kept_away.empty()) {
    json::Value kept = json::Value::array();
    for (const answers::KeptAway& one : explanation.kept_away) {
      json::Value node = json::Value::object();
      node.set("node", one.node->meta.name);
      node.set("driver", one.driver);
      if (one.daemon_set != nullptr) node.set("daemonSet", engine::full_name(one.daemon_set->meta));
      if (one.pod != nullptr) node.set("pod", engine::full_name(one.pod->meta));
      node.set("why", one.why);
      kept.push(std::move(node));
    }
    out.set("keptAway", std::move(kept));
  }
  if (explanation.capacity_words.empty()) return;
  json::Value words = json::Value::array();
  for (const answers::CapacityWord& word : explanation.capacity_words) {
    json::Value one = json::Value::object();
    one.set("who", word.who);
    one.set("message", word.message);
    if (word.at) one.set("at", base::format_rfc3339(*word.at));
    if (word.node != answers::NewNode::Unknown) {
      one.set("newNode", answers::name_of(word.node));
      one.set("remedy", word.remedy.text);
      if (!word.remedy.command.empty()) one.set("command", word.remedy.command);
    }
    words.push(std::move(one));
  }
  out.set("capacityWords", std::move(words));
}

json::Value to_json(const SchedulerWord& word) {
  json::Value out = json::Value::object();
  out.set("message", word.message);
  out.set("reason", word.reason);
  if (word.since) out.set("since", base::format_rfc3339(*word.since));
  if (word.attempts > 0) out.set("attempts", word.attempts);
  if (word.agrees) out.set("agrees", *word.agrees);
  return out;
}

void add_estimate(json::Value& out, const answers::Estimate& estimate) {
  if (!estimate.last) {
    out.set("noEstimate", name_of(estimate.why_none));
    return;
  }
  const answers::Ending& last = *estimate.last;
  json::Value one = json::Value::object();
  one.set("at", base::format_rfc3339(last.at));
  one.set("pod", engine::full_name(last.pod->meta));
  one.set("by", name_of(last.by));
  if (!last.cause.empty()) one.set("cause", last.cause);
  one.set("ended", estimate.ended);
  one.set("nodes", strings_json(estimate.nodes));
  out.set("estimate", std::move(one));
}

}  // namespace

json::Value to_json(const Explanation& explanation) {
  json::Value out = report_object("Explanation");
  out.set("subject", subject_json(explanation.subjects.front()));
  if (explanation.subjects.size() > 1) {
    json::Value subjects = json::Value::array();
    for (const SubjectName& subject : explanation.subjects)
      subjects.push(subject_json(subject));
    out.set("subjects", std::move(subjects));
  }
  if (!explanation.what_if.empty()) {
    json::Value changes = json::Value::array();
    for (const engine::Change& change : explanation.what_if)
      changes.push(change_json(change));
    out.set("whatIf", std::move(changes));
  }
  out.set("verdict", name_of(explanation.verdict));
  const auto refusal = answers::refusal_of(explanation);
  out.set("summary", refusal ? refusal->summary : explanation.headline.text());
  if (explanation.outlook) {
    out.set("when", name_of(explanation.outlook->when));
    out.set("whenNodes", explanation.outlook->nodes);
    if (explanation.outlook->when == answers::When::Never)
      out.set("whyNever", name_of(explanation.outlook->why));
    if (!explanation.outlook->held_for_good.empty())
      out.set("heldForGoodBy", explanation.outlook->held_for_good);
  }
  if (explanation.estimate) add_estimate(out, *explanation.estimate);
  if (!explanation.remedy.text.empty()) {
    json::Value remedy = json::Value::object();
    remedy.set("text", explanation.remedy.text);
    if (!explanation.remedy.command.empty()) remedy.set("command", explanation.remedy.command);
    out.set("remedy", std::move(remedy));
  }
  out.set("server", server_json(explanation.server));
  const api::Pod* pod = explanation.subject.pod;
  if (pod != nullptr && pod->meta.deleted)
    out.set("deletionTimestamp", base::format_rfc3339(*pod->meta.deleted));
  if (explanation.scheduler && explanation.what_if.empty())
    out.set("scheduler", to_json(*explanation.scheduler));
  out.set("blockers", reasons_json(explanation.blockers));
  if (!explanation.not_simulated.empty())
    out.set("notSimulated", strings_json(explanation.not_simulated));
  json::Value claims = json::Value::array();
  for (const engine::SubjectClaim& claim : explanation.subject.claims) {
    claims.push(to_json(explanation, claim));
  }
  out.set("claims", std::move(claims));
  if (explanation.unused) out.set("usedByNoPod", true);
  json::Value nodes = json::Value::array();
  for (const engine::NodeResult& node : explanation.nodes)
    nodes.push(to_json(explanation, node));
  out.set("nodes", std::move(nodes));
  out.set("groups", groups_json(explanation));
  if (!explanation.devices.empty()) out.set("devices", devices_json(explanation));
  add_help(out, explanation);
  out.set("after", after_json(explanation));
  add_coverage(out, explanation.coverage);
  return out;
}

}  // namespace dra::report

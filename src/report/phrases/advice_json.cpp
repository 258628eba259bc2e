// src/report/phrases/advice_json.cpp: changes, advice and conflicts as JSON (advice_words.h).

#include "dra/report/phrases/advice_edits.h"
#include "dra/report/phrases/advice_words.h"
#include "dra/report/phrases/clause_json.h"
#include "dra/report/phrases/reason_json.h"

namespace dra::report {
namespace {

void add_place(json::Value& out, const engine::SelectorPlace& place) {
  out.set("claim", place.claim);
  out.set("request", place.request);
  out.set("source", place.of_class ? "class" : "request");
  out.set("selector", place.selector);
}

struct Json {
  json::Value& out;

  void operator()(const engine::SetCount& change) const {
    out.set("claim", change.claim);
    out.set("request", change.request);
    out.set("count", change.count);
  }
  void operator()(const engine::DropSelector& change) const {
    add_place(out, change.place);
    if (change.span) out.set("span", span_json({change.span->first, change.span->second}));
  }
  void operator()(const engine::EditSelector& change) const {
    add_place(out, change.place);
    out.set("expression", change.expression);
    if (change.values.empty()) return;
    json::Value values = json::Value::array();
    for (const auto& [old, instead] : change.values) {
      json::Value value = json::Value::object();
      value.set("from", old);
      value.set("to", instead);
      values.push(std::move(value));
    }
    out.set("values", std::move(values));
  }
  void operator()(const engine::Tolerate& change) const {
    if (!change.claim.empty()) out.set("claim", change.claim);
    if (!change.request.empty()) out.set("request", change.request);
    json::Value toleration = json::Value::object();
    if (!change.key.empty()) toleration.set("key", change.key);
    toleration.set("operator", "Exists");
    if (!change.effect.empty()) toleration.set("effect", change.effect);
    out.set("toleration", std::move(toleration));
  }
  void operator()(const engine::DropConstraint& change) const {
    out.set("claim", change.claim);
    out.set("constraint", change.constraint);
  }
  void operator()(const engine::RelaxConstraint& change) const {
    out.set("claim", change.claim);
    out.set("constraint", change.constraint);
    out.set("attribute", change.instead);
  }
  void operator()(const engine::SplitRequests& change) const {
    out.set("claim", change.claim);
    out.set("constraint", change.constraint);
    out.set("requests", strings_json(change.requests));
    out.set("parts", change.parts);
    if (change.counts.empty()) return;
    json::Value counts = json::Value::array();
    for (const std::int64_t count : change.counts)
      counts.push(count);
    out.set("counts", std::move(counts));
  }
  void operator()(const engine::SelectNodes& change) const {
    out.set("source", change.expression ? "affinity" : "nodeSelector");
    out.set("key", change.key);
    if (change.expression) out.set("index", *change.expression);
    if (change.value) out.set("value", *change.value);
    out.set("otherDevices", change.other_devices);
  }
  void operator()(const engine::UseAlternative& change) const {
    out.set("claim", change.claim);
    out.set("request", change.request);
  }
  void operator()(const engine::Release& change) const {
    out.set("claims", strings_json(change.claims));
    out.set("pods", strings_json(change.pods));
  }
  void operator()(const engine::AddNode& change) const {
    out.set("like", change.like);
    out.set("count", change.count);
  }
  void operator()(const engine::RemoveNode& change) const { out.set("node", change.node); }
  void operator()(const engine::JoinNodes& change) const {
    out.set("file", change.file);
    out.set("nodes", strings_json(change.nodes));
  }
  void operator()(const engine::Drain& change) const {
    out.set("nodes", strings_json(change.nodes));
  }
  void operator()(const engine::Wait& change) const {
    out.set("driver", change.driver);
    out.set("pool", change.pool);
  }
};

json::Value part_json(const engine::DemandPart& part) {
  using Kind = engine::DemandPart::Kind;
  json::Value out = json::Value::object();
  out.set("kind", engine::name_of(part.kind));
  if (!part.claim.empty()) out.set("claim", part.claim);
  if (!part.request.empty()) out.set("request", part.request);
  if (part.kind == Kind::Selector) out.set("source", part.of_class ? "class" : "request");
  if (part.kind == Kind::Selector || part.kind == Kind::Constraint) out.set("index", part.index);
  return out;
}

}  // namespace

json::Value change_json(const engine::Change& change) {
  json::Value out = json::Value::object();
  out.set("op", engine::name_of(engine::means_of(change)));
  std::visit(Json{out}, change);
  return out;
}

// Advice of several changes lists all of them in `changes`. The first decides the other fields.
json::Value advice_json(const engine::Advice& advice, std::span<const answers::ChangeFacts> facts,
                        const engine::Subject& subject, const snapshot::Server& server) {
  json::Value out = json::Value::object();
  out.set("code", engine::name_of(engine::means_of(advice.changes.front())));
  out.set("message", advice_words(advice, facts));
  out.set("change", change_json(advice.changes.front()));
  if (advice.changes.size() > 1) {
    json::Value all = json::Value::array();
    for (const engine::Change& change : advice.changes)
      all.push(change_json(change));
    out.set("changes", std::move(all));
  }
  for (const answers::ChangeFacts& one : facts) {
    if (!one.own_pods.empty()) out.set("ofSameWorkload", strings_json(one.own_pods));
  }
  const std::string how = how_words(advice, facts, subject);
  if (!how.empty()) out.set("how", how);
  std::vector<std::string> commands;
  for (const AdviceEdit& edit : edits_for(advice, facts, subject, server))
    commands.push_back(edit.command);
  if (!commands.empty()) out.set("commands", strings_json(commands));
  const std::string lasting = lasting_words(facts);
  if (!lasting.empty()) out.set("lasting", lasting);
  const std::vector<std::string> protection = protection_words(facts);
  if (!protection.empty()) out.set("protection", strings_json(protection));
  out.set("verified", true);
  out.set("nodes", advice.nodes);
  if (!advice.examples.empty()) out.set("examples", strings_json(advice.examples));
  if (!advice.in_front.empty()) out.set("inFront", strings_json(advice.in_front));
  return out;
}

json::Value conflicts_json(const std::vector<engine::Conflict>& conflicts) {
  json::Value out = json::Value::array();
  for (const engine::Conflict& conflict : conflicts) {
    json::Value parts = json::Value::array();
    for (const engine::DemandPart& part : conflict)
      parts.push(part_json(part));
    out.push(std::move(parts));
  }
  return out;
}

}  // namespace dra::report

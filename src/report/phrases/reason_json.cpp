// src/report/phrases/reason_json.cpp: the fields of a reason in the order of the published schema,
// and one function for each kind of evidence.

#include "dra/report/phrases/reason_json.h"

#include "dra/diag/evidence.h"
#include "dra/report/phrases/clause_json.h"

namespace dra::report {
namespace {

json::Value constraint_json(const diag::ConstraintEvidence& constraint) {
  json::Value out = json::Value::object();
  out.set("index", constraint.index);
  out.set(constraint.matching ? "matchAttribute" : "distinctAttribute", constraint.attribute);
  json::Value requests = json::Value::array();
  for (const auto& asked : constraint.requests) {
    json::Value one = json::Value::object();
    one.set("request", asked.request);
    one.set("wanted", asked.wanted);
    one.set("without", asked.without);
    requests.push(std::move(one));
  }
  out.set("requests", std::move(requests));
  json::Value values = json::Value::array();
  for (const auto& value : constraint.values) {
    json::Value counts = json::Value::array();
    for (const std::int64_t count : value.devices)
      counts.push(count);
    json::Value one = json::Value::object();
    one.set("value", value.value);
    one.set("devices", std::move(counts));
    values.push(std::move(one));
  }
  out.set("values", std::move(values));
  return out;
}

json::Value counter_json(const diag::LedgerEvidence::Counter& counter) {
  json::Value out = json::Value::object();
  out.set("set", counter.set);
  out.set("counter", counter.name);
  out.set("total", counter.total);
  out.set("used", counter.used);
  out.set("left", counter.left);
  out.set("takes", counter.takes);
  out.set("enough", counter.enough);
  json::Value consumers = json::Value::array();
  for (const auto& consumer : counter.consumers) {
    json::Value one = json::Value::object();
    one.set("device", consumer.device);
    one.set("takes", consumer.takes);
    one.set("claim", consumer.claim);
    if (!consumer.pod.empty()) one.set("pod", consumer.pod);
    consumers.push(std::move(one));
  }
  out.set("consumers", std::move(consumers));
  return out;
}

json::Value ledger_json(const diag::LedgerEvidence& ledger) {
  json::Value out = json::Value::object();
  out.set("candidate", ledger.candidate);
  json::Value counters = json::Value::array();
  for (const auto& counter : ledger.counters)
    counters.push(counter_json(counter));
  out.set("counters", std::move(counters));
  return out;
}

json::Value capacity_json(const diag::CapacityEvidence& capacity) {
  json::Value out = json::Value::object();
  out.set("device", capacity.device);
  out.set("capacity", capacity.capacity);
  if (capacity.asked) out.set("asked", *capacity.asked);
  if (!capacity.takes.empty()) out.set("takes", capacity.takes);
  if (capacity.total.empty()) return out;
  out.set("used", capacity.used);
  out.set("left", capacity.left);
  out.set("total", capacity.total);
  return out;
}

json::Value pool_json(const diag::PoolEvidence& pool) {
  json::Value out = json::Value::object();
  out.set("driver", pool.driver);
  out.set("pool", pool.pool);
  out.set("generation", pool.generation);
  out.set("slicesSeen", pool.slices_seen);
  out.set("slicesExpected", pool.slices_expected);
  return out;
}

json::Value alternative_json(const diag::AlternativeEvidence& alternative) {
  json::Value out = json::Value::object();
  out.set("request", alternative.request);
  if (alternative.code) out.set("code", diag::name_of(*alternative.code));
  out.set("message", alternative.message);
  out.set("matched", alternative.matching);
  out.set("inUse", alternative.in_use);
  out.set("usable", alternative.usable);
  return out;
}

json::Value refusal_json(const diag::RefusalEvidence& refusal) {
  using By = diag::RefusalEvidence::By;
  json::Value out = json::Value::object();
  out.set("by", refusal.by == By::Quota     ? "quota"
                : refusal.by == By::Webhook ? "webhook"
                : refusal.by == By::Policy  ? "policy"
                                            : "queue");
  out.set("name", refusal.name);
  if (refusal.by != By::Quota) {
    out.set("said", refusal.said);
    return out;
  }
  out.set("requested", refusal.requested);
  out.set("used", refusal.used);
  out.set("limited", refusal.limited);
  return out;
}

template <class T, class F>
void add_list(json::Value& out, const char* name, const std::vector<T>& items, F to_json) {
  if (items.empty()) return;
  json::Value list = json::Value::array();
  for (const T& item : items)
    list.push(to_json(item));
  out.set(name, std::move(list));
}

// Adds the members that are present.
void add_evidence(json::Value& reason, const diag::Evidence& evidence) {
  add_list(reason, "constraints", evidence.constraints, constraint_json);
  if (evidence.ledger) reason.set("counters", ledger_json(*evidence.ledger));
  add_list(reason, "capacity", evidence.capacity, capacity_json);
  if (evidence.pool) reason.set("pool", pool_json(*evidence.pool));
  add_list(reason, "alternatives", evidence.alternatives, alternative_json);
  if (evidence.refusal) reason.set("refusal", refusal_json(*evidence.refusal));
}

}  // namespace

json::Value strings_json(const std::vector<std::string>& texts) {
  json::Value out = json::Value::array();
  for (const std::string& text : texts)
    out.push(text);
  return out;
}

json::Value reason_json(const diag::Reason& reason) {
  json::Value out = json::Value::object();
  out.set("code", diag::name_of(reason.code));
  if (!reason.claim.empty()) out.set("claim", reason.claim);
  if (!reason.request.empty()) out.set("request", reason.request);
  if (!reason.source.empty()) out.set("source", reason.source);
  if (reason.selector) out.set("selector", *reason.selector);
  if (!reason.expression.empty()) out.set("expression", reason.expression);
  if (reason.span) out.set("span", span_json({reason.span->first, reason.span->second}));
  if (!reason.values.empty()) {
    json::Value values = json::Value::object();
    for (const auto& [part, value] : reason.values)
      values.set(part, value);
    out.set("values", std::move(values));
  }
  if (reason.devices > 0 || !reason.examples.empty()) out.set("devices", reason.devices);
  if (!reason.examples.empty()) out.set("examples", strings_json(reason.examples));
  if (!reason.holders.empty()) {
    json::Value holders = json::Value::array();
    for (const diag::Holder& holder : reason.holders) {
      json::Value one = json::Value::object();
      one.set("claim", holder.claim);
      if (!holder.pod.empty()) one.set("pod", holder.pod);
      one.set("device", holder.device);
      holders.push(std::move(one));
    }
    out.set("holders", std::move(holders));
  }
  if (reason.evidence) add_evidence(out, *reason.evidence);
  out.set("certainty", diag::name_of(reason.certainty));
  out.set("message", reason.message);
  return out;
}

json::Value reasons_json(const std::vector<diag::Reason>& reasons) {
  json::Value out = json::Value::array();
  for (const diag::Reason& reason : reasons)
    out.push(reason_json(reason));
  return out;
}

}  // namespace dra::report

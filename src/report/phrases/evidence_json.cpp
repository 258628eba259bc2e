// src/report/phrases/evidence_json.cpp: one function for each kind of evidence.

#include "src/report/phrases/evidence_json.h"

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
                                            : "policy");
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

}  // namespace

void add_evidence(json::Value& reason, const diag::Evidence& evidence) {
  add_list(reason, "constraints", evidence.constraints, constraint_json);
  if (evidence.ledger) reason.set("counters", ledger_json(*evidence.ledger));
  add_list(reason, "capacity", evidence.capacity, capacity_json);
  if (evidence.pool) reason.set("pool", pool_json(*evidence.pool));
  add_list(reason, "alternatives", evidence.alternatives, alternative_json);
  if (evidence.refusal) reason.set("refusal", refusal_json(*evidence.refusal));
}

}  // namespace dra::report

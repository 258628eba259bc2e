// src/report/top/top_json.cpp: the rows as JSON.

#include "dra/report/phrases/envelope.h"
#include "dra/report/phrases/words.h"
#include "dra/report/top/top.h"
#include "src/report/top/top_workloads.h"

namespace dra::report {
namespace {

json::Value shared_json(const SharedAmount& amount) {
  json::Value value = json::Value::object();
  value.set("name", amount.name);
  value.set("counter", amount.counter);
  value.set("total", amount.total.to_string());
  value.set("used", amount.used ? json::Value(amount.used->to_string()) : json::Value());
  if (amount.largest_left || !amount.used) {
    const bool known = amount.largest_left.has_value();
    value.set("largestLeft", known ? json::Value(amount.largest_left->to_string()) : json::Value());
    value.set("where", known ? json::Value(amount.where) : json::Value());
  }
  return value;
}

json::Value name_json(std::string_view name) {
  return name.empty() ? json::Value() : json::Value(name);
}

json::Value accelerators_json(const TopRow& row) {
  const engine::DeviceCounts& counts = row.accelerators;
  json::Value value = json::Value::object();
  value.set("total", counts.devices);
  value.set("inUse", row.allocated ? json::Value(counts.in_use()) : json::Value());
  value.set("shared", row.allocated ? json::Value(counts.shared) : json::Value());
  value.set("free", json_if_known(counts.known_free()));
  value.set("blocked", counts.blocked);
  value.set("tainted", counts.tainted);
  value.set("unusable", counts.unusable);
  json::Value& models = value.set("partitioned", json::Value::array());
  for (const PartitionedModel& model : row.partitioned) {
    json::Value& one = models.push(json::Value::object());
    one.set("model", name_json(model.name));
    one.set("accelerators", model.accelerators);
    if (model.slots > 0) {
      json::Value& slices = one.set("slices", json::Value::object());
      slices.set("used", json_if_known(model.slots_used));
      slices.set("total", model.slots);
    }
    one.set("partitions", model.partitions.devices);
    one.set("partitionsFree", json_if_known(model.partitions.known_free()));
    one.set("partitionsBlocked", model.partitions.blocked);
  }
  return value;
}

json::Value row_json(const TopRow& row, TopBy by) {
  json::Value value = json::Value::object();
  value.set("name", name_json(row.name));
  if (row.several) value.set("several", true);
  if (!row.driver.empty()) value.set("driver", row.driver);
  if (by == TopBy::NodePools) {
    value.set("nodes", json_if_known(row.nodes));
    if (row.nodes) value.set("nodesWithDevices", row.nodes_with_devices);
  }
  if (row.failed) value.set("failed", true);
  value.set("devices", row.devices.devices);
  value.set("allocated", json_if_known(row.allocated));
  value.set("free", json_if_known(row.free));
  value.set("freeWithoutRoom", row.free ? json::Value(row.devices.blocked) : json::Value());
  value.set("blocked", row.devices.blocked);
  value.set("tainted", row.devices.tainted);
  if (row.devices.tainted_held > 0) value.set("taintedInUse", row.devices.tainted_held);
  value.set("unusable", row.devices.unusable);
  value.set("missing", row.devices.missing);
  value.set("accelerators", accelerators_json(row));
  json::Value& fit = value.set("largestRequest", json::Value::object());
  fit.set("devices", row.fit.count);
  fit.set("known", row.fit.known);
  if (!row.fit.why_none.empty()) fit.set("whyNone", row.fit.why_none);
  json::Value& nodes = fit.set("nodes", json::Value::array());
  for (const std::string_view node : row.fit.nodes)
    nodes.push(node);
  json::Value& shared = value.set("shared", json::Value::array());
  for (const SharedAmount& amount : row.shared)
    shared.push(shared_json(amount));
  return value;
}

json::Value namespace_json(const NamespaceTop& row) {
  json::Value value = json::Value::object();
  value.set("name", row.name);
  const auto count = [&](const char* what, std::int64_t number) {
    value.set(what, row.known ? json::Value(number) : json::Value());
  };
  count("claims", row.claims);
  count("pending", row.pending);
  count("pods", row.pods);
  count("held", row.held);
  count("gone", row.gone);
  value.set("of", row.of);
  json::Value& drivers = value.set("drivers", row.known ? json::Value::object() : json::Value());
  for (const auto& [driver, devices] : row.devices)
    drivers.set(std::string(driver), devices);
  json::Value& quotas = value.set("quotas", json::Value::array());
  for (const engine::QuotaState& quota : row.quotas) {
    json::Value& one = quotas.push(json::Value::object());
    one.set("quota", quota.quota);
    one.set("resource", quota.resource);
    one.set("hard", quota.hard.to_string());
    one.set("used", quota.used.to_string());
  }
  return value;
}

}  // namespace

json::Value to_json(const Top& top) {
  json::Value report = report_object("Top");
  report.set("by", name_of(top.by));
  json::Value& items = report.set("items", json::Value::array());
  for (const TopRow& row : top.rows)
    items.push(row_json(row, top.by));
  for (const NamespaceTop& row : top.namespaces)
    items.push(namespace_json(row));
  for (const WorkloadTop& row : top.workloads)
    items.push(workload_json(row));
  add_coverage(report, top.coverage);
  return report;
}

}  // namespace dra::report

// src/report/top/top_workloads.cpp: adds up what claims hold by whom they hold it for.

#include "src/report/top/top_workloads.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "dra/api/claim.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/allocated_device.h"
#include "dra/engine/cluster/workload_pods.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

struct WorkloadSum {
  WorkloadTop row = {};
  std::set<std::string> pods = {};
  std::set<engine::DeviceId> devices = {};
};

void add_claim(const api::ResourceClaim& claim, WorkloadSum& sum) {
  ++sum.row.claims;
  for (std::string& pod : engine::pods_of(claim))
    sum.pods.insert(std::move(pod));
  for (const api::AllocationResultItem& result : claim.status.allocation->devices.results) {
    if (result.admin_access || !sum.devices.insert(engine::id_of(result)).second) continue;
    ++sum.row.devices[result.driver];
    ++sum.row.held;
  }
}

}  // namespace

std::vector<WorkloadTop> workloads_of(const Scene& scene) {
  std::map<std::tuple<std::string_view, std::string, std::string>, WorkloadSum> sums;
  for (const api::ResourceClaim& claim : scene.snapshot.all<api::ResourceClaim>()) {
    if (!claim.allocated()) continue;
    engine::WorkloadName holder = engine::holder_of(scene.snapshot, claim);
    add_claim(claim, sums[{claim.meta.namespace_, holder.kind, holder.name}]);
  }
  std::vector<WorkloadTop> rows;
  for (auto& [key, sum] : sums) {
    std::tie(sum.row.namespace_, sum.row.kind, sum.row.name) = key;
    sum.row.pods = std::ssize(sum.pods);
    rows.push_back(std::move(sum.row));
  }
  std::ranges::stable_sort(rows, std::greater<>(), &WorkloadTop::held);
  return rows;
}

json::Value workload_json(const WorkloadTop& row) {
  json::Value value = json::Value::object();
  value.set("namespace", row.namespace_);
  value.set("kind", row.kind);
  value.set("name", row.name);
  value.set("claims", row.claims);
  value.set("pods", row.pods);
  value.set("held", row.held);
  json::Value& drivers = value.set("drivers", json::Value::object());
  for (const auto& [driver, devices] : row.devices)
    drivers.set(std::string(driver), devices);
  return value;
}

view::Table workload_table(const std::vector<WorkloadTop>& rows) {
  view::Table table = table_of({"NAMESPACE", "WORKLOAD", "CLAIMS", "PODS", "DEVICES"}, {"DRIVERS"});
  for (const WorkloadTop& row : rows) {
    std::vector<std::string> drivers;
    for (const auto& [driver, count] : row.devices)
      drivers.push_back(base::format("{} {}", count, driver));
    table.rows.push_back({cell(row.namespace_), cell(base::format("{}/{}", row.kind, row.name)),
                          cell(row.claims), cell(row.pods), cell(row.held),
                          cell(or_none(base::join(drivers, ", ")))});
  }
  return table;
}

}  // namespace dra::report

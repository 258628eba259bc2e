// src/report/doctor/overview.cpp: collects the facts of an overview, and presents them as JSON.

#include "dra/report/doctor/overview.h"

#include <algorithm>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/pods.h"
#include "dra/report/doctor/problems.h"
#include "dra/report/phrases/envelope.h"

namespace dra::report {
namespace {

bool is_in(const api::ObjectMeta& meta, std::string_view ns) {
  return ns.empty() || meta.namespace_ == ns;
}

ClaimCounts count_claims(const snapshot::Snapshot& snapshot, std::string_view ns) {
  ClaimCounts counts;
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>()) {
    if (!is_in(claim.meta, ns)) continue;
    ++counts.total;
    if (claim.meta.deleted) {
      ++counts.deleting;
    } else if (!claim.allocated()) {
      ++counts.pending;
    } else if (!claim.status.reserved_for.empty()) {
      ++counts.reserved;
    } else {
      ++counts.allocated;
    }
  }
  return counts;
}

json::Value to_json(const std::optional<ClaimCounts>& counts) {
  if (!counts) return {};
  json::Value out = json::Value::object();
  out.set("total", counts->total);
  out.set("deleting", counts->deleting);
  out.set("pending", counts->pending);
  out.set("reserved", counts->reserved);
  out.set("allocated", counts->allocated);
  return out;
}

json::Value waiting_json(const Overview& overview) {
  if (!overview.waiting) return {};
  json::Value out = json::Value::object();
  out.set("count", overview.waiting->size());
  if (overview.waiting->empty()) return out;
  const api::ObjectMeta& meta = overview.waiting->front()->meta;
  json::Value oldest = json::Value::object();
  oldest.set("namespace", meta.namespace_);
  oldest.set("name", meta.name);
  if (meta.created) oldest.set("since", base::format_rfc3339(*meta.created));
  out.set("oldest", std::move(oldest));
  return out;
}

}  // namespace

std::string OverviewSource::command(std::string_view words) const {
  return diag::CommandLine(program).words(words).flags(flags).text();
}

Overview overview_of(const Scene& scene, std::string_view ns, diag::Detail detail) {
  Overview overview{.namespace_ = std::string(ns)};
  overview.server = scene.snapshot.server();
  overview.coverage = scene.snapshot.coverage();
  overview.drivers = engine::summarize_drivers(scene.snapshot, scene.inventory);
  const snapshot::Coverage& coverage = overview.coverage;
  if (coverage.saw(api::Kind::Claim, ns)) overview.claims = count_claims(scene.snapshot, ns);
  if (coverage.saw(api::Kind::Pod, ns)) {
    overview.waiting = engine::waiting_pods(scene.snapshot);
    std::erase_if(*overview.waiting, [ns](const api::Pod* pod) { return !is_in(pod->meta, ns); });
  }
  overview.problems =
      answers::find_problems({scene.snapshot, scene.inventory, scene.now}, ns, detail);
  return overview;
}

json::Value to_json(const Overview& overview, const OverviewSource& source) {
  json::Value report = report_object("Overview");
  json::Value from = json::Value::object();
  from.set("kind", source.kind);
  from.set("name", source.name);
  report.set("source", std::move(from));
  json::Value server = json::Value::object();
  server.set("version", overview.server.version);
  server.set("assumed", overview.server.assumed);
  report.set("server", std::move(server));
  if (!overview.namespace_.empty()) report.set("namespace", overview.namespace_);
  json::Value drivers = json::Value::array();
  for (const engine::DriverSummary& driver : overview.drivers)
    drivers.push(to_json(driver));
  report.set("drivers", std::move(drivers));
  report.set("claims", to_json(overview.claims));
  report.set("podsWaiting", waiting_json(overview));
  json::Value problems = json::Value::array();
  for (const answers::Problem& problem : overview.problems)
    problems.push(to_json(problem, source.command(problem.remedy.command)));
  report.set("problems", std::move(problems));
  add_coverage(report, overview.coverage);
  return report;
}

}  // namespace dra::report

// src/report/doctor/overview.cpp: an overview as JSON.

#include "dra/report/doctor/overview.h"

#include "dra/api/pod.h"
#include "dra/diag/command_line.h"
#include "dra/report/doctor/problems.h"
#include "dra/report/lists/list_drivers.h"
#include "dra/report/phrases/envelope.h"

namespace dra::report {
namespace {

json::Value to_json(const std::optional<answers::ClaimCounts>& counts) {
  if (!counts) return {};
  json::Value out = json::Value::object();
  out.set("total", counts->total);
  out.set("deleting", counts->deleting);
  out.set("pending", counts->pending);
  out.set("reserved", counts->reserved);
  out.set("allocated", counts->allocated);
  return out;
}

json::Value waiting_json(const answers::Overview& overview) {
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

json::Value to_json(const answers::Overview& overview, const OverviewSource& source) {
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
    problems.push(to_json(problem, source));
  report.set("problems", std::move(problems));
  add_coverage(report, overview.coverage);
  return report;
}

}  // namespace dra::report

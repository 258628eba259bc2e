// src/report/phrases/envelope.cpp: the common members of reports.

#include "dra/report/phrases/envelope.h"

#include "dra/api/kinds.h"
#include "dra/snapshot/builder.h"

namespace dra::report {

json::Value report_object(std::string_view kind) {
  json::Value object = json::Value::object();
  object.set("apiVersion", snapshot::kReportVersion);
  object.set("kind", kind);
  return object;
}

void add_coverage(json::Value& report, const snapshot::Coverage& coverage) {
  if (coverage.saw_all()) return;
  json::Value missing = json::Value::array();
  for (const snapshot::Missing& gap : coverage.missing()) {
    json::Value one = json::Value::object();
    one.set("kind", api::info_of(gap.kind).name);
    one.set("reason", gap.reason);
    missing.push(std::move(one));
  }
  json::Value out = json::Value::object();
  out.set("missing", std::move(missing));
  report.set("coverage", std::move(out));
}

}  // namespace dra::report

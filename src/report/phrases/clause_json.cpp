// src/report/phrases/clause_json.cpp: spans, and conditions with their counts.

#include "dra/report/phrases/clause_json.h"

namespace dra::report {

json::Value span_json(cel::Span span) {
  json::Value value = json::Value::array();
  value.push(span.begin);
  value.push(span.end);
  return value;
}

json::Value clause_json(const engine::ClauseCount& clause) {
  json::Value seen = json::Value::array();
  for (const engine::SeenInstead& one : clause.seen) {
    json::Value entry = json::Value::object();
    entry.set("value", one.text);
    entry.set("devices", one.devices);
    seen.push(std::move(entry));
  }
  json::Value value = json::Value::object();
  value.set("span", span_json(clause.clause.span));
  value.set("text", clause.clause.text);
  value.set("alone", clause.alone);
  value.set("after", clause.after);
  value.set("onlyObstacle", clause.only_obstacle);
  value.set("seen", std::move(seen));
  return value;
}

}  // namespace dra::report

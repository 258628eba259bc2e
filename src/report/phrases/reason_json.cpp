// src/report/phrases/reason_json.cpp: the fields of a reason in the order of the published schema.

#include "dra/report/phrases/reason_json.h"

#include "dra/report/phrases/clause_json.h"
#include "src/report/phrases/evidence_json.h"

namespace dra::report {

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

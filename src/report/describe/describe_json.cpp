// src/report/describe/describe_json.cpp: one function for each part of an object that descriptions
// of several kinds have.

#include "src/report/describe/describe_json.h"

#include "dra/base/time.h"
#include "dra/json/parse.h"
#include "dra/report/phrases/clause_json.h"

namespace dra::report {
namespace {

using json::Value;

bool has_content(const Value& value) {
  switch (value.kind()) {
    case json::Kind::Null:
      return false;
    case json::Kind::String:
      return !value.text().empty();
    case json::Kind::Object:
      return !value.members().empty();
    case json::Kind::Array:
      return !value.items().empty();
    case json::Kind::Bool:
    case json::Kind::Number:
      break;
  }
  return true;
}

// A driver's parameters in the shape that they have; text that is no JSON stays text.
Value raw_json(const api::RawJson& raw) {
  if (raw.text.empty()) return {};
  auto parsed = json::parse_json(raw.text);
  return parsed.ok() ? std::move(parsed).take() : Value(raw.text);
}

Value network_json(const api::NetworkData& network) {
  Value out = Value::object();
  set_if_any(out, "interfaceName", network.interface_name);
  set_if_any(out, "ips", texts_json(network.ips));
  set_if_any(out, "hardwareAddress", network.hardware_address);
  return out;
}

Value numbers_json(const std::vector<std::int64_t>& numbers) {
  Value list = Value::array();
  for (const std::int64_t number : numbers)
    list.push(number);
  return list;
}

Value bools_json(const std::vector<bool>& bools) {
  Value list = Value::array();
  for (const bool value : bools)
    list.push(value);
  return list;
}

void set_counts(Value& out, const engine::SelectorCount& count, std::size_t devices) {
  if (!count.answer->devices) {
    out.set("error", engine::on_one_line(*count.answer->selector.failure()));
    return;
  }
  out.set("devices", devices);
  out.set("alone", count.alone);
  out.set("after", count.after);
  if (count.failed > 0) out.set("failed", count.failed);
}

}  // namespace

void set_if_any(Value& object, std::string key, Value value) {
  if (has_content(value)) object.set(std::move(key), std::move(value));
}

Value time_json(api::Time time) { return time ? Value(base::format_rfc3339(*time)) : Value(); }

Value pairs_json(const api::Map<std::string_view>& pairs) {
  Value out = Value::object();
  for (const auto& entry : pairs)
    out.set(std::string(entry.key), entry.value);
  return out;
}

Value quantities_json(const api::Map<api::Quantity>& quantities) {
  Value out = Value::object();
  for (const auto& entry : quantities)
    out.set(std::string(entry.key), entry.value.text);
  return out;
}

Value conditions_json(const std::vector<api::Condition>& conditions) {
  Value list = Value::array();
  for (const api::Condition& condition : conditions) {
    Value& out = list.push(Value::object());
    out.set("type", condition.type);
    out.set("status", condition.status);
    set_if_any(out, "reason", condition.reason);
    set_if_any(out, "message", condition.message);
    set_if_any(out, "lastTransitionTime", time_json(condition.changed));
  }
  return list;
}

Value toleration_json(const api::Toleration& toleration) {
  Value out = Value::object();
  set_if_any(out, "key", toleration.key);
  set_if_any(out, "operator", toleration.op);
  set_if_any(out, "value", toleration.value);
  set_if_any(out, "effect", toleration.effect);
  if (toleration.seconds) out.set("tolerationSeconds", *toleration.seconds);
  return out;
}

Value tolerations_json(const std::vector<api::Toleration>& tolerations) {
  Value list = Value::array();
  for (const api::Toleration& toleration : tolerations)
    list.push(toleration_json(toleration));
  return list;
}

Value taint_json(const api::DeviceTaint& taint) {
  Value out = Value::object();
  out.set("key", taint.key);
  set_if_any(out, "value", taint.value);
  out.set("effect", taint.effect);
  set_if_any(out, "timeAdded", time_json(taint.added));
  return out;
}

Value attribute_json(const api::DeviceAttribute& attribute) {
  using Kind = api::DeviceAttribute::Kind;
  Value out = Value::object();
  switch (attribute.kind()) {
    case Kind::Int:
      out.set("int", attribute.as_int());
      break;
    case Kind::Bool:
      out.set("bool", attribute.as_bool());
      break;
    case Kind::String:
      out.set("string", attribute.text());
      break;
    case Kind::Version:
      out.set("version", attribute.text());
      break;
    case Kind::Ints:
      out.set("ints", numbers_json(attribute.lists().ints));
      break;
    case Kind::Bools:
      out.set("bools", bools_json(attribute.lists().bools));
      break;
    case Kind::Strings:
      out.set("strings", texts_json(attribute.lists().strings));
      break;
    case Kind::Versions:
      out.set("versions", texts_json(attribute.lists().versions));
      break;
    case Kind::None:
      break;
  }
  return out;
}

Value attributes_json(const api::Device& device) {
  Value out = Value::object();
  for (const auto& entry : device.attributes)
    out.set(std::string(entry.key), attribute_json(entry.value));
  return out;
}

Value opaque_json(const api::Opaque& opaque) {
  Value out = Value::object();
  out.set("driver", opaque.driver);
  set_if_any(out, "parameters", raw_json(opaque.parameters));
  return out;
}

Value device_status_json(const api::DeviceStatus& status) {
  Value out = device_id_json({status.driver, status.pool, status.device});
  set_if_any(out, "shareID", status.share_id);
  set_if_any(out, "conditions", conditions_json(status.conditions));
  if (status.network) set_if_any(out, "networkData", network_json(*status.network));
  set_if_any(out, "data", raw_json(status.data));
  return out;
}

Value object_name_json(const api::ObjectMeta& meta) {
  Value out = Value::object();
  set_if_any(out, "namespace", meta.namespace_);
  out.set("name", meta.name);
  return out;
}

Value device_id_json(const engine::DeviceId& id) {
  Value out = Value::object();
  out.set("driver", id.driver);
  out.set("pool", id.pool);
  out.set("device", id.device);
  return out;
}

Value selectors_json(const std::vector<std::string_view>& expressions, std::size_t of_class,
                     const engine::Selection* selection, engine::Answers* answers) {
  Value list = Value::array();
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    Value& out = list.push(Value::object());
    out.set("source", i < of_class ? "class" : "request");
    out.set("expression", expressions[i]);
    if (selection == nullptr) continue;
    set_counts(out, selection->selectors[i], selection->devices.size());
    const auto& clauses = answers->clauses_of(expressions[i]);
    if (!clauses || clauses->clauses.size() < 2) continue;
    Value& parts = out.set("clauses", Value::array());
    for (const engine::ClauseCount& clause : clauses->clauses)
      parts.push(clause_json(clause));
  }
  return list;
}

}  // namespace dra::report

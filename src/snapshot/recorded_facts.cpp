// src/snapshot/recorded_facts.cpp: each fact is an entry of the ConfigMap's data; facts by kind are
// JSON in it.

#include "src/snapshot/recorded_facts.h"

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "dra/base/text.h"
#include "dra/json/parse.h"
#include "dra/json/write.h"

namespace dra::snapshot {
namespace {

constexpr std::string_view kName = "kubectl-dra-snapshot";

const api::KindInfo* kind_by_resource(std::string_view resource) {
  const auto kinds = api::all_kinds();
  const auto found = std::ranges::find(kinds, resource, &api::KindInfo::resource);
  return found == kinds.end() ? nullptr : &*found;
}

// Data of a ConfigMap is text, so values by kind are small JSON objects: {"pods": "..."}.
Result<std::vector<std::pair<api::Kind, std::string>>> by_kind(const api::ConfigMap& config_map,
                                                               std::string_view key) {
  std::vector<std::pair<api::Kind, std::string>> out;
  const std::string_view* text = api::find(config_map.data, key);
  if (text == nullptr) return out;
  const json::Value value =
      DRA_TRY(json::parse_json(*text).context(base::format("ConfigMap {}: data.{}", kName, key)));
  for (const json::Member& member : value.members()) {
    if (const api::KindInfo* kind = kind_by_resource(member.key)) {
      out.emplace_back(kind->kind, member.value.text());
    }
  }
  return out;
}

}  // namespace

const api::ConfigMap* find_recorded_facts(const std::vector<api::ConfigMap>& config_maps) {
  const auto found = std::ranges::find_if(
      config_maps, [](const api::ConfigMap& map) { return map.meta.name == kName; });
  return found == config_maps.end() ? nullptr : &*found;
}

Result<RecordedFacts> read_recorded_facts(const api::ConfigMap& config_map) {
  RecordedFacts facts;
  if (const auto* version = api::find(config_map.data, "serverVersion")) {
    facts.server = {.version = std::string(*version), .assumed = false};
  }
  if (const auto* time = api::find(config_map.data, "time")) {
    facts.taken =
        DRA_TRY(base::parse_rfc3339(*time).context(base::format("ConfigMap {}: data.time", kName)));
  }
  if (const auto* gates = api::find(config_map.data, "featureGates")) {
    const json::Value value = DRA_TRY(
        json::parse_json(*gates).context(base::format("ConfigMap {}: data.featureGates", kName)));
    for (const json::Member& gate : value.members())
      facts.server.gates.emplace_back(gate.key, gate.value.text() == "true");
    facts.server.gates_known = !facts.server.gates.empty();
  }
  if (const auto* versions = api::find(config_map.data, "draVersions")) {
    for (const std::string_view version : base::split(*versions, ' '))
      facts.server.dra_versions.emplace_back(version);
  }
  const auto missing = DRA_TRY(by_kind(config_map, "missing"));
  const auto read_in = DRA_TRY(by_kind(config_map, "readIn"));
  for (const auto& [kind, reason] : missing) {
    const auto but = std::ranges::find(read_in, kind, [](const auto& one) { return one.first; });
    facts.missing.push_back({kind, reason, but == read_in.end() ? std::string() : but->second});
  }
  facts.resource_versions = DRA_TRY(by_kind(config_map, "resourceVersions"));
  return facts;
}

json::Value write_recorded_facts(const RecordedFacts& facts) {
  json::Value data = json::Value::object();
  if (!facts.server.assumed) data.set("serverVersion", facts.server.version);
  if (facts.taken) data.set("time", base::format_rfc3339(*facts.taken));
  json::Value gates = json::Value::object();
  for (const auto& [name, on] : facts.server.gates)
    gates.set(name, on);
  if (facts.server.gates_known) data.set("featureGates", write_json(gates, json::Style::Compact));
  if (!facts.server.dra_versions.empty())
    data.set("draVersions", base::join(facts.server.dra_versions, " "));
  json::Value missing = json::Value::object();
  json::Value read_in = json::Value::object();
  for (const Missing& kind : facts.missing) {
    const std::string resource(api::info_of(kind.kind).resource);
    missing.set(resource, kind.reason);
    if (!kind.but_in.empty()) read_in.set(resource, kind.but_in);
  }
  if (!missing.members().empty()) data.set("missing", write_json(missing, json::Style::Compact));
  if (!read_in.members().empty()) data.set("readIn", write_json(read_in, json::Style::Compact));
  json::Value versions = json::Value::object();
  for (const auto& [kind, version] : facts.resource_versions) {
    versions.set(std::string(api::info_of(kind).resource), version);
  }
  if (!versions.members().empty()) {
    data.set("resourceVersions", write_json(versions, json::Style::Compact));
  }
  json::Value meta = json::Value::object();
  meta.set("name", kName);
  meta.set("namespace", "default");
  json::Value map = json::Value::object();
  map.set("apiVersion", "v1");
  map.set("data", std::move(data));
  map.set("kind", "ConfigMap");
  map.set("metadata", std::move(meta));
  return map;
}

}  // namespace dra::snapshot

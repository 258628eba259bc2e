// src/report/describe/describe_environment.cpp: the lines of variables, and the overrides of
// containers.

#include "src/report/describe/describe_environment.h"

#include <algorithm>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/facts/tpu_variables.h"
#include "dra/report/phrases/environment_json.h"
#include "dra/report/phrases/environment_words.h"
#include "dra/topology/tpu_environment.h"
#include "src/report/describe/describe_json.h"

namespace dra::report {
namespace {

using topology::TpuOverride;
using topology::TpuVariable;
using view::Tone;

constexpr std::size_t kMaxOverrides = 12;  // a claim may have many pods

const TpuVariable* older_of(const topology::TpuEnvironment& environment, std::string_view name) {
  for (const TpuVariable& variable : environment.variables) {
    const engine::TpuVariableName* known = engine::tpu_variable(variable.name);
    if (known != nullptr && known->newer == name) return &variable;
  }
  return nullptr;
}

// Variables that are equal for all devices are one line, and so are two names of one variable.
view::Fields lines_of(const topology::TpuEnvironment& environment) {
  view::Fields fields = section_fields();
  std::vector<std::string_view> devices;
  std::string value;
  for (const TpuVariable& variable : environment.variables) {
    if (!variable.device.empty()) {
      devices.push_back(variable.device);
      value = variable.value;
      continue;
    }
    if (repeats_another(variable)) continue;
    const TpuVariable* older = older_of(environment, variable.name);
    std::vector<view::Span> spans = {span(variable.value)};
    if (older != nullptr)
      spans.push_back(span(base::format("  (also {})", older->name), Tone::Dim));
    fields.fields.push_back({variable.name, std::move(spans)});
  }
  if (devices.empty()) return fields;
  const std::string names = devices.size() == 1 ? std::string(devices.front())
                                                : base::format("{{{}}}", fold_names(devices));
  add_line(fields, topology::device_variable(names), value);
  return fields;
}

view::Table overrides_table(const std::vector<TpuOverride>& overrides, const api::Pod* spoken_of) {
  view::Table table =
      section_table({"POD", "CONTAINER", "SETS ITSELF", "TO", "DRIVER"}, {"SETS ITSELF", "DRIVER"});
  for (const TpuOverride& set : overrides) {
    if (table.rows.size() == kMaxOverrides) break;
    table.rows.push_back({cell(set.pod == spoken_of ? std::string_view() : set.pod->meta.name),
                          cell(set.container), cell(set.name),
                          cell(own_value(set), set.differs() ? Tone::Warn : Tone::Plain),
                          cell(set.driver ? *set.driver : "nothing")});
  }
  drop_empty_columns(table);
  return table;
}

std::vector<TpuOverride> overrides_of(const Scene& scene,
                                      const topology::TpuEnvironment& environment,
                                      const api::ResourceClaim& claim, const api::Pod* pod) {
  if (pod != nullptr) return topology::tpu_overrides(environment, claim, *pod);
  std::vector<TpuOverride> all;
  for (const api::Pod* one : topology::pods_with(scene.snapshot, claim))
    std::ranges::move(topology::tpu_overrides(environment, claim, *one), std::back_inserter(all));
  return all;
}

json::Value environment_json(const topology::TpuEnvironment& environment,
                             const std::vector<TpuOverride>& overrides) {
  json::Value out = json::Value::object();
  out.set("node", environment.node);
  set_if_any(out, "refused", environment.refused);
  out.set("environment", variables_json(environment));
  set_if_any(out, "overrides", overrides_json(overrides));
  set_if_any(out, "notes", texts_json(environment.notes));
  return out;
}

}  // namespace

json::Value add_environment(Description& out, const api::ResourceClaim& claim, const api::Pod* pod,
                            std::string_view title_suffix) {
  const Scene& scene = out.scene();
  const auto environment = topology::tpu_environment(scene.snapshot, scene.inventory, claim);
  if (!environment) return {};
  const auto overrides = overrides_of(scene, *environment, claim, pod);
  for (const std::string& words : difference_words(overrides, pod)) {
    out.problem(capitalised(base::format("{}: {}", words, kDifferenceMeans)),
                "Leave that to the driver, which knows the chips that the pod gets.", Tone::Warn);
  }
  out.section(base::format("Environment of the driver (derived){}", title_suffix));
  if (!environment->refused.empty())
    out.note(sentence(base::format("None: {}", environment->refused)));
  out.add(lines_of(*environment));
  for (const std::string& note : environment->notes)
    out.note(sentence(note));
  out.add(overrides_table(overrides, pod));
  if (overrides.size() > kMaxOverrides)
    out.note(base::format("and {} more", overrides.size() - kMaxOverrides));
  return environment_json(*environment, overrides);
}

}  // namespace dra::report

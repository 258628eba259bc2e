// src/engine/cluster/taints.cpp: see taints.h.

#include "dra/engine/cluster/taints.h"

#include <algorithm>

#include "dra/api/taint_rule.h"
#include "dra/base/text.h"

namespace dra::engine {

Taints::Taints(const snapshot::Snapshot& snapshot, const Features& features,
               const Overrides& overrides)
    : enabled_(features.on(Gate::DRADeviceTaints) && !overrides.untainted) {
  if (!enabled_ || !features.on(Gate::DRADeviceTaintRules)) return;
  for (const api::DeviceTaintRule& rule : snapshot.all<api::DeviceTaintRule>()) {
    if (rule.spec.selector && rule.spec.taint.keeps_pods_away()) rules_.push_back(&rule);
  }
}

std::vector<DeviceTaintOf> Taints::blocking(const DeviceId& id, const api::Device& device) const {
  std::vector<DeviceTaintOf> taints;
  if (!enabled_) return taints;
  for (const api::DeviceTaint& taint : device.taints) {
    if (taint.keeps_pods_away()) taints.push_back({&taint, nullptr});
  }
  for (const api::DeviceTaintRule* rule : rules_) {
    if (selects(*rule, id)) taints.push_back({&rule->spec.taint, rule});
  }
  return taints;
}

std::string describe_taint(std::string_view key, std::string_view value, std::string_view effect) {
  const std::string is = value.empty() ? std::string() : base::format("={}", value);
  return base::format("{}{}:{}", key, is, effect);
}

// A rule without a selector selects no device; one with an empty selector selects every device.
bool selects(const api::DeviceTaintRule& rule, const DeviceId& id) {
  if (!rule.spec.selector) return false;
  const api::TaintSelector& selector = *rule.spec.selector;
  return selector.driver.value_or(id.driver) == id.driver &&
         selector.pool.value_or(id.pool) == id.pool &&
         selector.device.value_or(id.device) == id.device;
}

// An empty effect or key matches all; an empty operator is Equal.
bool tolerates(const api::Toleration& toleration, const api::DeviceTaint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op == "Exists") return true;
  return (toleration.op.empty() || toleration.op == "Equal") && toleration.value == taint.value;
}

bool tolerates_all(std::span<const api::Toleration> tolerations,
                   std::span<const DeviceTaintOf> taints) {
  return std::ranges::all_of(taints, [&tolerations](const DeviceTaintOf& on_device) {
    return std::ranges::any_of(tolerations, [&on_device](const api::Toleration& toleration) {
      return tolerates(toleration, *on_device.taint);
    });
  });
}

}  // namespace dra::engine

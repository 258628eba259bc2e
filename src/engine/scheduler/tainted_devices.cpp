// src/engine/scheduler/tainted_devices.cpp: see tainted_devices.h.

#include "src/engine/scheduler/tainted_devices.h"

#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "src/engine/scheduler/demand_counts.h"

namespace dra::engine {
namespace {

// " of taint rule r, which selects every device of the cluster".
std::string words_of(const api::DeviceTaintRule& rule) {
  const bool all = rule.spec.selector && rule.spec.selector->is_empty();
  return base::format(" of taint rule {}{}", rule.meta.name,
                      all ? ", which selects every device of the cluster" : "");
}

}  // namespace

void TaintedDevices::add(const Seen& seen) {
  std::set<std::string_view> keys;  // a device may have one taint with several effects
  for (const DeviceTaintOf& taint : seen.facts->taints) {
    by_key_[taint.taint->key].by.insert(taint.rule);
    keys.insert(taint.taint->key);
  }
  for (const std::string_view key : keys)
    add_example(by_key_[key].reason, seen);
}

void TaintedDevices::move_to(std::vector<diag::Reason>& reasons) {
  for (auto& [key, found] : by_key_) {
    const api::DeviceTaintRule* rule = found.by.size() == 1 ? *found.by.begin() : nullptr;
    found.reason.message =
        base::format("{} with taint {}{}", base::plural(found.reason.devices, "device"), key,
                     rule == nullptr ? std::string() : words_of(*rule));
    reasons.push_back(std::move(found.reason));
  }
}

}  // namespace dra::engine

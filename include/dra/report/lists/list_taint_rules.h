// include/dra/report/lists/list_taint_rules.h
//
// `kubectl dra taintrules`: how many devices each DeviceTaintRule selects, and how many pods it
// evicts.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/report/lists/list.h"

namespace dra::report {

struct TaintRuleRow {
  const api::DeviceTaintRule* rule;
  std::optional<std::int64_t> devices;  // that it selects
  // That it evicts: they use such a device and do not tolerate the taint. Zero where the effect is
  // not NoExecute, or a feature gate that rules need is off.
  std::optional<std::int64_t> pods;
};

// In the order of `rules`.
std::vector<TaintRuleRow> taint_rule_rows(const snapshot::Snapshot& snapshot,
                                          const engine::Inventory& inventory,
                                          std::span<const api::DeviceTaintRule* const> rules);
view::Document taint_rules_view(std::span<const TaintRuleRow> rows, const ListOptions& options);

}  // namespace dra::report

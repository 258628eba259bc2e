// src/report/lists/list_taint_rules.cpp: see list_taint_rules.h.

#include "dra/report/lists/list_taint_rules.h"
#include "dra/engine/cluster/taints.h"

#include <algorithm>

#include "dra/engine/running/eviction.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

constexpr std::string_view kAny = "<any>";

// Without a selector a rule names no device; a field that is not set stands for all.
view::Cell part(const api::DeviceTaintRule& rule,
                std::optional<std::string_view> api::TaintSelector::*field) {
  if (!rule.spec.selector) return cell(kNone);
  return cell(((*rule.spec.selector).*field).value_or(kAny));
}

view::Cell pods_cell(const TaintRuleRow& row) {
  view::Cell pods = cell_if_known(row.pods);
  const bool evicts = row.rule->spec.taint.effect == api::kTaintNoExecute;
  if (evicts && row.pods.value_or(0) > 0) pods.tone = view::Tone::Bad;
  return pods;
}

}  // namespace

std::vector<TaintRuleRow> taint_rule_rows(const snapshot::Snapshot& snapshot,
                                          const engine::Inventory& inventory,
                                          std::span<const api::DeviceTaintRule* const> rules) {
  const snapshot::Coverage& coverage = snapshot.coverage();
  std::vector<TaintRuleRow> rows;
  for (const api::DeviceTaintRule* rule : rules) {
    TaintRuleRow row{.rule = rule, .devices = {}, .pods = {}};
    if (coverage.saw(api::Kind::Slice)) {
      row.devices =
          std::ranges::count_if(inventory.devices(), [rule](const engine::InventoryDevice& device) {
            return engine::selects(*rule, device.published.id());
          });
    }
    if (coverage.saw(api::Kind::Claim) && coverage.saw(api::Kind::Pod)) {
      const auto pods = engine::pods_affected(snapshot, inventory.usage(), *rule);
      row.pods = static_cast<std::int64_t>(pods.size());
    }
    rows.push_back(row);
  }
  return rows;
}

view::Document taint_rules_view(std::span<const TaintRuleRow> rows, const ListOptions& options) {
  view::Table table =
      table_of({"NAME", "DRIVER", "POOL", "DEVICE", "TAINT", "DEVICES", "PODS", "AGE"});
  for (const TaintRuleRow& row : rows) {
    const api::DeviceTaintRule& rule = *row.rule;
    const api::DeviceTaint& taint = rule.spec.taint;
    table.rows.push_back(
        {cell(rule.meta.name), part(rule, &api::TaintSelector::driver),
         part(rule, &api::TaintSelector::pool), part(rule, &api::TaintSelector::device),
         cell(engine::describe_taint(taint.key, taint.value, taint.effect)),
         cell_if_known(row.devices), pods_cell(row), cell(age_of(rule.meta.created, options.now))});
  }
  view::Document document;
  document.add(std::move(table));
  return document;
}

}  // namespace dra::report

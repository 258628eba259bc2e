// src/report/lists/list_taint_rules.cpp: the devices and pods of each rule, and the columns of
// `kubectl dra taintrules`.

#include "dra/report/lists/list_taint_rules.h"

#include <algorithm>

#include "dra/api/taint_rule.h"
#include "dra/engine/cluster/taints.h"
#include "dra/engine/running/eviction.h"
#include "dra/report/phrases/words.h"
#include "src/report/lists/column.h"

namespace dra::report {
namespace {

constexpr std::string_view kAny = "<any>";

// A rule without a selector selects no device; a selector field that is not set matches all.
std::function<json::Value(const TaintRuleRow&)> selected(
    std::optional<std::string_view> api::TaintSelector::*field) {
  return [field](const TaintRuleRow& row) {
    const auto& selector = row.rule->spec.selector;
    return selector ? ((*selector).*field).value_or(kAny) : kNone;
  };
}

std::string taint_text(const TaintRuleRow& row) {
  const api::DeviceTaint& taint = row.rule->spec.taint;
  return engine::describe_taint(taint.key, taint.value, taint.effect);
}

view::Cell pods_cell(const TaintRuleRow& row) {
  view::Cell pods = cell_if_known(row.pods);
  if (row.pods.value_or(0) > 0) pods.tone = view::Tone::Bad;
  return pods;
}

Columns<TaintRuleRow> taint_rule_columns(const ListOptions& options) {
  return {
      {.title = "NAME", .value = [](const TaintRuleRow& row) { return row.rule->meta.name; }},
      {.title = "DRIVER", .value = selected(&api::TaintSelector::driver)},
      {.title = "POOL", .value = selected(&api::TaintSelector::pool)},
      {.title = "DEVICE", .value = selected(&api::TaintSelector::device)},
      {.title = "TAINT", .value = taint_text},
      {.title = "DEVICES", .value = if_known(&TaintRuleRow::devices)},
      {.title = "PODS", .cell = pods_cell},
      {.title = "AGE",
       .value = [now = options.now](
                    const TaintRuleRow& row) { return age_of(row.rule->meta.created, now); }},
  };
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
      row.pods = engine::acts_by_eviction(snapshot.server(), *rule)
                     ? std::ssize(engine::pods_affected(snapshot, inventory.usage(), *rule))
                     : 0;
    }
    rows.push_back(row);
  }
  return rows;
}

view::Document taint_rules_view(std::span<const TaintRuleRow> rows, const ListOptions& options) {
  return list_view(taint_rule_columns(options), rows);
}

}  // namespace dra::report

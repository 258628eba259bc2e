// src/engine/scheduler/rules/device_rule.cpp: the table of rules, and what is asked of all of them.

#include "src/engine/scheduler/rules/device_rule.h"

#include <algorithm>
#include <array>

#include "dra/base/text.h"

namespace dra::engine {
namespace {

struct Row {
  diag::Code code;
  ReasonPlace place;
  const DeviceRule* rule;
};

constexpr std::array<Row, kRuleCount> kRows = {{
#define DRA_DEVICE_RULE(name, code, place) {diag::Code::code, ReasonPlace::place, &rules::k##name},
#include "src/engine/scheduler/rules/rules.def"
#undef DRA_DEVICE_RULE
}};

constexpr const Row& row_of(Rule rule) { return kRows[static_cast<std::size_t>(rule)]; }

constexpr std::size_t kOrdered = static_cast<std::size_t>(std::ranges::count_if(
    kRows, [](const Row& row) { return row.place != ReasonPlace::WithNode; }));

constexpr std::array<Rule, kOrdered> order_of_reasons() {
  std::array<Rule, kOrdered> ordered{};
  std::size_t next = 0;
  for (const ReasonPlace place :
       {ReasonPlace::First, ReasonPlace::Feature, ReasonPlace::Amount, ReasonPlace::Last}) {
    for (std::size_t i = 0; i < kRuleCount; ++i) {
      if (kRows[i].place == place) ordered[next++] = static_cast<Rule>(i);
    }
  }
  return ordered;
}

constexpr std::array<Rule, kOrdered> kInOrder = order_of_reasons();

}  // namespace

diag::Code code_of(Rule rule) { return row_of(rule).code; }

const DeviceRule& device_rule(Rule rule) { return *row_of(rule).rule; }

std::span<const Rule> rules_in_order() { return kInOrder; }

Rules judge(DeviceCheck& check) {
  Rules against;
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    const DeviceRule& rule = *kRows[i].rule;
    if (rule.rejects == nullptr || !rule.rejects(check)) continue;
    against.add(static_cast<Rule>(i));
    if (rule.ends) break;
  }
  return against;
}

Rules rules_outside_all() {
  Rules outside;
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    if (kRows[i].rule->outside_all) outside.add(static_cast<Rule>(i));
  }
  return outside;
}

Outcome DeviceCheck::outcome() {
  if (!known_outcome)
    known_outcome = input.demands.outcome(chooser, device.published).value_or(Outcome::Chosen);
  return *known_outcome;
}

const CapacityDraw* DeviceCheck::draw() {
  if (!drawn && outcome() == Outcome::Chosen && device.for_node &&
      input.on(Gate::DRAConsumableCapacity))
    known_draw = draw_for(input, demand, device);
  drawn = true;
  return known_draw ? &*known_draw : nullptr;
}

Fault DeviceCheck::fault() const {
  if (known_outcome == Outcome::Failed) return Fault::Selector;
  // Before 1.37 an amount that cannot be computed rejects the device only.
  return known_draw && known_draw->fatal() && input.release >= 37 ? Fault::Capacity : Fault::None;
}

std::string Rejection::count() const {
  return base::plural(static_cast<std::int64_t>(devices.size()), "device");
}

diag::Reason reason_about(diag::Code code, const DemandHere& demand, const SeenDevice& device) {
  return {.code = code,
          .claim = demand.subject_claim->label(),
          .request = demand.name,
          .devices = 1,
          .examples = {to_string(device.id())}};
}

}  // namespace dra::engine

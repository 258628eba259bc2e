// src/engine/scheduler/rules/device_rule.cpp: the table of rules, and what is asked of all of them.

#include "src/engine/scheduler/rules/device_rule.h"

#include <algorithm>
#include <array>

#include "dra/base/text.h"

namespace dra::engine {
namespace {

struct Row {
  diag::Code code;
  Told told;
  const DeviceRule* rule;
};

constexpr std::array<Row, kRuleCount> kRows = {{
#define DRA_DEVICE_RULE(name, code, told) {diag::Code::code, Told::told, &rules::k##name},
#include "src/engine/scheduler/rules/rules.def"
#undef DRA_DEVICE_RULE
}};

constexpr const Row& row_of(Rule rule) { return kRows[static_cast<std::size_t>(rule)]; }

constexpr std::size_t kToldCount = static_cast<std::size_t>(
    std::ranges::count_if(kRows, [](const Row& row) { return row.told != Told::WithNode; }));

constexpr std::array<Rule, kToldCount> in_order_of_telling() {
  std::array<Rule, kToldCount> told{};
  std::size_t next = 0;
  for (const Told place : {Told::First, Told::Feature, Told::Amount, Told::Last}) {
    for (std::size_t i = 0; i < kRuleCount; ++i) {
      if (kRows[i].told == place) told[next++] = static_cast<Rule>(i);
    }
  }
  return told;
}

constexpr std::array<Rule, kToldCount> kTold = in_order_of_telling();

}  // namespace

diag::Code code_of(Rule rule) { return row_of(rule).code; }

const DeviceRule& device_rule(Rule rule) { return *row_of(rule).rule; }

std::span<const Rule> told_rules() { return kTold; }

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

// src/engine/selectors/selection.cpp: combines the answers of several selectors device by device,
// after reading off each selector's outcome once per group of its answer.

#include "dra/engine/selectors/selection.h"

#include <algorithm>

namespace dra::engine {
namespace {

// The outcome of a selector for each group of its answer.
class GroupOutcomes {
 public:
  explicit GroupOutcomes(const SelectorAnswer& answer) : devices_(nullptr) {
    if (!answer.devices) return;
    devices_ = &*answer.devices;
    for (const AnswerGroup& group : devices_->groups()) {
      outcomes_.push_back(group.answer.failure   ? Outcome::Failed
                          : group.answer.matches ? Outcome::Chosen
                                                 : Outcome::PassedOver);
    }
  }

  Outcome of(std::size_t device) const {
    return devices_ == nullptr ? Outcome::Failed : outcomes_[devices_->group_of(device)];
  }

 private:
  const FleetAnswer* devices_;  // nullptr: it does not compile
  std::vector<Outcome> outcomes_;
};

Outcome ask(std::vector<SelectorCount>& selectors, const std::vector<GroupOutcomes>& outcomes,
            std::size_t device) {
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    ++selectors[i].reached;
    const Outcome outcome = outcomes[i].of(device);
    if (outcome == Outcome::Failed) ++selectors[i].failed;
    if (outcome != Outcome::Chosen) return outcome;
    ++selectors[i].after;
  }
  return Outcome::Chosen;
}

// The selector that fails for a device with the outcome Failed.
std::size_t failed_selector(const Selection& selection, std::size_t device) {
  const auto& all = selection.selectors;
  const auto failed = std::ranges::find_if(all, [device](const SelectorCount& count) {
    return failure_for(*count.answer, device) != nullptr;
  });
  return static_cast<std::size_t>(failed - all.begin());
}

}  // namespace

const Failure* failure_for(const SelectorAnswer& answer, std::size_t device) {
  if (!answer.devices) return &*answer.selector.failure();
  const Answer& said = answer.devices->of(device);
  return said.failure ? &*said.failure : nullptr;
}

std::vector<std::string_view> expressions_of(const std::vector<api::DeviceSelector>& selectors,
                                             const std::vector<api::DeviceSelector>& then) {
  std::vector<std::string_view> expressions;
  expressions.reserve(selectors.size() + then.size());
  for (const auto* list : {&selectors, &then}) {
    for (const api::DeviceSelector& selector : *list)
      expressions.push_back(selector.expression());
  }
  return expressions;
}

Answers answers_for(const Inventory& inventory, const snapshot::Server& server) {
  Fleet fleet;
  for (const Pool& pool : inventory.pools()) {
    for (const api::ResourceSlice* slice : pool.slices)
      fleet.add(*slice);
  }
  return {std::move(fleet), language_of(server, Expressions::Stored)};
}

const SelectorAnswer& Answers::of(std::string_view expression) {
  const auto known = known_.find(expression);
  if (known != known_.end()) return *known->second;
  auto made = std::make_unique<SelectorAnswer>(
      SelectorAnswer{Selector(expression, language_), std::nullopt});
  if (made->selector.program() != nullptr) made->devices.emplace(made->selector, fleet_);
  return *known_.emplace(std::string(expression), std::move(made)).first->second;
}

const std::optional<ClauseTable>& Answers::clauses_of(std::string_view expression) {
  const auto known = clauses_.find(expression);
  if (known != clauses_.end()) return known->second;
  const SelectorAnswer& answer = of(expression);
  auto& table = clauses_[std::string(expression)];
  if (!answer.devices) return table;
  const Asked asked{&answer.selector, &*answer.devices};
  table = clause_table(fleet_, {&asked, 1});
  return table;
}

bool Selection::compiles() const {
  return std::ranges::all_of(
      selectors, [](const SelectorCount& count) { return count.answer->devices.has_value(); });
}

Selection choose(Answers& answers, std::span<const std::string_view> expressions) {
  Selection selection;
  for (const std::string_view expression : expressions) {
    const SelectorAnswer& answer = answers.of(expression);
    const std::size_t alone = answer.devices ? answer.devices->matches() : 0;
    selection.selectors.push_back({.answer = &answer, .alone = alone});
  }
  std::vector<GroupOutcomes> outcomes;
  for (const SelectorCount& count : selection.selectors)
    outcomes.emplace_back(*count.answer);
  selection.devices.reserve(answers.fleet().size());
  for (std::size_t device = 0; device < answers.fleet().size(); ++device) {
    const Outcome outcome = ask(selection.selectors, outcomes, device);
    selection.devices.push_back(outcome);
    selection.chosen += outcome == Outcome::Chosen ? 1 : 0;
    selection.failed += outcome == Outcome::Failed ? 1 : 0;
  }
  return selection;
}

Selection choose(Answers& answers, const std::vector<api::DeviceSelector>& selectors) {
  return choose(answers, expressions_of(selectors));
}

std::vector<FailureGroup> failures_of(const Selection& selection) {
  std::vector<FailureGroup> groups;
  std::map<std::pair<std::size_t, std::string_view>, std::size_t> known;
  for (std::size_t device = 0; device < selection.devices.size(); ++device) {
    if (selection.devices[device] != Outcome::Failed) continue;
    const std::size_t selector = failed_selector(selection, device);
    const Failure* failure = failure_for(*selection.selectors[selector].answer, device);
    const auto [group, is_new] =
        known.emplace(std::pair(selector, std::string_view(failure->message)), groups.size());
    if (is_new) groups.push_back({selector, failure, {}});
    groups[group->second].devices.push_back(device);
  }
  return groups;
}

}  // namespace dra::engine

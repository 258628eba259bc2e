// src/engine/demands.cpp: see demands.h.

#include "dra/engine/demands.h"

namespace dra::engine {

Demands::Demands(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                 const Subject& subject)
    : answers_(answers_for(inventory, snapshot.server())) {
  for (std::size_t i = 0; i < inventory.devices().size(); ++i)
    index_.emplace(inventory.devices()[i].published.device, i);
  for_each_unmet(subject, [&](const SubjectClaim&, const api::DeviceRequest& request) {
    for (const api::NamedDemand& demand : api::demands_of(request))
      ask(snapshot, *demand.demand);
  });
}

void Demands::ask(const snapshot::Snapshot& snapshot, const api::DeviceDemand& demand) {
  const auto* device_class = snapshot.find<api::DeviceClass>(demand.device_class);
  if (device_class == nullptr) return;
  const auto& of_class = device_class->spec.selectors;
  asked_.emplace(&demand, Demanded{of_class.size(),
                                   choose(answers_, expressions_of(of_class, demand.selectors))});
}

const Selection* Demands::of(const api::DeviceDemand& demand) const {
  const auto asked = asked_.find(&demand);
  return asked == asked_.end() ? nullptr : &asked->second.selection;
}

std::size_t Demands::of_class(const api::DeviceDemand& demand) const {
  const auto asked = asked_.find(&demand);
  return asked == asked_.end() ? 0 : asked->second.of_class;
}

std::optional<ClauseTable> Demands::clauses_of(const api::DeviceDemand& demand) const {
  const Selection* selection = of(demand);
  if (selection == nullptr || !selection->compiles()) return std::nullopt;
  std::vector<Asked> asked;
  for (const SelectorCount& count : selection->selectors)
    asked.push_back({&count.answer->selector, &*count.answer->devices});
  return clause_table(fleet(), asked);
}

std::optional<Said> Demands::said(const api::DeviceDemand& demand,
                                  const api::Device& device) const {
  const auto asked = asked_.find(&demand);
  const auto index = index_.find(&device);
  if (asked == asked_.end() || index == index_.end()) return std::nullopt;
  const Selection& selection = asked->second.selection;
  Said said{.outcome = selection.devices[index->second]};
  if (said.outcome == Outcome::Chosen) return said;
  const std::size_t of_class = asked->second.of_class;
  for (std::size_t i = 0; i < selection.selectors.size(); ++i) {
    const SelectorAnswer& answer = *selection.selectors[i].answer;
    said.failure = failure_for(answer, index->second);
    if (said.failure == nullptr && answer.devices->of(index->second).matches) continue;
    said.compiles = answer.devices.has_value();
    said.of_class = i < of_class;
    said.selector = said.of_class ? i : i - of_class;
    said.expression = answer.selector.expression();
    break;
  }
  return said;
}

}  // namespace dra::engine

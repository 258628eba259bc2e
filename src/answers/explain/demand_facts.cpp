// src/answers/explain/demand_facts.cpp: counts the devices that each selector leaves, in their
// order, and adds the findings about selectors that choose none.

#include "src/answers/explain/demand_facts.h"

#include "dra/answers/explain/selector_findings.h"

namespace dra::answers {
namespace {

DemandFacts facts_of_demand(const engine::Demands& demands, const engine::Inventory& inventory,
                            const api::DeviceDemand& demand, Detail detail) {
  const engine::Selection* selection = demands.of(demand);
  DemandFacts facts{.demand = &demand, .known = selection != nullptr};
  if (selection == nullptr) return facts;
  facts.devices = selection->devices.size();
  facts.chosen = selection->chosen;
  if (detail == Detail::Every) facts.free = engine::free_of(*selection, inventory);
  if (detail == Detail::Every || selection->chosen == 0) facts.clauses = demands.clauses_of(demand);
  facts.findings = findings_of(demands, demand, facts.clauses);
  const std::size_t of_class = demands.of_class(demand);
  for (std::size_t i = 0; i < selection->selectors.size(); ++i) {
    const engine::SelectorCount& count = selection->selectors[i];
    facts.selectors.push_back({.of_class = i < of_class,
                               .index = i < of_class ? i : i - of_class,
                               .expression = std::string(count.answer->selector.expression()),
                               .devices = count.reached,
                               .matched = count.after,
                               .failed = count.failed});
  }
  return facts;
}

// Suggestions are advice: the verdict does not depend on them.
void add_suggestions(const engine::Demands& demands, const snapshot::Server& server,
                     DemandFacts& facts) {
  if (facts.findings.empty()) return;
  std::vector<std::string_view> expressions;
  for (const SelectorFacts& selector : facts.selectors)
    expressions.push_back(selector.expression);
  facts.suggestions = engine::suggestions_for(demands.fleet(), expressions, server);
}

}  // namespace

std::vector<DemandFacts> demand_facts(const engine::Subject& subject,
                                      const engine::Demands& demands,
                                      const engine::Inventory& inventory,
                                      const snapshot::Server& server, Detail detail) {
  std::vector<DemandFacts> all;
  engine::for_each_unmet(
      subject, [&](const engine::SubjectClaim&, const api::DeviceRequest& request) {
        for (const api::NamedDemand& demand : api::demands_of(request)) {
          all.push_back(facts_of_demand(demands, inventory, *demand.demand, detail));
          if (detail == Detail::Every) add_suggestions(demands, server, all.back());
        }
      });
  return all;
}

}  // namespace dra::answers

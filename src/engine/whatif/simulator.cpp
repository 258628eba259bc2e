// src/engine/whatif/simulator.cpp: see simulator.h.

#include "dra/engine/whatif/simulator.h"

#include <algorithm>
#include <optional>

#include "dra/engine/scheduler/host_parts.h"

namespace dra::engine {

bool SimulationBudget::take() {
  used_up = used_up || simulations == 0;
  if (!used_up) --simulations;
  return !used_up;
}

void SimulationBudget::limit(std::size_t parts, std::size_t devices) {
  constexpr std::size_t most = 30'000'000;  // half a second
  const auto affordable = static_cast<std::int64_t>(most / (parts * devices + 1) + 1);
  simulations = std::min(simulations, affordable);
}

Simulator::Simulator(const snapshot::Snapshot& snapshot)
    : snapshot_(snapshot),
      own_inventory_(std::make_unique<Inventory>(snapshot)),
      own_loads_(std::make_unique<NodeLoads>(snapshot)),
      inventory_(own_inventory_.get()),
      loads_(own_loads_.get()),
      nodes_(nodes_of(snapshot)) {}

Simulator::Simulator(const snapshot::Snapshot& part, const OtherPodsReasons& elsewhere)
    : Simulator(part) {
  elsewhere_ = &elsewhere;
}

Simulator::Simulator(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                     const NodeLoads& loads)
    : snapshot_(snapshot), inventory_(&inventory), loads_(&loads), nodes_(nodes_of(snapshot)) {}

Simulation Simulator::run(const Hypothesis& hypothesis, OtherFilters filters) const {
  if (&hypothesis.base() != &snapshot_) {
    Simulator changed(hypothesis.base());
    changed.elsewhere_ = elsewhere_;
    return changed.run(hypothesis, filters);
  }
  std::optional<const NodeLoads> own_loads;
  if (!hypothesis.gone().empty()) own_loads.emplace(snapshot_, hypothesis.gone());
  std::optional<NodeFilters> other;
  const api::Pod* pod = hypothesis.subject().pod;
  if (filters == OtherFilters::Count && pod != nullptr && !nodes_.assumed)
    other.emplace(snapshot_, own_loads ? *own_loads : *loads_, *pod, elsewhere_);
  const NodeFilters* counting = other ? &*other : nullptr;
  if (!hypothesis.changes_inventory()) return look(hypothesis, *inventory_, counting);
  return look(hypothesis, Inventory(snapshot_, hypothesis.overrides()), counting);
}

Simulation Simulator::look(const Hypothesis& hypothesis, const Inventory& inventory,
                           const NodeFilters* filters) const {
  const Demands demands(snapshot_, inventory, hypothesis.subject(), hypothesis.classes());
  SearchBudget budget;
  const NodeContext context{inventory, snapshot_.coverage(), demands, budget, filters};
  NodeEvaluator evaluator(snapshot_, context, hypothesis.subject(), Depth::Answer);
  Simulation simulation;
  for (const api::Node& node : nodes_.nodes) {
    const NodeResult result = evaluator.evaluate(node);
    if (!result.passes_filters()) continue;
    if (result.is_feasible()) {
      simulation.nodes.push_back(node.meta.name);
      simulation.not_started =
          simulation.not_started || !host_parts(snapshot_, inventory, result).empty();
    }
    simulation.gives_up |= result.aborts();
    simulation.known &= result.fits() || result.is_ruled_out();
  }
  return simulation;
}

}  // namespace dra::engine

// include/dra/engine/whatif/simulator.h
//
// What the scheduler would do if something were otherwise: the allocator and the other filters, run
// again over some nodes for a subject that is supposed to be so.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/scheduler/standing.h"
#include "dra/engine/whatif/supposed.h"

namespace dra::engine {

// How often something may be tried. What is left untried when it is used up is never said to be in
// vain.
struct SimulationBudget {
  std::int64_t simulations = 2'000;
  bool used_up = false;

  // Whether there is one left, which is then taken.
  bool take();
};

struct Simulation {
  // Where nothing keeps the subject; by name.
  std::vector<std::string_view> nodes = {};
  bool gives_up = false;  // on the whole pod, at a node that the other filters let through
  bool known = true;      // every node was decided

  // The scheduler finds a node.
  bool works() const { return !nodes.empty() && !gives_up; }
  // It certainly finds none.
  bool fails() const { return gives_up || (nodes.empty() && known); }
};

// Which other filters count. A subject without a pod has none, and neither have nodes that are only
// assumed.
enum class OtherFilters : std::uint8_t { Count, Ignored };

// A cluster, and what is computed from it once for all trials: as it is, if nothing else is
// supposed.
class Simulator {
 public:
  // The snapshot must outlive it.
  explicit Simulator(const snapshot::Snapshot& snapshot);
  // The same of what somebody has computed already; these must outlive it, too.
  Simulator(const snapshot::Snapshot& snapshot, const Inventory& inventory, const NodeLoads& loads);

  const snapshot::Snapshot& snapshot() const { return snapshot_; }
  const Inventory& inventory() const { return *inventory_; }
  const Nodes& nodes() const { return nodes_; }

  // What is supposed must be of this snapshot.
  Simulation run(const Supposed& supposed, OtherFilters filters = OtherFilters::Count) const;

 private:
  Simulation look(const Supposed& supposed, const Inventory& inventory,
                  const NodeFilters* filters) const;

  const snapshot::Snapshot& snapshot_;
  std::unique_ptr<const Inventory> own_inventory_;
  std::unique_ptr<const NodeLoads> own_loads_;
  const Inventory* inventory_;
  const NodeLoads* loads_;
  Nodes nodes_;
};

}  // namespace dra::engine

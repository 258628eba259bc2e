// include/dra/engine/whatif/simulator.h
//
// What the scheduler would do if a hypothesis held: the allocator and the other filters, run again
// over the nodes. What a cluster's state alone decides is computed once for all runs.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/scheduler/node_result.h"
#include "dra/engine/whatif/hypothesis.h"

namespace dra::engine {

// How many runs there may be. What is left untried when they are used up is never said to be in
// vain.
struct SimulationBudget {
  std::int64_t simulations = 2'000;
  bool used_up = false;

  // Takes one; false: none is left.
  bool take();
  // Fewer for a subject of many parts that is tried on nodes with many devices: a run takes time
  // for each of both.
  void limit(std::size_t parts, std::size_t devices);
};

struct Simulation {
  // Where nothing keeps the subject. Names are those of the hypothesis' base.
  std::vector<std::string_view> nodes = {};
  bool gives_up = false;     // on the whole pod, at a node that the other filters let through
  bool known = true;         // every node was decided
  bool not_started = false;  // the subject would not start on some of the nodes: see host_parts.h

  // The scheduler finds a node.
  bool works() const { return !nodes.empty() && !gives_up; }
  // And the subject starts there, whichever it is.
  bool starts() const { return works() && !not_started; }
  // It certainly finds none.
  bool fails() const { return gives_up || (nodes.empty() && known); }
};

// Which other filters count. A subject without a pod has none, and neither have nodes that are only
// assumed.
enum class OtherFilters : std::uint8_t { Count, Ignored };

class Simulator {
 public:
  // The snapshot must outlive it.
  explicit Simulator(const snapshot::Snapshot& snapshot);
  // A part of a cluster. What pods elsewhere have against its nodes is given, and stays as it is
  // whatever is supposed; against nodes that are added they have nothing. It must outlive the
  // simulator, too.
  Simulator(const snapshot::Snapshot& part, const OtherPodsReasons& elsewhere);
  // With what is computed already; it must outlive the simulator, too.
  Simulator(const snapshot::Snapshot& snapshot, const Inventory& inventory, const NodeLoads& loads);

  const snapshot::Snapshot& snapshot() const { return snapshot_; }
  const Inventory& inventory() const { return *inventory_; }
  const NodeLoads& loads() const { return *loads_; }
  const Nodes& nodes() const { return nodes_; }

  // The hypothesis was made of this snapshot. Where it has a base of its own, that is computed for
  // this run.
  Simulation run(const Hypothesis& hypothesis, OtherFilters filters = OtherFilters::Count) const;

 private:
  Simulation look(const Hypothesis& hypothesis, const Inventory& inventory,
                  const NodeFilters* filters) const;

  const snapshot::Snapshot& snapshot_;
  std::unique_ptr<const Inventory> own_inventory_;
  std::unique_ptr<const NodeLoads> own_loads_;
  const Inventory* inventory_;
  const NodeLoads* loads_;
  const OtherPodsReasons* elsewhere_ = nullptr;
  Nodes nodes_;
};

}  // namespace dra::engine

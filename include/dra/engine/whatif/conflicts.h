// include/dra/engine/whatif/conflicts.h
//
// Which parts of a demand, and which obstacles in the cluster, cannot hold together: minimal sets.
// No node serves a set even if everything else is dropped. If any one part of it is dropped, some
// node serves the rest. Sets prefer parts of the demand, so a set without Occupancy holds in an
// empty cluster.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/whatif/simulator.h"

namespace dra::engine {

struct DemandPart {
  enum class Kind : std::uint8_t {
    Request,     // with its count
    Selector,    // one of a demand's
    Constraint,  // of a claim
    Occupancy,   // what others hold
    Taint,       // of devices
    Pool,        // some are incomplete
    Filter,      // the scheduler's other filters
  };
  Kind kind = Kind::Request;
  std::string claim = {};    // as SubjectClaim::label(); of the first three
  std::string request = {};  // "req"; of a selector also "req/sub"
  bool of_class = false;     // the selector is the class's
  std::size_t index = 0;     // of the selector, the constraint

  friend bool operator==(const DemandPart&, const DemandPart&) = default;
};
std::string_view name_of(DemandPart::Kind kind);  // "request", as in reports

using Conflict = std::vector<DemandPart>;

struct ConflictsFound {
  std::vector<Conflict> conflicts;
  bool bounded = false;  // the budget ended the search, there may be more
};

inline constexpr std::size_t kMaxConflicts = 3;

// Everything that can be dropped.
std::vector<DemandPart> parts_of(const Simulator& simulator, const Wanted& wanted);
// A run in which only these parts hold.
Simulation simulate_with(const Simulator& simulator, const Wanted& wanted,
                         std::span<const DemandPart> kept);

// The subject certainly fits on none of these nodes, which are all nodes of the simulator. No
// conflicts where the scheduler makes a claim for extended resources: its parts are no fields of a
// claim.
ConflictsFound conflicts_of(const Simulator& simulator, const Wanted& wanted,
                            std::span<const NodeResult> nodes);

}  // namespace dra::engine

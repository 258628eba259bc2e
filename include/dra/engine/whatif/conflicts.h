// include/dra/engine/whatif/conflicts.h
//
// Which of the things that are asked for, or stand in the way, cannot hold together: minimal sets.
// A set cannot be met on any node although everything else were dropped, and drop any one of it and
// some node serves the rest.
//
// Found by QuickXplain (Junker 2004) on a sample of nodes and proven on all; what is asked for is
// preferred to what stands in the way, so that a set without Occupancy holds in an empty cluster.

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
    Request,     // that it is asked for at all, with its count
    Selector,    // one of those of a demand
    Constraint,  // of a claim
    Occupancy,   // what others hold
    Taint,       // of devices
    Pool,        // that some are not complete
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
  bool bounded = false;  // there may be more, or one that was not found in time
};

inline constexpr std::size_t kMaxConflicts = 3;

// Everything that can be dropped, of a subject in the state that is simulated.
std::vector<DemandPart> parts_of(const Simulator& simulator, const Wanted& wanted);
// What is left when only these hold.
Simulation simulate_with(const Simulator& simulator, const Wanted& wanted,
                         std::span<const DemandPart> kept);

// Of a subject that certainly fits on none of these nodes, which are all of the simulator's. None
// where the scheduler makes a claim for extended resources, whose parts are no fields of a claim.
ConflictsFound conflicts_of(const Simulator& simulator, const Wanted& wanted,
                            std::span<const NodeStanding> nodes);

}  // namespace dra::engine

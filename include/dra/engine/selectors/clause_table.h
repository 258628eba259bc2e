// include/dra/engine/selectors/clause_table.h
//
// Finds the condition of selectors that keeps devices away. Selectors are one conjunction, so each
// term of a top-level && is a condition that a device meets or not: a column of a table over all
// devices. A condition that is the only obstacle between a device and its selection is the one to
// look at.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/cel/hints/clauses.h"
#include "dra/cel/run/trace.h"
#include "dra/engine/selectors/fleet.h"

namespace dra::engine {

// The values of an expression and its parts for one device. No value if no expression can be
// evaluated for the device. The selector must have a program.
std::optional<cel::Trace> trace_of(const Selector& selector, const Candidate& candidate);

// Whether a part of an expression contains a variable, so that it may differ between devices.
bool reads_variable(const cel::Ast& ast, cel::NodeId node);

enum class Truth : std::uint8_t {
  True,
  False,
  Error,
  Unknown,  // not evaluated: the cost limit came first
};
Truth truth_of(const Selector& selector, const cel::Trace& trace, const cel::Clause& clause);

// A value that devices have where a condition wants another.
struct SeenInstead {
  std::string text;  // "81152Mi (79.25Gi)", "no such key: memory"
  std::size_t devices = 0;
};

struct ClauseCount {
  std::size_t selector = 0;  // index
  cel::Clause clause = {};
  std::size_t alone = 0;          // devices that meet it
  std::size_t after = 0;          // devices that meet it and all above it
  std::size_t only_obstacle = 0;  // devices that meet all but this one
  // Values of the devices for which it is the only obstacle, or, if there are none, of all that do
  // not meet it; the most frequent first.
  std::vector<SeenInstead> seen = {};
};

struct ClauseTable {
  std::size_t devices = 0;
  std::vector<ClauseCount> clauses;  // in the order of the selectors and their texts
  // If no condition is the only obstacle of a device: the two that most often are so together.
  struct Pair {
    std::size_t first;
    std::size_t second;
    std::size_t devices;
  };
  std::optional<Pair> pair = {};

  // The condition to loosen: the only obstacle of the most devices. No value if there is none.
  std::optional<std::size_t> nearest() const;
  // The condition that the fewest devices meet, if some device does not meet it.
  std::optional<std::size_t> strictest() const;
};

// A selector that compiles, with its answers for the fleet.
struct Asked {
  const Selector* selector;
  const FleetAnswer* answers;
};
// No value if there are too many kinds of devices to trace each.
std::optional<ClauseTable> clause_table(const Fleet& fleet, std::span<const Asked> selectors);

}  // namespace dra::engine

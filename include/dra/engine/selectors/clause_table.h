// include/dra/engine/selectors/clause_table.h
//
// Which condition of selectors keeps devices away. Selectors are one conjunction, so each term of
// an && at the top is a condition that a device meets or not: a column of a table over all devices.
// The condition that alone stands between a selector and a device is the one to look at.

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

// What an expression and its parts come to for one device; nothing for a device of which no
// expression can be evaluated. There must be a program.
std::optional<cel::Trace> trace_of(const Selector& selector, const Candidate& candidate);

// Whether a part of an expression may differ from device to device: there is a variable in it.
bool reads_variable(const cel::Ast& ast, cel::NodeId node);

enum class Truth : std::uint8_t {
  True,
  False,
  Error,
  Unknown,  // going on to it would have cost too much
};
Truth truth_of(const Selector& selector, const cel::Trace& trace, const cel::Clause& clause);

// Something that devices have instead of what a condition wants.
struct SeenInstead {
  std::string text;  // "81152Mi (79.25Gi)", "no such key: memory"
  std::size_t devices = 0;
};

struct ClauseCount {
  std::size_t selector = 0;  // index of its selector
  cel::Clause clause = {};
  std::size_t alone = 0;          // devices that meet it, whatever else holds
  std::size_t after = 0;          // that meet it and all above it
  std::size_t only_obstacle = 0;  // that meet all but this one
  // Of the devices that it alone keeps away, or, without such, of all that do not meet it; the most
  // frequent first.
  std::vector<SeenInstead> seen = {};
};

struct ClauseTable {
  std::size_t devices = 0;
  std::vector<ClauseCount> clauses;  // in the order of the selectors and their texts
  // If no condition is the only obstacle of any device: the two that most often are together.
  struct Pair {
    std::size_t first;
    std::size_t second;
    std::size_t devices;
  };
  std::optional<Pair> pair = {};

  // Which one to loosen: the only obstacle of the most devices. None if there is no such.
  std::optional<std::size_t> nearest() const;
  // The one that the fewest devices meet, if some do not.
  std::optional<std::size_t> strictest() const;
};

// A selector that compiles, and what it says of the fleet.
struct Asked {
  const Selector* selector;
  const FleetAnswer* answers;
};
// Nothing where devices are of too many kinds to look into each.
std::optional<ClauseTable> clause_table(const Fleet& fleet, std::span<const Asked> selectors);

}  // namespace dra::engine

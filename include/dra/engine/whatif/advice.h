// include/dra/engine/whatif/advice.h
//
// What would let a subject have its devices that fits on no node. Nothing here is a guess: each
// piece of advice was tried by running the allocator and the other filters again over every node,
// with the change made.
//
// What to try comes from what a sample of nodes has against the subject; sets of claims to be
// released are looked for on one node at a time, the smallest first. To release a pod of the
// subject's own workload comes last: its controller makes another one, which waits instead.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/facts/change.h"
#include "dra/engine/whatif/simulator.h"

namespace dra::engine {

// What can be done, in the order of how little it changes.
enum class Means : std::uint8_t {
  Wait,
  EditSelector,
  Tolerate,
  Release,
  SetCount,
  DropConstraint,
  UseAlternative,
  DropSelector,
  AddNode,
};
Means means_of(const Change& change);
std::string_view name_of(Means means);  // "setCount", as the op of a change in reports

struct Advice {
  std::vector<Change> changes;        // made together; mostly one
  std::int64_t nodes = 0;             // on which the subject then fits
  std::vector<std::string> examples;  // of these, some
};

struct AdviceFound {
  std::vector<Advice> advice;  // the least change first
  std::vector<Means> in_vain;  // tried, and nothing of the kind helps
  bool bounded = false;        // not everything was tried
};

inline constexpr std::size_t kMaxAdvice = 6;

// Of a subject that certainly fits on none of these nodes, which are all of the simulator's.
AdviceFound advice_for(const Simulator& simulator, const Wanted& wanted,
                       std::span<const NodeStanding> nodes);

}  // namespace dra::engine

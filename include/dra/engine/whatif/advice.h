// include/dra/engine/whatif/advice.h
//
// Changes with which a subject fits that fits on no node now. Nothing here is a guess: each piece
// of advice was simulated on every node, with the allocator and the other filters.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/facts/change.h"
#include "dra/engine/whatif/simulator.h"

namespace dra::engine {

// Kinds of change. What advice comes first is decided by src/engine/whatif/advice_rank.h; among
// advice of one rank the order of the kinds counts.
enum class Means : std::uint8_t {
  Wait,
  EditSelector,
  Tolerate,
  Release,
  SplitRequests,
  RelaxConstraint,
  SetCount,
  DropConstraint,
  UseAlternative,
  DropSelector,
  SelectNodes,
  AddNode,
  // Never advice: only users suppose these.
  RemoveNode,
  JoinNodes,
  Drain,
};
Means means_of(const Change& change);
std::string_view name_of(Means means);  // "setCount", as the op of a change in reports

struct Advice {
  std::vector<Change> changes;        // to be made together; mostly one
  std::int64_t nodes = 0;             // on which the subject then fits
  std::vector<std::string> examples;  // of these, some
  // Waiting pods of higher priority that take, or may take, what becomes free or is added: the
  // first of them, namespace/name.
  std::vector<std::string> in_front = {};
};

// A pod that would work on another node: its controller creates it again, and it fits there.
struct PodMove {
  std::string pod;                   // namespace/name
  std::int64_t devices = 0;          // that become free where it is
  std::vector<std::string> to = {};  // it gets one of these nodes; by name
  std::string made_by = {};          // "StatefulSet train"
  // PodDisruptionBudgets that would refuse its eviction, which a deletion does not ask:
  // namespace/name.
  std::vector<std::string> budgets = {};
};

// The subject fits on the node once these pods have moved away from it. Devices enough are free,
// and no node has them together.
struct Moves {
  std::string node;
  std::vector<PodMove> pods;  // at most three, by name
};

struct AdviceFound {
  std::vector<Advice> advice;       // in the order in which to consider it
  std::optional<Moves> moves = {};  // the smallest set of pods that was found
  std::vector<Means> in_vain;       // tried, and nothing of the kind helps
  bool bounded = false;             // not everything was tried
};

inline constexpr std::size_t kMaxAdvice = 6;

// The subject certainly fits on none of these nodes, which are all nodes of the simulator.
AdviceFound advice_for(const Simulator& simulator, const Wanted& wanted,
                       std::span<const NodeResult> nodes);

}  // namespace dra::engine

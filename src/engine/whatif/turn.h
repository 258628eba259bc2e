// src/engine/whatif/turn.h: what is left for a subject once the scheduler has taken the pods that
// wait in front of it. A change that frees devices frees them for those first.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dra/engine/whatif/hypothesis.h"

namespace dra::engine {

enum class InFront : std::uint8_t {
  HigherPriority,
  // The scheduler orders pods of equal priority by their last attempts, which cannot be seen. Which
  // replica of a workload comes first does not matter: those of the subject's own are left behind.
  AlsoEqual,
};

struct Turn {
  std::vector<std::string> nodes;   // it gets one of these for certain; none: it may get no node
  std::vector<std::string> before;  // pods that take, or may take, what it needs: namespace/name
};

// Whether a pod waits in front of the subject. Asked of the state before a change, it spares the
// state after it, which has the same pods that wait.
bool waits_behind(const snapshot::Snapshot& state, const Wanted& wanted, InFront which);

// In a state in which the subject by itself would fit. No value: no pod waits in front of it, or it
// is no pod. Of too many pods in front none is named, and no node is certain.
std::optional<Turn> turn_of(const snapshot::Snapshot& state, const Wanted& wanted, InFront which);

}  // namespace dra::engine

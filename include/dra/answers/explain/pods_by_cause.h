// include/dra/answers/explain/pods_by_cause.h
//
// Groups waiting pods by cause. Pods that cannot differ are explained once, and pods with one cause
// form one group: five replicas that all want a GPU are one problem.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dra/answers/explain/explanation.h"

namespace dra::answers {

struct Cause {
  Verdict verdict;
  diag::Code code;
  std::string text;
  std::size_t nodes;

  friend bool operator==(const Cause&, const Cause&) = default;
};

struct PodsOfCause {
  Cause cause;
  std::string text;         // the cause's text, or the common part of the pods' explanations
  Explanation explanation;  // explanation of the first pod
  std::vector<const api::Pod*> pods = {};  // at least one

  // The scheduler has something against pods that fit, or does not act at all.
  bool is_refusal() const;
  // The devices are available: the scheduler has not acted yet.
  bool can_be_had() const {
    return cause.verdict == Verdict::Fits && !explanation.cause_is_after &&
           cause.code != diag::Code::SchedulerRefuses;
  }
};

struct PodsByCause {
  std::vector<PodsOfCause> causes;             // sorted by number of pods, the most first
  std::vector<const api::Pod*> not_looked_at;  // pods of kinds beyond `Extent::most`
};

// A key: pods of one snapshot with equal keys have equal explanations, apart from names of pods.
std::string likeness_of(const snapshot::Snapshot& snapshot, const api::Pod& pod);

// What an explanation says of each node takes a megabyte for every thousand nodes.
enum class OfNodes : std::uint8_t { Keep, Drop };

struct Extent {
  std::size_t most;  // kinds of pods that are explained, in the order of their first pods
  OfNodes nodes = OfNodes::Keep;
};

// Explains one pod of each kind, because an explanation computes every node. The inventory and the
// loads must belong to the snapshot.
PodsByCause pods_by_cause(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                          const engine::NodeLoads& loads, std::span<const api::Pod* const> pods,
                          Extent extent);

// The predicate after the pods' names: "does not fit: ...". `one`: singular.
std::string predicate_of(const PodsOfCause& pods, bool one);

// The headline of all of them, by which `names` they are called: "Pods a and b: Pending up to 60m.
// All 4 GPUs are in use."
std::string headline_of(const PodsOfCause& pods, std::string_view names);

}  // namespace dra::answers

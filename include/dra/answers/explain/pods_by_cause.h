// include/dra/answers/explain/pods_by_cause.h
//
// Pods that wait, by what they wait for. Pods that cannot differ are explained once, and those with
// one cause are told together: five replicas that all want a GPU are one problem.

#pragma once

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
  std::string text;         // that of the cause, or what the pods' explanations have in common
  Explanation explanation;  // of the first pod
  std::vector<const api::Pod*> pods = {};  // at least one

  // Nothing is against them: the scheduler has not acted yet.
  bool can_be_had() const { return cause.verdict == Verdict::Fits && !explanation.cause_is_after; }
};

struct PodsByCause {
  std::vector<PodsOfCause> causes;             // those of most pods first
  std::vector<const api::Pod*> not_looked_at;  // too many different ones wait
};

// Two pods of one snapshot with the same likeness have the same explanation, names of pods aside.
std::string likeness_of(const snapshot::Snapshot& snapshot, const api::Pod& pod);

// To explain a pod is to look at every node: `most` kinds of pods are explained, those of the first
// pods. The inventory and the loads are the snapshot's.
PodsByCause pods_by_cause(const snapshot::Snapshot& snapshot, const engine::Inventory& inventory,
                          const engine::NodeLoads& loads, std::span<const api::Pod* const> pods,
                          std::size_t most);

// What is said of them after their names: "does not fit on any of 3 nodes: ...". `one`: of a
// single one.
std::string predicate_of(const PodsOfCause& pods, bool one);

}  // namespace dra::answers

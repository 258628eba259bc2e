// include/dra/report/diff/comparison.h
//
// `kubectl dra explain --compare`: what was said of a subject in an earlier state of the cluster,
// what is said now, and which of all the changes between them made the difference.
//
// The changes that are named are enough: made in the earlier state, and nothing else, they lead to
// what is said now. And all are needed: without any one of them they do not.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dra/report/explain/explanation.h"
#include "dra/snapshot/state_between.h"

namespace dra::report {

struct StateAnswer {
  bool exists = false;  // the subject
  Verdict verdict = Verdict::Undetermined;
  std::optional<diag::Code> code = {};
  std::string summary = {};
  std::optional<engine::Trouble> trouble = {};  // of what was scheduled or allocated

  // Whether the same is to be said of it, in other words perhaps.
  bool same_as(const StateAnswer& other) const {
    return exists == other.exists && verdict == other.verdict && code == other.code;
  }
};

struct Comparison {
  SubjectName subject;  // the first
  StateAnswer before;
  StateAnswer after;
  std::size_t changes = 0;                     // objects that differ; events are none
  std::vector<snapshot::Difference> decisive;  // of these, or events; texts are the snapshots'
  bool bounded = false;                        // there is a difference that was not found in time

  // Nothing but that an event is gone makes the difference, and events expire: that what it told of
  // is over does not follow.
  bool untold() const;
};

// Both snapshots must outlive it.
Comparison compare(const snapshot::Snapshot& before, const snapshot::Snapshot& after,
                   const engine::Wanted& wanted);

json::Value to_json(const StateAnswer& answer);
json::Value to_json(const Comparison& comparison, const snapshot::Snapshot& before,
                    const snapshot::Snapshot& after);
view::Document to_view(const Comparison& comparison, const snapshot::Snapshot& before,
                       const snapshot::Snapshot& after);

}  // namespace dra::report

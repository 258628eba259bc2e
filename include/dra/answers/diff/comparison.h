// include/dra/answers/diff/comparison.h
//
// `kubectl dra explain --compare`: the answer about a subject in an earlier state of the cluster,
// the answer now, and which of the changes between the two states made the difference.
//
// The changes that are named are enough: made in the earlier state, and nothing else, they lead to
// the answer of now. And all are needed: without any one of them they do not.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dra/answers/diff/object_change.h"
#include "dra/answers/explain/explanation.h"

namespace dra::answers {

// The answer about a subject in one state.
struct StateAnswer {
  bool exists = false;  // the subject
  Verdict verdict = Verdict::Undetermined;
  std::optional<diag::Code> code = {};
  std::string summary = {};
  std::optional<engine::Trouble> trouble = {};  // of what was scheduled or allocated

  // Perhaps in other words.
  bool same_as(const StateAnswer& other) const {
    return exists == other.exists && verdict == other.verdict && code == other.code;
  }
};

struct Comparison {
  SubjectName subject;  // the first
  StateAnswer before;
  StateAnswer after;
  std::size_t changes = 0;             // objects that differ; events do not count
  std::vector<ObjectChange> decisive;  // of these objects, or events
  bool bounded = false;                // there is a difference that was not found in time
  snapshot::Coverage coverage = {};    // of the state after

  // The only difference is an event that is gone. Events expire: it does not follow that what it
  // reported is over.
  bool rests_on_expired_events() const;
};

// Both snapshots must outlive it.
Comparison compare(const snapshot::Snapshot& before, const snapshot::Snapshot& after,
                   const engine::Wanted& wanted);

}  // namespace dra::answers

// include/dra/answers/diff/comparison.h
//
// `kubectl dra explain --compare`: the answer about a subject in an earlier state of the cluster,
// the answer now, and which of the changes between the two states made the difference.
//
// The named changes suffice: made in the earlier state, and nothing else, they lead to the later
// answer. Each is needed: without any one of them the answer stays another one.

#pragma once

#include <memory>
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
  // The trouble of a subject that is scheduled or allocated.
  std::optional<engine::Trouble> trouble = {};

  // Compares verdict and code, not wording: the summaries may differ.
  bool same_as(const StateAnswer& other) const {
    return exists == other.exists && verdict == other.verdict && code == other.code;
  }
};

struct Comparison {
  SubjectName subject;  // the first
  // Where the subject is new: the answer that it would have had. That it came is no change then.
  StateAnswer before;
  bool is_new = false;
  StateAnswer after;
  std::size_t changes = 0;             // objects that differ, without events
  std::vector<ObjectChange> decisive;  // a subset of these objects, or events
  bool bounded = false;                // the search for the decisive changes hit its limit
  snapshot::Coverage coverage = {};    // coverage of the later state
  // The earlier state with a new subject; what is decisive may point into it.
  std::shared_ptr<const snapshot::Snapshot> with_subject = {};

  // The only decisive changes are events that are gone. Events expire, so the trouble that they
  // reported may continue.
  bool rests_on_expired_events() const;
};

// Both snapshots must outlive it.
Comparison compare(const snapshot::Snapshot& before, const snapshot::Snapshot& after,
                   const engine::Wanted& wanted);

}  // namespace dra::answers

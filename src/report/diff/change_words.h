// src/report/diff/change_words.h
//
// What became of an object between two states of a cluster: in a few words, and as JSON.

#pragma once

#include <string>
#include <string_view>

#include "dra/json/value.h"
#include "dra/report/explain/explanation.h"
#include "dra/snapshot/state_between.h"

namespace dra::report {

std::string_view name_of(snapshot::Fate fate);  // "added"

SubjectName subject_of(const snapshot::Difference& change);

// What follows from that nothing but an event is gone.
inline constexpr std::string_view kUntold =
    "events are kept for about an hour, so whether its trouble is over is not known";

// Both snapshots must outlive it.
class ChangeWords {
 public:
  ChangeWords(const snapshot::Snapshot& before, const snapshot::Snapshot& after)
      : before_(before), after_(after) {}

  // What of it matters most: "not allocated any more, before it was allocated for train-0".
  std::string of(const snapshot::Difference& change) const;

 private:
  template <class T>
  std::string of_object(const snapshot::Difference& change) const;

  const snapshot::Snapshot& before_;
  const snapshot::Snapshot& after_;
};

json::Value to_json(const snapshot::Difference& change, const ChangeWords& words);

}  // namespace dra::report

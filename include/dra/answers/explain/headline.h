// include/dra/answers/explain/headline.h
//
// The first line of an explanation: the object, its phase and age, and the answer.

#pragma once

#include <string>

#include "dra/snapshot/snapshot.h"

namespace dra::answers {

// "Pending 60m", "CrashLoopBackOff 3h", "Terminating 10m": the status of a pod, and its age or for
// how long it should be gone.
std::string phase_of(const snapshot::Snapshot& snapshot, const api::Pod& pod);

struct Headline {
  std::string who;  // "Pod ml/train"
  // "Pending 60m", "Running 5d12h on node-1 with gpu-5". Empty for what does not exist yet, or not
  // as it is looked at.
  std::string standing;
  std::string answer;     // behind the standing: "all 4 GPUs are in use."; may be empty
  std::string predicate;  // behind the name alone: "does not fit: all 4 GPUs are in use."

  // "Pod ml/train: Pending 60m. All 4 GPUs are in use."
  std::string text() const;
  // The same at any time: "Pod ml/train does not fit: all 4 GPUs are in use."
  std::string plain() const { return who + " " + predicate; }
};

// With a capital at the beginning, unless that is a name: "gpu-0 is in use" stays.
std::string capitalized(std::string sentence);

}  // namespace dra::answers

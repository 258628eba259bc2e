// include/dra/answers/problems/problems.h
//
// Finds all problems of a cluster's DRA, without a question about anything in particular. Used by
// the overview and by doctor.
//
// Problems of one kind with one cause are merged: five pods that wait for the same reason, the
// pools of one driver. Each problem names a command that explains it. A kind that could not be read
// is a problem, too, and its absence proves nothing.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/explain/explanation.h"
#include "dra/base/time.h"
#include "dra/diag/finding.h"
#include "dra/diag/remedy.h"
#include "dra/diag/subject.h"
#include "dra/diag/subject_words.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/snapshot/snapshot.h"

namespace dra::answers {

using diag::Severity;
using diag::SubjectName;

// The state of a cluster in which problems are looked for.
struct ClusterInput {
  const snapshot::Snapshot& snapshot;
  const engine::Inventory& inventory;  // of that snapshot
  base::Instant now = {};              // the time that ages are relative to
};

struct Problem {
  // Has at least one subject, sorted, those of the first's kind before others. The message is one
  // sentence with the subjects in it; of many only a few are named.
  diag::Finding finding;
  // The text is empty if the remedy of the code suffices, or `explained` has advice. The command is
  // the arguments of `kubectl dra`.
  diag::Remedy remedy = {};
  // The whole command line that goes with the remedy's text. Empty: there is none.
  std::string step_command = {};
  // Clauses that say what is wrong. A problem of a driver or of a claim is left to the problems of
  // pods that state the same: what is missing and the pods that wait for it are one problem.
  std::vector<std::string> clauses = {};
  // Of pods: nodes whose state is all that is wrong, and what becomes of the pods because of it
  // ("waits for"). What the problem of these nodes says is then left to that one.
  std::vector<std::string> nodes_down = {};
  std::string because_of_nodes = {};
  // Of pods that fit nowhere: the explanation of the first with its advice, if there is any.
  // nullptr for other problems, for those of pods beyond the first few, and where not everything is
  // asked for.
  std::shared_ptr<const Explanation> explained = {};
  // The driver that publishes no device, for the nodes among the subjects or anywhere; of devices
  // that are gone, theirs. Devices are gone as long as their driver is, and that is one problem.
  std::string silent_driver = {};
  // Kinds of further objects that the message is about: "ResourceClaim".
  std::vector<std::string_view> blames = {};
};

// All families, the worst problem first. With a namespace, only problems of that namespace or of
// the whole cluster.
std::vector<Problem> find_problems(const ClusterInput& cluster, std::string_view ns,
                                   diag::Detail detail = diag::Detail::Screen);

// The remedy in words: the problem's own, or the code's.
std::string advice_of(const Problem& problem);

// "1 error, 2 warnings", without severities that do not occur.
std::string counts_of(const std::vector<Problem>& problems);

}  // namespace dra::answers

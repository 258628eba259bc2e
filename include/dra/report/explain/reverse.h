// include/dra/report/explain/reverse.h
//
// `kubectl dra explain node|device|slice NAME`: which of the pods and claims that wait could use
// it, and why the others cannot. The same explanations as of each of them, read the other way
// round.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dra/report/explain/explanation.h"

namespace dra::report {

struct ReverseTarget {
  SubjectName subject;   // kind Node, Device or ResourceSlice
  answers::Focus focus;  // the node, or the devices
};

// What one of those that wait could do with it.
struct ReverseAnswer {
  SubjectName subject;        // a Pod or a ResourceClaim
  std::optional<bool> could;  // no value: that is not known
  std::int64_t devices = 0;   // that it could get, of those that were asked about
  std::string why;            // it could not, or that is not known
  Explanation explanation;    // of the target alone
};

struct ReverseExplanation {
  SubjectName subject;
  std::size_t devices = 0;  // that were asked about
  std::string summary;
  std::vector<ReverseAnswer> answers;  // pods, the oldest first; then claims that no pod waits for
  std::size_t not_looked_at = 0;
};

ReverseExplanation explain_reverse(const snapshot::Snapshot& snapshot, const ReverseTarget& target);

json::Value to_json(const ReverseExplanation& explanation, const snapshot::Snapshot& snapshot);
view::Document to_view(const ReverseExplanation& explanation, bool wide);

}  // namespace dra::report

// include/dra/answers/explain/explain_supply.h
//
// `kubectl dra explain node|device|slice NAME`: which waiting pods and claims could use it, and why
// the others cannot. Each of them is explained as usual, restricted to the target.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dra/answers/explain/explanation.h"

namespace dra::answers {

struct SupplyTarget {
  SubjectName subject;  // kind Node, Device or ResourceSlice
  Focus focus;          // the target's node or devices
};

// The answer about one waiting pod or claim.
struct SupplyAnswer {
  SubjectName subject;        // a Pod or a ResourceClaim
  std::optional<bool> could;  // no value: not known
  std::int64_t devices = 0;   // devices of the target that it could get
  std::string why;            // reason why it could not, or why that is not known
  Explanation explanation;    // explanation restricted to the target
};

struct SupplyExplanation {
  SubjectName subject;
  std::size_t devices = 0;  // devices of the target
  std::string summary;
  // Pods, the oldest first; then claims that no waiting pod uses.
  std::vector<SupplyAnswer> answers;
  std::size_t not_looked_at = 0;
  snapshot::Coverage coverage = {};
};

SupplyExplanation explain_supply(const snapshot::Snapshot& snapshot, const SupplyTarget& target);

}  // namespace dra::answers

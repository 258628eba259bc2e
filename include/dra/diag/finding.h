// include/dra/diag/finding.h
//
// Something that is wrong with a cluster, with a pod after scheduling, or with a selector. Details
// of one kind of finding are in a type of its own.
//
// A finding holds facts. Its remedy is the one of the catalogue, or is made from the facts where
// they are presented.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dra/base/time.h"
#include "dra/diag/codes.h"
#include "dra/diag/reason.h"
#include "dra/diag/severity.h"
#include "dra/diag/subject.h"

namespace dra::diag {

// An observation that supports a finding.
struct Fact {
  std::string about;  // "event", "condition", "slices", ...: a word or two
  std::string text;
  std::optional<base::Instant> at = {};  // when it happened or will happen
};

struct Finding {
  Code code;
  Severity severity = info_of(code).severity;
  Certainty certainty = Certainty::Proven;
  std::vector<SubjectName> subjects = {};  // objects that the finding is about
  std::string message = {};                // a sentence, or its predicate
  std::vector<Fact> evidence = {};
};

}  // namespace dra::diag

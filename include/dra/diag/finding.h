// include/dra/diag/finding.h
//
// Something that is wrong: with a cluster, with a pod after it was scheduled, with a selector. What
// is special to one kind of finding stands beside it in a type of its own.
//
// A finding holds facts. Its remedy is the catalogue's, or is made of them where they are
// presented.

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

// Something that was seen.
struct Fact {
  std::string about;  // "event", "condition", "slices", ...: a word or two
  std::string text;
  std::optional<base::Instant> at = {};  // when it was, or when it will be
};

struct Finding {
  Code code;
  Severity severity = info_of(code).severity;
  Certainty certainty = Certainty::Proven;
  std::vector<SubjectName> subjects = {};  // what it is about
  std::string message = {};                // one sentence, or the part of one that says what is so
  std::vector<Fact> evidence = {};
};

}  // namespace dra::diag

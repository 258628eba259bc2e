// src/answers/explain/cause.h
//
// The conclusion of an explanation: one cause, its code, and a sentence.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/explain/explanation.h"
#include "dra/engine/scheduler/verdict.h"
#include "src/answers/explain/survey.h"

namespace dra::answers {

// The facts that a conclusion is drawn from.
struct Grounds {
  const Cluster& cluster;
  const std::vector<SubjectName>& subjects;
  const engine::Subject& subject;
  const Survey& survey;
  const engine::Decision& decision;
  const std::vector<engine::AfterFinding>& after;
  // The cause for a pod without claims that asks for extended resources.
  std::string_view without_claims;
  bool unused = false;  // as of an Explanation
  const engine::Gang* gang = nullptr;
  // Of a subject that does not fit: nodes that drivers of its classes should serve and do not.
  std::span<const KeptAway> kept = {};
};

struct Conclusion {
  std::optional<diag::Code> code = {};  // code of the cause
  std::string cause = {};               // empty if there is none
  diag::Remedy remedy = {};             // as of an Explanation
  std::string depends_on = {};          // what is not simulated, if the verdict depends on it
  Headline headline = {};
  bool is_after = false;  // the headline is about what fails after scheduling
};
Conclusion conclude(const Grounds& grounds);

// The cause that a user has to act on, not its consequence. There must be a blocker.
const diag::Reason& deciding(const std::vector<diag::Reason>& blockers);

}  // namespace dra::answers

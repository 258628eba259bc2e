// src/answers/explain/cause.h
//
// What an explanation comes down to: one cause, the code that stands for it, and a sentence.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/explain/explanation.h"
#include "dra/engine/scheduler/verdict.h"
#include "src/answers/explain/survey.h"

namespace dra::answers {

// What a conclusion is drawn from.
struct Grounds {
  const std::vector<SubjectName>& subjects;
  const engine::Subject& subject;
  const Survey& survey;
  const engine::Decision& decision;
  const std::vector<engine::AfterFinding>& after;
  std::string_view without_claims;  // as of an explanation
};

struct Conclusion {
  std::optional<diag::Code> code = {};  // that stands for the cause
  std::string cause = {};               // empty where there is nothing to account for
  std::string depends_on = {};          // what is not computed, where that decides
  std::string summary = {};             // one sentence: verdict, cause, who
  bool is_after = false;                // the summary is about what fails after scheduling
};
Conclusion conclude(const Grounds& grounds);

}  // namespace dra::answers

// include/dra/report/phrases/problem_words.h
//
// How problems name their subjects: in the sentence, in JSON, and on the command line that explains
// them.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/api/meta.h"
#include "dra/engine/cluster/usage.h"
#include "dra/report/doctor/problems.h"

namespace dra::report {

SubjectName subject_of(std::string_view kind, const api::ObjectMeta& meta);
SubjectName device_subject(const engine::DeviceId& id);
SubjectName pool_subject(const engine::Pool& pool);

// "Pod ml/a", "3 pods (ml/a, ml/b, ml/c)", "5 pods (ml/a, ml/b, +3)". `one` and `many` are what a
// sentence may begin with: "Pod", "pods".
struct SubjectWords {
  std::string_view one;
  std::string_view many;
};
std::string name_subjects(const std::vector<SubjectName>& subjects, SubjectWords words,
                          Detail detail);

// What to do about it.
std::string advice_of(const Problem& problem);

// "1 error, 2 warnings"; nothing of severities of which there is none.
std::string counts_of(const std::vector<Problem>& problems);

// "describe claim NAME -n NAMESPACE": `verb` and `noun` are ours.
std::string command_for(std::string_view verb, std::string_view noun, const SubjectName& subject);

// A problem of one thing, which `describe` tells more about; the message is the caller's to write.
Problem problem_of(SubjectName subject, std::string_view noun, diag::Code code, Severity severity);

}  // namespace dra::report

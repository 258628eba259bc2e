// include/dra/report/doctor/problems.h
//
// Finds all problems of a cluster's DRA, without a question about anything in particular. Used by
// the overview and by doctor.
//
// Problems of one kind with one cause are merged: five pods that wait for the same reason, the
// pools of one driver. Each problem names a command that explains it. A kind that could not be read
// is a problem, too, and its absence proves nothing.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/diag/finding.h"
#include "dra/diag/remedy.h"
#include "dra/diag/subject.h"
#include "dra/diag/subject_words.h"
#include "dra/json/value.h"
#include "dra/report/phrases/scene.h"

namespace dra::report {

using diag::Detail;
using diag::Severity;
using diag::SubjectName;

struct Problem {
  // Has at least one subject, sorted. The message is one sentence with the subjects in it; of many
  // only a few are named.
  diag::Finding finding;
  // The text is empty if the remedy of the code suffices. The command is the arguments of `kubectl
  // dra`.
  diag::Remedy remedy = {};
};

// The families of problems, unsorted.
std::vector<Problem> coverage_problems(const Scene& scene, Detail);
std::vector<Problem> pool_problems(const Scene& scene, Detail detail);
std::vector<Problem> node_problems(const Scene& scene, Detail detail);
std::vector<Problem> taint_problems(const Scene& scene, Detail detail);
std::vector<Problem> claim_problems(const Scene& scene, Detail detail);
std::vector<Problem> allocation_problems(const Scene& scene, Detail detail);
std::vector<Problem> pod_problems(const Scene& scene, Detail detail);
std::vector<Problem> class_problems(const Scene& scene, Detail);
std::vector<Problem> driver_problems(const Scene& scene, Detail detail);

// All families, the worst problem first. With a namespace, only problems of that namespace or of
// the whole cluster.
std::vector<Problem> find_problems(const Scene& scene, std::string_view ns,
                                   Detail detail = Detail::Screen);

// The remedy in words: the problem's own, or the code's.
std::string advice_of(const Problem& problem);

// "1 error, 2 warnings", without severities that do not occur.
std::string counts_of(const std::vector<Problem>& problems);

// A problem of one subject, with the `describe` command for it. The caller writes the message.
Problem problem_of(SubjectName subject, std::string_view noun, diag::Code code);

// `command`: the problem's command as a whole command line.
json::Value to_json(const Problem& problem, std::string command);

}  // namespace dra::report

// include/dra/report/doctor/problems.h
//
// What is wrong with a cluster's DRA, found without being asked about anything in particular: for
// the overview, and for whoever else looks for trouble.
//
// Problems of one kind with one cause are one: five pods that wait for the same reason, the pools
// of one driver. Each names a command that explains it. What could not be read is a problem, too,
// and nothing is concluded from its absence.

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
  // Of at least one subject, in order; the message is one sentence with the subjects in it, few of
  // them if they are many.
  diag::Finding finding;
  // The text is empty unless there is better than the code's; the command is what to type after
  // `kubectl dra`.
  diag::Remedy remedy = {};
};

// Each family on its own, in no order of severity.
std::vector<Problem> coverage_problems(const Scene& scene, Detail);
std::vector<Problem> pool_problems(const Scene& scene, Detail detail);
std::vector<Problem> node_problems(const Scene& scene, Detail detail);
std::vector<Problem> taint_problems(const Scene& scene, Detail detail);
std::vector<Problem> claim_problems(const Scene& scene, Detail detail);
std::vector<Problem> allocation_problems(const Scene& scene, Detail detail);
std::vector<Problem> pod_problems(const Scene& scene, Detail detail);
std::vector<Problem> class_problems(const Scene& scene, Detail);
std::vector<Problem> driver_problems(const Scene& scene, Detail detail);

// All families, worst first. With a namespace, only what concerns it or the whole cluster.
std::vector<Problem> find_problems(const Scene& scene, std::string_view ns,
                                   Detail detail = Detail::Screen);

// What to do about it.
std::string advice_of(const Problem& problem);

// "1 error, 2 warnings"; nothing of severities of which there is none.
std::string counts_of(const std::vector<Problem>& problems);

// A problem of one thing, which `describe` tells more about; the message is the caller's to write.
Problem problem_of(SubjectName subject, std::string_view noun, diag::Code code);

// `command`: the problem's, with what stands before and after it on a command line.
json::Value to_json(const Problem& problem, std::string command);

}  // namespace dra::report

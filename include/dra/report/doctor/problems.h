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

#include "dra/diag/codes.h"
#include "dra/diag/severity.h"
#include "dra/json/value.h"
#include "dra/report/phrases/scene.h"
#include "dra/report/phrases/subject_words.h"

namespace dra::report {

using diag::Severity;

struct Problem {
  diag::Code code;
  Severity severity;
  // At least one, in order. Kinds of the API, and "Pool" and "Device", whose names are driver/pool
  // and driver/pool/device; "Node" etc. without a name stands for the whole kind.
  std::vector<SubjectName> subjects;
  std::string message;      // one sentence with the subjects in it, few of them if they are many
  std::string command;      // what to type after `kubectl dra`, quoted for a shell
  std::string advice = {};  // where there is better than the code's
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
Problem problem_of(SubjectName subject, std::string_view noun, diag::Code code, Severity severity);

// `command`: the problem's, with what stands before and after it on a command line.
json::Value to_json(const Problem& problem, std::string command);

}  // namespace dra::report

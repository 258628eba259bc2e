// src/report/doctor/problems.cpp: see problems.h.

#include "dra/report/doctor/problems.h"

#include "dra/diag/subject.h"
#include "dra/report/phrases/subject_json.h"

namespace dra::report {

json::Value to_json(const answers::Problem& problem, std::string command) {
  json::Value out = json::Value::object();
  out.set("code", diag::name_of(problem.finding.code));
  out.set("severity", name_of(problem.finding.severity));
  out.set("subject", subject_json(problem.finding.subjects.front()));
  if (problem.finding.subjects.size() > 1) {
    json::Value subjects = json::Value::array();
    for (const diag::SubjectName& subject : problem.finding.subjects)
      subjects.push(subject_json(subject));
    out.set("subjects", std::move(subjects));
  }
  out.set("message", problem.finding.message);
  out.set("advice", advice_of(problem));
  out.set("command", std::move(command));
  return out;
}

}  // namespace dra::report

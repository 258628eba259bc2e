// src/answers/problems/problems_workloads.cpp: workloads with claims whose pods are not created.

#include "dra/answers/explain/missing_pods_words.h"
#include "dra/api/pod.h"
#include "dra/api/subject.h"
#include "dra/base/prose.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/diag/subject.h"
#include "dra/engine/cluster/workload_pods.h"
#include "src/answers/problems/families.h"

namespace dra::answers {
namespace {

bool asks_for_devices(const std::vector<api::PodRole>& roles) {
  return std::ranges::any_of(
      roles, [](const api::PodRole& role) { return !role.pod->spec.claims.empty(); });
}

std::int64_t wanted_by(const std::vector<api::PodRole>& roles) {
  std::int64_t wanted = 0;
  for (const api::PodRole& role : roles)
    wanted += role.pods;
  return wanted;
}

// To wait in a queue is no fault.
Severity severity_of(engine::WhyNoPods why) {
  return why == engine::WhyNoPods::Refused || why == engine::WhyNoPods::Unseen ? Severity::Error
                                                                               : Severity::Hint;
}

}  // namespace

std::vector<Problem> workload_problems(const ClusterInput& cluster, diag::Detail) {
  std::vector<Problem> problems;
  for (const api::Workload& workload : cluster.snapshot.all<api::Workload>()) {
    if (api::controller_of(workload.meta) != nullptr) continue;
    const auto roles = api::roles_of(workload);
    if (!asks_for_devices(roles)) continue;
    const auto missing = engine::why_pods_are_missing(cluster.snapshot, workload);
    if (!missing || missing->why == engine::WhyNoPods::Suspended) continue;
    const engine::WorkloadPods pods = engine::pods_of(cluster.snapshot, workload);
    const std::int64_t there = std::ssize(pods.running) + std::ssize(pods.waiting);
    if (there >= wanted_by(roles)) continue;
    const SubjectName subject = api::subject_of(workload.origin.kind, workload.meta);
    Problem problem{.finding = {.code = diag::Code::PodsNotCreated,
                                .severity = severity_of(missing->why),
                                .subjects = {subject}}};
    // Only its controller knows how many pods a DaemonSet wants.
    const std::string count = subject.kind == api::info_of(api::Kind::DaemonSet).name
                                  ? std::string("no")
                                  : base::format("{} of {}", there, wanted_by(roles));
    problem.finding.message =
        base::sentence(base::format("{} {}/{} has {} pods: {}", subject.kind, subject.namespace_,
                                    subject.name, count, words_of(*missing)));
    problem.remedy = {.text = remedy_of(*missing).text,
                      .command = command_for("explain", base::lower(subject.kind), subject)};
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace dra::answers

// tests/api/workload_test.cpp: where workloads have their pod templates, and how many pods they
// want.

#include "dra/api/workload.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::api::workload_test {
namespace {

constexpr const char* kTemplate =
    "{spec: {containers: [{name: c}], resourceClaims: [{name: gpu, resourceClaimName: g}]}}";

struct Case {
  const char* name;
  const char* api_version;
  const char* kind;
  const char* spec;  // with POD in place of a template
  const char* want;  // NAME pods/together, ...
};

const Case kCases[] = {
    {"a deployment", "apps/v1", "Deployment", "{replicas: 3, template: POD}", "- 3/1"},
    {"one replica where none is named", "apps/v1", "StatefulSet", "{template: POD}", "- 1/1"},
    {"none is wanted", "apps/v1", "ReplicaSet", "{replicas: 0, template: POD}", "- 0/1"},
    {"a job's pods do not need one another", "batch/v1", "Job", "{parallelism: 4, template: POD}",
     "- 4/1"},
    {"an indexed job's do", "batch/v1", "Job",
     "{parallelism: 4, completions: 4, completionMode: Indexed, template: POD}", "- 4/4"},
    {"no more pods than are left to complete", "batch/v1", "Job",
     "{parallelism: 4, completions: 2, template: POD}", "- 2/1"},
    {"a job that is made later", "batch/v1", "CronJob",
     "{jobTemplate: {spec: {parallelism: 2, template: POD}}}", "- 2/1"},
    {"a jobset's jobs are indexed", "jobset.x-k8s.io/v1alpha2", "JobSet",
     "{replicatedJobs: [{name: a, replicas: 2, template: {spec: {parallelism: 4, template: POD}}}, "
     "{name: b, template: {spec: {template: POD}}}]}",
     "a 8/4, b 1/1"},
    {"leaders and workers", "leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet",
     "{replicas: 2, leaderWorkerTemplate: {size: 4, leaderTemplate: POD, workerTemplate: POD}}",
     "leader 2/1, worker 6/3"},
    {"leaders like workers", "leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet",
     "{replicas: 2, leaderWorkerTemplate: {size: 4, workerTemplate: POD}}", "- 8/4"},
    {"Ray", "ray.io/v1", "RayCluster",
     "{headGroupSpec: {template: POD}, workerGroupSpecs: [{groupName: gpus, replicas: 3, "
     "numOfHosts: 2, template: POD}]}",
     "head 1/1, gpus 6/2"},
    {"no template", "apps/v1", "Deployment", "{replicas: 3}", ""},
};

TEST_CASE("templates and counts") {
  for (const Case& row : kCases) {
    CAPTURE(row.name);
    std::string spec = row.spec;
    for (std::size_t at = spec.find("POD"); at != std::string::npos; at = spec.find("POD"))
      spec.replace(at, 3, kTemplate);
    const auto snapshot =
        support::scene()
            .yaml(base::format("{{apiVersion: {}, kind: {}, metadata: {{name: w}}, spec: {}}}",
                               row.api_version, row.kind, spec))
            .build();
    const Workload* workload = snapshot.find_workload(row.kind, "default", "w");
    REQUIRE(workload != nullptr);
    std::vector<std::string> roles;
    for (const PodRole& role : roles_of(*workload)) {
      CHECK(role.pod->spec.claims.front().claim_name == "g");
      roles.push_back(
          base::format("{} {}/{}", role.name.empty() ? "-" : role.name, role.pods, role.together));
    }
    CHECK(base::join(roles, ", ") == row.want);
  }
}

TEST_CASE("one name of several kinds") {
  const auto snapshot =
      support::scene()
          .yaml("{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: w}}")
          .yaml("{apiVersion: apps/v1, kind: Deployment, metadata: {name: w, uid: d}}")
          .yaml("{apiVersion: batch/v1, kind: Job, metadata: {name: w}}")
          .build();
  CHECK(snapshot.all<Workload>().size() == 3);
  CHECK(snapshot.warnings().empty());
  CHECK(snapshot.find_workload("Deployment", "default", "w")->meta.uid == "d");
  CHECK(snapshot.find_workload("DaemonSet", "default", "w") == nullptr);
}

}  // namespace
}  // namespace dra::api::workload_test

// tests/engine/cluster/job_attempts_test.cpp: Jobs that fail with one pod more.

#include "dra/engine/cluster/job_attempts.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::job_attempts_test {
namespace {

std::string told(std::string_view job, std::string_view status = "",
                 Removal how = Removal::Eviction, std::string_view annotations = "") {
  support::Scene scene;
  scene.yaml(base::format(
      "{{apiVersion: batch/v1, kind: Job, metadata: {{name: run, namespace: default, uid: run}}, "
      "spec: {{{}}}, status: {{{}}}}}",
      job, status));
  scene.yaml(base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: default, uid: p, annotations: "
      "{{{}}}, ownerReferences: [{{apiVersion: batch/v1, kind: Job, name: run, uid: run, "
      "controller: true}}]}}, spec: {{nodeName: n1, containers: [{{name: c}}]}}, status: {{phase: "
      "Running}}}}",
      annotations));
  const snapshot::Snapshot snapshot = scene.build();
  return ends_job(snapshot, *snapshot.find<api::Pod>("default", "p"), how).value_or("goes on");
}

}  // namespace

TEST_CASE("a Job fails with a pod more than its backoffLimit") {
  CHECK(told("backoffLimit: 0") == "Job default/run, which has no attempt left (backoffLimit 0)");
  CHECK(told("backoffLimit: 1") == "goes on");
  CHECK(told("backoffLimit: 1", "failed: 1") ==
        "Job default/run, which has no attempt left (backoffLimit 1)");
  CHECK(told("parallelism: 1", "failed: 5") == "goes on");
  CHECK(told("parallelism: 1", "failed: 6") ==
        "Job default/run, which has no attempt left (backoffLimit 6)");
}

TEST_CASE("an index fails with a pod more than its own limit") {
  const std::string_view job = "completionMode: Indexed, backoffLimitPerIndex: 1";
  CHECK(told(job, "failed: 20") == "goes on");
  CHECK(told(job, "failed: 1", Removal::Eviction,
             "batch.kubernetes.io/job-index-failure-count: '1'") ==
        "its index of Job default/run, which has no attempt left (backoffLimitPerIndex 1)");
}

TEST_CASE("a policy ignores evictions and no deletions") {
  const std::string_view job =
      "backoffLimit: 0, podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {operator: In, "
      "values: [3]}}, {action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}";
  CHECK(told(job) == "goes on");
  CHECK(told(job, "", Removal::Deletion) ==
        "Job default/run, which has no attempt left (backoffLimit 0)");
}

}  // namespace dra::engine::job_attempts_test

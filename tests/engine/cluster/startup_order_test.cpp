// tests/engine/cluster/startup_order_test.cpp: workloads that make some of their pods later.

#include "src/engine/cluster/startup_order.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::startup_order_test {
namespace {

struct Case {
  const char* name;
  std::string object;
  const char* rule;  // empty: nothing is known
};

std::string jobset(std::string_view spec, std::string_view status) {
  return base::format(
      "{{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {{name: w, namespace: "
      "default, uid: u}}, spec: {{{}, template: {{spec: {{}}}}}}, status: {{{}}}}}",
      spec, status);
}

constexpr std::string_view kInOrder =
    "startupPolicy: {startupPolicyOrder: InOrder}, replicatedJobs: [{name: a, replicas: 2, "
    "template: {}}, {name: b, template: {}}]";
constexpr std::string_view kDepends =
    "replicatedJobs: [{name: a, template: {}}, {name: b, template: {}, dependsOn: [{name: a, "
    "status: Complete}]}]";

TEST_CASE("replicated jobs that wait for others") {
  for (const Case& one : {
           Case{"the first is not ready",
                jobset(kInOrder, "replicatedJobsStatus: [{name: a, ready: 1, active: 1}]"),
                "replicated job b is made once a is ready (1 of 2 Jobs)"},
           Case{"the first is ready",
                jobset(kInOrder, "replicatedJobsStatus: [{name: a, ready: 1, succeeded: 1}]"), ""},
           Case{"the second exists already",
                jobset(kInOrder,
                       "replicatedJobsStatus: [{name: a, active: 2}, {name: b, active: 1}]"),
                ""},
           Case{"no status is known", jobset(kInOrder, "restarts: 0"), ""},
           Case{"ready does not suffice",
                jobset(kDepends, "replicatedJobsStatus: [{name: a, ready: 1}]"),
                "replicated job b is made once a is complete (0 of 1 Job)"},
           Case{"complete", jobset(kDepends, "replicatedJobsStatus: [{name: a, succeeded: 1}]"),
                ""},
           Case{"no order is asked for",
                jobset("replicatedJobs: [{name: a, template: {}}, {name: b, template: {}}]",
                       "replicatedJobsStatus: [{name: a, active: 1}]"),
                ""},
       }) {
    CAPTURE(std::string(one.name));
    const auto snapshot = support::scene().yaml(one.object).build();
    const auto* set = snapshot.find_workload("JobSet", "default", "w");
    REQUIRE(set != nullptr);
    const auto missing = waits_for_others(snapshot, *set);
    CHECK((missing ? missing->rule : std::string()) == one.rule);
    if (missing) CHECK(missing->object.kind == "JobSet");
  }
}

TEST_CASE("workers wait for their leader only if the policy says so") {
  const std::string leader =
      "{apiVersion: v1, kind: Pod, metadata: {name: w-0, namespace: default, labels: "
      "{leaderworkerset.sigs.k8s.io/name: w, leaderworkerset.sigs.k8s.io/worker-index: '0'}}, "
      "spec: {nodeName: n1}, status: {phase: Running, conditions: [{type: Ready, status: "
      "'False'}]}}";
  for (const char* policy : {"LeaderReady", "LeaderCreated"}) {
    CAPTURE(std::string(policy));
    const auto snapshot =
        support::scene()
            .yaml(base::format("{{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, "
                               "metadata: {{name: w, namespace: default, uid: u}}, spec: "
                               "{{startupPolicy: {}, leaderWorkerTemplate: {{size: 2, "
                               "workerTemplate: {{}}}}}}}}",
                               policy))
            .yaml(leader)
            .build();
    const auto* set = snapshot.find_workload("LeaderWorkerSet", "default", "w");
    REQUIRE(set != nullptr);
    const auto missing = waits_for_others(snapshot, *set);
    CHECK(missing.has_value() == (std::string_view(policy) == "LeaderReady"));
    if (missing) CHECK(missing->object.name == "w-0");
  }
}

}  // namespace
}  // namespace dra::engine::startup_order_test

// tests/answers/explain/workload_explanation_test.cpp: what is said of a workload as a whole.

#include "dra/answers/explain/workload_explanation.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/snapshot/template_pods.h"
#include "tests/support/builders.h"

namespace dra::answers::workload_explanation_test {
namespace {

struct Case {
  const char* name;
  std::int64_t running;
  std::int64_t waiting;
  std::int64_t fit;       // -1: not known
  std::int64_t together;  // of the template
  Verdict verdict;
  const char* want;  // the end of the first line
};

// A deployment of 5 with so many pods, on one node with `fit` free devices.
WorkloadExplanation explain(const Case& row) {
  support::Scene words = support::scene().node("n1");
  words.yaml(
      "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: w, uid: w}, spec: {replicas: 5, "
      "template: {spec: {containers: [{name: c}], resourceClaims: [{name: a, "
      "resourceClaimName: c}]}}}}");
  const std::string devices = row.fit == 0 ? "" : "{name: gpu-0}";
  words.slice({.name = "s", .where = "nodeName: n1", .devices = devices});
  words.claim("c", support::exactly("gpu", 1));
  for (std::int64_t i = 0; i < row.running + row.waiting; ++i) {
    words.yaml(base::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: w-{}, uid: w-{}, ownerReferences: [{{kind: "
        "StatefulSet, name: w, uid: w, controller: true}}]}}, spec: {{containers: [{{name: c}}], "
        "resourceClaims: [{{name: a, resourceClaimName: c}}] {}}}}}",
        i, i, i < row.running ? ", nodeName: n1" : ""));
  }
  snapshot::Draft draft(words.build());
  const api::Workload& workload = *draft.now().find_workload("StatefulSet", "default", "w");
  const api::PodRole role = api::roles_of(workload).front();
  if (row.running + row.waiting == 0) snapshot::make_template_pods(draft, workload, role, 1);
  const snapshot::Snapshot snapshot = std::move(draft).finish();
  RoleFit fit{.name = {}, .wanted = 5, .together = row.together, .fit = {}};
  fit.fit.fit = std::max<std::int64_t>(row.fit, 0);
  fit.fit.known = row.fit >= 0;
  WorkloadExplanation explanation = explain_workload(snapshot, workload, {std::move(fit)});
  explanation.causes.clear();  // they refer to the snapshot
  return explanation;
}

TEST_CASE("verdict and first line") {
  const Case rows[] = {
      {"all run", 5, 0, 0, 1, Verdict::Scheduled, "all 5 pods have a node."},
      {"some have not been created", 3, 0, 0, 1, Verdict::Scheduled,
       "all 3 pods have a node, and 2 more are wanted that have not been created."},
      {"some wait", 1, 2, 0, 1, Verdict::DoesNotFit,
       "2 of 3 pods wait: request gpu needs 1 device, and no driver publishes any here."},
      {"those that wait fit", 1, 2, 2, 1, Verdict::Fits,
       "2 of 3 pods wait, though the devices are available: the scheduler has not acted yet."},
      {"not all that wait fit", 1, 2, 1, 1, Verdict::DoesNotFit,
       "2 of 3 pods wait; each could run alone, but only 1 fits together."},
      {"how many fit is not known", 1, 2, -1, 1, Verdict::Fits,
       "2 of 3 pods wait, though the devices are available: the scheduler has not acted yet."},
      {"no pod yet, and room for all", 0, 0, 5, 1, Verdict::Fits,
       "has no pods yet; a pod of its template fits."},
      {"no pod yet, and room for some", 0, 0, 2, 1, Verdict::DoesNotFit,
       "has no pods yet, and not all fit: only 2 of 5 pods fit."},
      {"hosts of one slice", 0, 0, 3, 4, Verdict::DoesNotFit,
       "has no pods yet, and not all fit: 4 pods of one index group are needed at once, and 3 "
       "fit."},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    const WorkloadExplanation explanation = explain(row);
    CHECK(explanation.verdict == row.verdict);
    CAPTURE(explanation.summary);
    CHECK(explanation.summary.ends_with(row.want));
  }
}

// A workload without pods, as its status says an hour after it was created.
std::string summary_without_pods(std::string_view kind, std::string_view spec,
                                 std::string_view status, const char* others = "") {
  support::Scene words = support::scene().node("n1").slice("n1", {"gpu-0"});
  words.yaml(
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: kubectl-dra-snapshot, namespace: "
      "default}, data: {time: '2026-03-02T12:00:00Z'}}");
  words.claim("c", support::exactly("gpu", 1));
  if (*others != '\0') words.yaml(others);
  words.yaml(base::format(
      "{{apiVersion: {}, kind: {}, metadata: {{name: w, uid: w, generation: {}, creationTimestamp: "
      "'2026-03-02T11:00:00Z'}}, spec: {{{}template: {{spec: {{containers: [{{name: c}}], "
      "resourceClaims: [{{name: a, resourceClaimName: c}}]}}}}}}, status: {{{}}}}}",
      kind == "Job" ? "batch/v1" : "apps/v1", kind, kind == "DaemonSet" ? 2 : 1, spec, status));
  const snapshot::Snapshot snapshot = words.build();
  const api::Workload& workload = *snapshot.find_workload(kind, "default", "w");
  const std::int64_t wanted = kind == "DaemonSet" ? 0 : api::roles_of(workload).front().pods;
  RoleFit fit{.name = {}, .wanted = wanted, .together = 1, .fit = {}};
  return explain_workload(snapshot, workload, {std::move(fit)}).summary;
}

TEST_CASE("why a workload has no pods") {
  CHECK(summary_without_pods("DaemonSet", "", "desiredNumberScheduled: 0") ==
        "DaemonSet default/w wants no pods: no node is to run one (its "
        "status.desiredNumberScheduled is 0).");
  CHECK(summary_without_pods("Deployment", "replicas: 0, ", "") ==
        "Deployment default/w wants no pods: it is scaled to 0.");
  CHECK(summary_without_pods("Deployment", "replicas: 2, ", "") ==
        "Deployment default/w has no pods: the controller of Deployment w has made no ReplicaSet, "
        "and reports nothing.");
  CHECK(summary_without_pods("Deployment", "replicas: 2, ", "conditions: [{type: Available}]")
            .find("ReplicaSet") == std::string::npos);
}

TEST_CASE("a DaemonSet that its controller has not seen") {
  constexpr const char* other =
      "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: o}, status: {observedGeneration: "
      "1}}";
  const auto summary = [](const char* status, const char* others) {
    return summary_without_pods("DaemonSet", "", status, others);
  };
  const std::string selects_none =
      "DaemonSet default/w wants no pods: no node is to run one (its status.desiredNumberScheduled "
      "is 0).";
  // What the API server writes into the status of one that it has just stored.
  CHECK(summary("desiredNumberScheduled: 0", other) ==
        "DaemonSet default/w has no pods: the controller of DaemonSet w has made no pods, and "
        "reports nothing.");
  CHECK(summary("", other).find("has made no pods") != std::string::npos);
  CHECK(summary("desiredNumberScheduled: 0, observedGeneration: 2", other) == selects_none);
  CHECK(summary("desiredNumberScheduled: 0, observedGeneration: 1", "") ==
        "DaemonSet default/w has no pods: the controller of DaemonSet w has not seen its last "
        "change (metadata.generation is 2, status.observedGeneration 1).");
  // Files may be without the generation that was seen.
  CHECK(summary("desiredNumberScheduled: 0", "") == selects_none);
}

TEST_CASE("a workload that its controller has not seen") {
  // What the API server writes into the status of an object that it has just stored.
  for (const char* kind : {"ReplicaSet", "StatefulSet"}) {
    CHECK(summary_without_pods(kind, "replicas: 2, ", "replicas: 0") ==
          base::format("{0} default/w has no pods: the controller of {0} w has made no pods, and "
                       "reports nothing.",
                       kind));
    CHECK(summary_without_pods(kind, "replicas: 2, ", "replicas: 0, observedGeneration: 1")
              .find("controller") == std::string::npos);
  }
  CHECK(summary_without_pods("Job", "", "") ==
        "Job default/w has no pods: the controller of Job w has made no pods, and reports "
        "nothing.");
  CHECK(summary_without_pods("Job", "", "startTime: '2026-03-02T11:00:00Z'").find("controller") ==
        std::string::npos);
  // Another one acts for it, elsewhere.
  CHECK(summary_without_pods("Job", "managedBy: kueue.x-k8s.io/multikueue, ", "")
            .find("controller") == std::string::npos);
}

// Each of these fits by itself; of the second template not all do.
TEST_CASE("of several templates the one that stands in the way is told in full") {
  support::Scene words = support::scene().node("n1").slice("n1", {"gpu-0", "gpu-1"});
  for (const std::string count : {"1", "2"})
    words.yaml("{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t" +
               count +
               "}, spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu, "
               "count: " +
               count + "}}]}}}}");
  const auto job = [](const std::string& name, const std::string& claims) {
    return "{name: " + name +
           ", template: {spec: {parallelism: 2, completions: 2, template: {spec: {containers: "
           "[{name: c}], resourceClaims: [{name: a, resourceClaimTemplateName: " +
           claims + "}]}}}}}";
  };
  words.yaml(
      "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: w, uid: w}, spec: "
      "{replicatedJobs: [" +
      job("driver", "t1") + ", " + job("hosts", "t2") + "]}}");
  const snapshot::Snapshot before = words.build();
  const api::Workload& workload = *before.find_workload("JobSet", "default", "w");
  std::vector<RoleFit> roles;
  for (const api::PodRole& role : api::roles_of(workload)) {
    roles.push_back({std::string(role.name), role.pods, role.together,
                     engine::pod_capacity(before, workload, role)});
  }
  snapshot::Draft draft(before);
  for (const api::PodRole& role : api::roles_of(workload))
    snapshot::make_template_pods(draft, workload, role, 1);
  const snapshot::Snapshot snapshot = std::move(draft).finish();
  const WorkloadExplanation explanation = explain_workload(snapshot, workload, std::move(roles));
  CHECK(explanation.role == "hosts");
  CHECK(explanation.causes.front().pods.front()->meta.name == "w-hosts-1");
  CHECK(explanation.causes.front().explanation.subjects.front().name == "w-hosts-1");
  CAPTURE(explanation.summary);
  CHECK(explanation.summary ==
        "JobSet default/w has no pods yet, and not all of template hosts fit: 2 pods of one index "
        "group are needed at once, and 1 fits.");
}

}  // namespace
}  // namespace dra::answers::workload_explanation_test

// tests/snapshot/train_jobs_test.cpp: TrainJobs become workloads of what their runtimes describe.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "dra/api/workload.h"
#include "dra/base/text.h"
#include "dra/snapshot/builder.h"
#include "dra/snapshot/load.h"
#include "tests/support/scripted_server.h"
#include "tests/support/temp_dir.h"

namespace dra::snapshot::train_jobs_test {
namespace {

// A runtime of one Job that trains, with the policy POLICY.
std::string runtime(const std::string& policy, const std::string& of_job = "") {
  return base::format(
      "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\n"
      "metadata: {{name: torch}}\nspec: {{{}template: {{spec: {{replicatedJobs: [\n"
      "  {{name: node, {}template: {{metadata: {{labels: "
      "{{trainer.kubeflow.org/trainjob-ancestor-step: trainer}}}}, spec: {{template: {{spec: {{\n"
      "    nodeSelector: {{zone: a, disk: ssd}}, tolerations: [{{key: old, operator: Exists}}],\n"
      "    resourceClaims: [{{name: gpu, resourceClaimTemplateName: gpus}}],\n"
      "    containers: [{{name: node, resources: {{claims: [{{name: gpu}}]}}}}, {{name: "
      "log}}]}}}}}}}}}}]}}}}}}\n",
      policy, of_job);
}

std::string train_job(const std::string& spec = "") {
  return base::format(
      "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {{name: llm}}\n"
      "spec: {{runtimeRef: {{name: torch}}{}}}\n",
      spec);
}

const std::string kLaunched =
    "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\n"
    "metadata: {name: torch}\nspec:\n  mlPolicy: {numNodes: 1, mpi: {runLauncherAsNode: true}}\n"
    "  template: {spec: {replicatedJobs: [\n"
    "    {name: launcher, template: {metadata: {labels: "
    "{trainer.kubeflow.org/trainjob-ancestor-step: trainer}}, spec: {template: {spec: {containers: "
    "[{name: launcher}]}}}}},\n"
    "    {name: node, template: {spec: {template: {spec: {containers: [{name: node}]}}}}}]}}\n";

Result<Snapshot> read(const std::vector<std::string>& manifests) {
  Builder builder;
  for (const std::string& manifest : manifests)
    DRA_TRY(builder.add_manifest(manifest, "f.yaml", "ml"));
  builder.add_train_jobs();
  return std::move(builder).build();
}

// "TrainJob ml/llm: node 4".
std::vector<std::string> workloads(const Snapshot& snapshot) {
  std::vector<std::string> lines;
  for (const api::Workload& workload : snapshot.all<api::Workload>()) {
    std::vector<std::string> roles;
    for (const api::PodRole& role : api::roles_of(workload))
      roles.push_back(base::format("{} {}", role.name, role.pods));
    lines.push_back(base::format("{} {}/{}: {}", workload.origin.kind, workload.meta.namespace_,
                                 workload.meta.name, base::join(roles, ", ")));
  }
  return lines;
}

struct Count {
  const char* name;
  std::string runtime;
  const char* train_job;  // fields behind runtimeRef
  const char* want;
};

const Count kCounts[] = {
    {"a runtime without a policy runs one pod", runtime(""), "", "node 1"},
    {"the runtime says how many", runtime("mlPolicy: {numNodes: 2, torch: {}}, "), "", "node 2"},
    {"the TrainJob says how many", runtime("mlPolicy: {numNodes: 2, torch: {}}, "),
     ", trainer: {numNodes: 4}", "node 4"},
    {"replicas of the Job do not count", runtime("mlPolicy: {numNodes: 2}, ", "replicas: 3, "), "",
     "node 2"},
    {"the launcher is one of the nodes", kLaunched, ", trainer: {numNodes: 4}",
     "launcher 1, node 3"},
    {"a launcher and one node at least", kLaunched, ", trainer: {numNodes: 1}",
     "launcher 1, node 1"},
};

TEST_CASE("the runtime and the TrainJob say how many pods there are") {
  for (const Count& row : kCounts) {
    CAPTURE(row.name);
    const auto snapshot = read({row.runtime, train_job(row.train_job)});
    REQUIRE(snapshot.ok());
    CHECK(snapshot.value().warnings().empty());
    CHECK(workloads(snapshot.value()) ==
          std::vector<std::string>{base::format("TrainJob ml/llm: {}", row.want)});
    CHECK(snapshot.value().planned().size() == 1);
  }
}

const api::PodSpec& only_pod(const Snapshot& snapshot) {
  return api::roles_of(snapshot.all<api::Workload>().front()).front().pod->spec;
}

TEST_CASE("overrides and patches change the pods of the Jobs that they name") {
  const char* changes[] = {
      ", podTemplateOverrides: [{targetJobs: [{name: other}], spec: {nodeSelector: {zone: x}}}, "
      "{targetJobs: [{name: node}], spec: {nodeSelector: {zone: b}, tolerations: [{key: new, "
      "operator: Exists}], schedulingGates: [{name: g}]}}]",
      ", runtimePatches: [{manager: m, trainingRuntimeSpec: {template: {spec: {replicatedJobs: ["
      "{name: other, template: {spec: {template: {spec: {nodeSelector: {zone: x}}}}}}, "
      "{name: node, template: {spec: {template: {spec: {nodeSelector: {zone: b}, tolerations: "
      "[{key: new, operator: Exists}], schedulingGates: [{name: g}]}}}}}]}}}}]",
  };
  for (const char* change : changes) {
    CAPTURE(std::string(change));
    const auto snapshot = read({train_job(change), runtime("")});
    REQUIRE(snapshot.ok());
    const api::PodSpec& pod = only_pod(snapshot.value());
    CHECK(pod.claims.front().template_name == "gpus");
    REQUIRE(pod.node_selector.size() == 2);
    CHECK(*api::find(pod.node_selector, "zone") == "b");
    CHECK(*api::find(pod.node_selector, "disk") == "ssd");
    REQUIRE(pod.tolerations.size() == 1);
    CHECK(pod.tolerations.front().key == "new");
    CHECK(pod.gates.size() == 1);
  }
}

TEST_CASE("what a node is to have replaces all that its container asks for") {
  const auto as_it_was = read({runtime(""), train_job(", trainer: {resourcesPerNode: {}}")});
  REQUIRE(as_it_was.ok());
  CHECK(only_pod(as_it_was.value()).containers.front().resources.claims.size() == 1);
  const auto replaced =
      read({runtime(""), train_job(", trainer: {resourcesPerNode: {requests: {cpu: 3}}}")});
  REQUIRE(replaced.ok());
  const auto& containers = only_pod(replaced.value()).containers;
  CHECK(containers.front().resources.claims.empty());
  CHECK(containers.front().resources.requests.size() == 1);
  CHECK(containers.back().resources.requests.empty());
}

TEST_CASE("a runtime is a workload where no TrainJob of the files uses it") {
  const auto alone = read({runtime("")});
  REQUIRE(alone.ok());
  CHECK(workloads(alone.value()) ==
        std::vector<std::string>{"ClusterTrainingRuntime ml/torch: node 1"});
  CHECK(alone.value().planned().size() == 1);
}

TEST_CASE("a runtime that is missing is named") {
  const auto missing = read({train_job()});
  REQUIRE(missing.ok());
  CHECK(workloads(missing.value()).empty());
  REQUIRE(missing.value().warnings().size() == 1);
  CHECK(missing.value().warnings().front() ==
        "TrainJob llm is omitted: its pods are described by ClusterTrainingRuntime torch, which "
        "was not found; pass a file with it, too");
  const auto nameless =
      read({"apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\n"
            "metadata: {name: llm}\nspec: {}\n"});
  REQUIRE(nameless.ok());
  REQUIRE(nameless.value().warnings().size() == 1);
  CHECK(nameless.value().warnings().front().ends_with("names no runtime in spec.runtimeRef.name"));
}

TEST_CASE("a runtime of a namespace serves TrainJobs of that namespace") {
  const std::string own =
      "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainingRuntime\nmetadata: {name: own, "
      "namespace: ml}\nspec: {template: {spec: {replicatedJobs: [{name: a, template: {spec: "
      "{parallelism: 2, template: {spec: {containers: [{name: c}]}}}}}]}}}\n";
  const auto wants = [](const std::string& ns) {
    return "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: llm" + ns +
           "}\nspec: {runtimeRef: {name: own, kind: TrainingRuntime}}\n";
  };
  const auto here = read({own, wants("")});
  REQUIRE(here.ok());
  CHECK(workloads(here.value()) == std::vector<std::string>{"TrainJob ml/llm: a 2"});
  const auto elsewhere = read({own, wants(", namespace: other")});
  REQUIRE(elsewhere.ok());
  CHECK(elsewhere.value().warnings().size() == 1);
}

TEST_CASE("a list of manifests holds TrainJobs, and a dump runtimes") {
  Builder builder;
  REQUIRE(builder.add_text(runtime("mlPolicy: {numNodes: 2}, "), "dump.yaml").ok());
  const std::string items =
      "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: "
      "{name: llm}, spec: {runtimeRef: {name: torch}}}";
  REQUIRE(
      builder.add_manifest("apiVersion: v1\nkind: List\nitems:\n- " + items + "\n", "f.yaml", "ml")
          .ok());
  builder.add_train_jobs();
  const auto snapshot = std::move(builder).build();
  REQUIRE(snapshot.ok());
  CHECK(workloads(snapshot.value()) == std::vector<std::string>{"TrainJob ml/llm: node 2"});
}

constexpr const char* kNothing =
    R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","message":"no"})";

TEST_CASE("the server is asked for runtimes that no file has") {
  const std::string path = "/apis/trainer.kubeflow.org/v1alpha1/clustertrainingruntimes/torch";
  const std::string text =
      R"({"apiVersion":"trainer.kubeflow.org/v1alpha1","kind":"ClusterTrainingRuntime",)"
      R"("metadata":{"name":"torch"},"spec":{"mlPolicy":{"numNodes":3},"template":{"spec":)"
      R"({"replicatedJobs":[{"name":"node","template":{"metadata":{"labels":)"
      R"({"trainer.kubeflow.org/trainjob-ancestor-step":"trainer"}},"spec":{"template":{"spec":)"
      R"({"containers":[{"name":"node"}]}}}}}]}}}})";
  const support::TempDir dir;
  const std::string config = dir.write("config", "apiVersion: v1\nkind: Config\n");
  for (const int code : {200, 403, 404}) {
    CAPTURE(code);
    support::ScriptedServer server([&](const support::ScriptedRequest& request) {
      if (request.target != path) return support::answer(404, kNothing);
      return support::answer(code, code == 200 ? text : kNothing);
    });
    Source source;
    source.flags.kubeconfig = config;
    source.flags.server = base::format("http://127.0.0.1:{}", server.port());
    source.flags.namespace_ = "ml";
    source.manifests.push_back({"f.yaml", train_job()});
    const std::vector<Need> needs = {
        {.kind = api::Kind::PersistentVolume, .if_volumes_wait = true}};
    const auto snapshot = load(source, needs);
    REQUIRE(snapshot.ok());
    CHECK(std::ranges::count(server.requests(), path, &support::ScriptedRequest::target) == 1);
    if (code == 200) {
      CHECK(workloads(snapshot.value()) == std::vector<std::string>{"TrainJob ml/llm: node 3"});
    } else {
      CHECK(snapshot.value().warnings().size() == 1);
    }
  }
}

}  // namespace
}  // namespace dra::snapshot::train_jobs_test

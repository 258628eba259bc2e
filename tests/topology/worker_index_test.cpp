// tests/topology/worker_index_test.cpp: which number of a pod counts, and when.

#include "dra/topology/worker_index.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::topology::worker_index_test {
namespace {

using support::Scene;

// A pod of the job with that uid.
std::string pod(std::string_view name, std::string_view job, std::string_view labels,
                std::string_view spec = "{}") {
  return base::format(R"(apiVersion: v1
kind: Pod
metadata:
  name: {}
  namespace: default
  uid: uid-{}
  labels: {}
  ownerReferences: [{{apiVersion: batch/v1, kind: Job, name: j, uid: {}, controller: true}}]
spec: {}
)",
                      name, name, labels, job, spec);
}

std::string index_label(int index) {
  return base::format("{{batch.kubernetes.io/job-completion-index: \"{}\"}}", index);
}

std::optional<std::int64_t> number_of(const std::string& text) {
  Scene scene;
  scene.yaml(text);
  return worker_number(scene.build().all<api::Pod>().front());
}

// "a=1 b=0": pods have the names of their nodes.
std::string workers(const Scene& scene, std::vector<std::string> nodes, std::int64_t wanted) {
  const snapshot::Snapshot snapshot = scene.build();
  std::vector<HostPods> hosts;
  for (const std::string& node : nodes) {
    hosts.push_back({node, {}});
    if (const auto* found = snapshot.find<api::Pod>("default", node))
      hosts.back().pods.push_back(found);
  }
  std::vector<std::string> parts;
  for (const auto& [node, worker] : Workers(snapshot).of(hosts, wanted))
    parts.push_back(base::format("{}={}", node, worker));
  return base::join(parts, " ");
}

TEST_CASE("the environment counts before labels, labels before the host name") {
  const std::string env =
      "{hostname: w-5, containers: [{name: c, env: [{name: TPU_WORKER_ID, value: \"3\"}]}]}";
  CHECK(number_of(pod("p", "j", index_label(2), env)) == 3);
  CHECK(number_of(pod("p", "j", index_label(2), "{hostname: w-5}")) == 2);
  CHECK(number_of(pod("p", "j", "{}", "{hostname: w-5}")) == 5);
  CHECK(number_of(pod("p", "j", "{leaderworkerset.sigs.k8s.io/worker-index: \"1\"}")) == 1);
  CHECK_FALSE(number_of(pod("p", "j", "{}", "{hostname: w5}")));
  CHECK_FALSE(number_of(pod("p", "j", "{batch.kubernetes.io/job-completion-index: \"-1\"}")));
}

TEST_CASE("numbers count where one workload has them all") {
  Scene scene;
  scene.yaml(pod("a", "j", index_label(1))).yaml(pod("b", "j", index_label(0)));
  CHECK(workers(scene, {"a", "b"}, 2) == "a=1 b=0");
  // Of a slice of four hosts these two are a part.
  CHECK(workers(scene, {"a", "b"}, 4).empty());
  scene.yaml(pod("c", "j", index_label(1)));
  CHECK(workers(scene, {"a", "b"}, 2).empty());
}

TEST_CASE("pods without an owner are of the job whose name they have") {
  Scene scene;
  for (const int i : {0, 1})
    scene.yaml(base::format(R"(apiVersion: v1
kind: Pod
metadata: {{name: p{}, namespace: default, uid: u{}, labels: {{job-name: j, batch.kubernetes.io/job-completion-index: "{}"}}}}
)",
                            i, i, i));
  CHECK(workers(scene, {"p0", "p1"}, 2) == "p0=0 p1=1");
}

TEST_CASE("pods of two workloads number two parts") {
  Scene scene;
  scene.yaml(pod("a", "j", index_label(0))).yaml(pod("b", "k", index_label(0)));
  CHECK(workers(scene, {"a", "b"}, 2).empty());
}

TEST_CASE("a workload that is spread elsewhere, or has two pods on a host, numbers no hosts") {
  Scene spread;
  spread.yaml(pod("a", "j", index_label(0))).yaml(pod("b", "j", index_label(1)));
  spread.yaml(pod("c", "j", index_label(2), "{nodeName: elsewhere}"));
  CHECK(workers(spread, {"a", "b", "free"}, 3).empty());
  Scene two;
  two.yaml(pod("a", "j", index_label(0))).yaml(pod("b", "j", index_label(1)));
  const snapshot::Snapshot snapshot = two.build();
  const std::vector<HostPods> hosts = {
      {"n0", {snapshot.find<api::Pod>("default", "a"), snapshot.find<api::Pod>("default", "b")}},
      {"n1", {}}};
  CHECK(Workers(snapshot).of(hosts, 2).empty());
  // One that has chips of two hosts numbers neither.
  const std::vector<HostPods> shared = {{"n0", {snapshot.find<api::Pod>("default", "b")}},
                                        {"n1", {snapshot.find<api::Pod>("default", "b")}}};
  CHECK(Workers(snapshot).of(shared, 2).empty());
}

TEST_CASE("a pod that goes away has no number any more") {
  Scene scene;
  std::string going = pod("a", "j", "{}", "{hostname: w-1000000}");
  going.insert(going.find("  uid:"), "  deletionTimestamp: \"2026-11-20T09:00:00Z\"\n");
  scene.yaml(going).yaml(pod("b", "j", index_label(0))).yaml(pod("c", "j", index_label(1)));
  CHECK(workers(scene, {"a", "b"}, 2) == "a=1 b=0");
}

TEST_CASE("one host without a pod is the one that is left") {
  Scene scene;
  scene.yaml(pod("a", "j", index_label(0))).yaml(pod("waits", "j", index_label(1)));
  CHECK(workers(scene, {"a", "b"}, 2) == "a=0 b=1");
  scene.yaml(pod("waits-too", "j", index_label(2)));
  CHECK(workers(scene, {"a", "b", "c"}, 3) == "a=0");
}

}  // namespace
}  // namespace dra::topology::worker_index_test

// tests/report/phrases/advice_words_test.cpp: advice about where devices and pods are, in words and
// as commands.

#include "dra/report/phrases/advice_words.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/report/phrases/advice_edits.h"
#include "tests/support/builders.h"

namespace dra::report::advice_words_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

std::string order(const engine::Change& change) {
  const std::vector<answers::ChangeFacts> facts(1);
  return advice_words({.changes = {change}}, facts);
}

TEST_CASE("what keeps a pod away, and what it would have to be") {
  engine::SelectNodes change{.key = "card", .text = "card=large", .value = "small"};
  CHECK(order(change) == "change nodeSelector card=large, which keeps it away, to card=small");
  change.other_devices = true;
  change.value.reset();
  CHECK(order(change) ==
        "remove nodeSelector card=large, which keeps it away (devices of another "
        "kind)");
  change = {.key = "zone", .expression = 0, .text = "zone in (a)", .value = "b"};
  CHECK(order(change) ==
        "accept zone=b in required node affinity zone in (a), which keeps it away");
}

TEST_CASE("parts are named") {
  const engine::SplitRequests change{.claim = "ml/c",
                                     .constraint = 1,
                                     .attribute = "x/pcieRoot",
                                     .requests = {"card", "port"},
                                     .parts = 2};
  CHECK(order(change) ==
        "split the requests of constraint 1 into 2 parts (card and port, card-2 and port-2), each "
        "with one x/pcieRoot of its own");
}

TEST_CASE("of unequal parts each says its number of devices") {
  const engine::SplitRequests change{.claim = "ml/c",
                                     .attribute = "x/pcieRoot",
                                     .requests = {"gpu"},
                                     .parts = 2,
                                     .counts = {2, 1}};
  CHECK(order(change) ==
        "split the requests of constraint 0 into 2 parts (gpu with 2 devices, gpu-2 with 1), each "
        "with one x/pcieRoot of its own");
}

TEST_CASE("a release says what its command does, and what else ends") {
  const engine::Release change{.claims = {"ml/c"}, .pods = {"ml/train-0"}};
  std::vector<answers::ChangeFacts> facts(1);
  facts.front().released = {{.namespace_ = "ml",
                             .name = "train-0",
                             .standing = "Running 5d",
                             .owner_kind = "Job",
                             .owner_name = "train",
                             .replicas = 4}};
  const auto words = [&] { return advice_words({.changes = {change}}, facts); };
  const std::string ends = ", which ends pod ml/train-0 (Running 5d)";
  answers::ReleasedPod& pod = facts.front().released.front();
  CHECK(words() == "suspend Job train" + ends + " and 3 more of its pods");
  pod.job_set = "llama";
  CHECK(words() == "suspend JobSet llama" + ends + " and 3 more of its pods");
  pod.replicas = 1;
  CHECK(words() == "suspend JobSet llama" + ends);
  pod.job_set = {};
  pod.owner_kind = "Deployment";
  CHECK(words() == "scale Deployment train from 1 to 0 replicas" + ends);
  pod.replicas = 2;
  pod.priority = 7;
  CHECK(words() ==
        "scale Deployment train from 2 to 1 replica, which ends pod ml/train-0 (Running 5d, "
        "priority 7)");
  pod.priority = 0;
  pod.owner_kind = {};
  CHECK(words() ==
        "delete pod ml/train-0 (Running 5d; no controller re-creates it: the command saves it in "
        "train-0.json)");
  facts.front().unreserved = {"ml/c"};
  CHECK(words() ==
        "delete pod ml/train-0 (Running 5d; no controller re-creates it: the command saves it in "
        "train-0.json), "
        "and delete claim "
        "ml/c");
  facts.front().unreserved = {};
  pod.owner_kind = "DaemonSet";
  CHECK(words() == "free the devices of pod ml/train-0 (Running 5d, of DaemonSet train)");
}

TEST_CASE("pods of several owners are ended by each of them") {
  const engine::Release change{.claims = {"ml/c"}, .pods = {"ml/a-0", "ml/b", "ml/c-0"}};
  std::vector<answers::ChangeFacts> facts(1);
  facts.front().released = {{.namespace_ = "ml",
                             .name = "a-0",
                             .standing = "Running 5d",
                             .owner_kind = "Job",
                             .owner_name = "a",
                             .replicas = 2},
                            {.namespace_ = "ml", .name = "b", .standing = "Running 5d"},
                            {.namespace_ = "ml",
                             .name = "c-0",
                             .standing = "Running 5d",
                             .owner_kind = "StatefulSet",
                             .owner_name = "c",
                             .replicas = 1,
                             .ordinal = 0}};
  CHECK(advice_words({.changes = {change}}, facts) ==
        "delete pod ml/b and suspend Job a and scale StatefulSet c from 1 to 0 replicas, which "
        "ends pods "
        "ml/a-0, ml/c-0 and 1 more of their pods");
}

// The patch of the only command.
std::string patch_of(Scene scene, const engine::Change& change) {
  const auto snapshot = scene.server("v1.36.0").build();
  const auto* pod = snapshot.find<api::Pod>("default", "p");
  const engine::Subject subject = engine::subject_of_pod(snapshot, *pod);
  const engine::Advice advice{.changes = {change}};
  const auto edits = edits_for(advice, answers::facts_of(advice.changes, subject, snapshot),
                               subject, snapshot.server());
  REQUIRE(edits.size() == 1);
  const std::string& command = edits.front().command;
  const std::size_t begin = command.find("-p '") + 4;
  return command.substr(0, 24) + "|" + command.substr(begin, command.find('\'', begin) - begin);
}

TEST_CASE("what names one part of a request names the others, too") {
  const auto made = scene().yaml(
      "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, namespace: "
      "default}, spec: {devices: {requests: [" +
      exactly("card", 2) +
      "], constraints: [{matchAttribute: x/root}, {requests: [card], distinctAttribute: x/id}], "
      "config: [{requests: [card], opaque: {driver: d, parameters: {}}}]}}}");
  auto with_pod = made;
  CHECK(
      patch_of(with_pod.pod("p", "{name: gpu, resourceClaimName: c}"),
               engine::SplitRequests{.claim = "default/c",
                                     .constraint = 0,
                                     .attribute = "x/root",
                                     .requests = {"card"},
                                     .parts = 2}) ==
      "kubectl get resourceclai|"
      R"([{"op":"add","path":"/spec/devices/requests/0/exactly/count","value":1},)"
      R"({"op":"add","path":"/spec/devices/constraints/0/requests","value":["card"]},)"
      R"({"op":"copy","path":"/spec/devices/requests/-","from":"/spec/devices/requests/0"},)"
      R"({"op":"add","path":"/spec/devices/requests/1/name","value":"card-2"},)"
      R"({"op":"add","path":"/spec/devices/constraints/1/requests/-","value":"card-2"},)"
      R"({"op":"add","path":"/spec/devices/config/0/requests/-","value":"card-2"},)"
      R"({"op":"add","path":"/spec/devices/constraints/-","value":{"requests":["card-2"],"matchAttribute":"x/root"}}])");
}

TEST_CASE("a pod is re-created on other nodes, a Deployment changes its template") {
  const auto alone =
      scene()
          .claim("c", exactly("gpu", 1))
          .pod("p", "{name: gpu, resourceClaimName: c}", "nodeSelector: {example.com/card: large}");
  const engine::SelectNodes change{
      .key = "example.com/card", .text = "example.com/card=large", .value = "small"};
  CHECK(patch_of(alone, change) ==
        "kubectl get pod p -n def|"
        R"([{"op":"replace","path":"/spec/nodeSelector/example.com~1card","value":"small"}])");
  const auto owned =
      scene()
          .claim("c", exactly("gpu", 1))
          .yaml(
              "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default, uid: p, labels: "
              "{pod-template-hash: x1}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, "
              "name: "
              "web-x1, uid: w, controller: true}]}, spec: {affinity: {nodeAffinity: "
              "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
              "[{matchExpressions: "
              "[{key: zone, operator: Exists}]}]}}}, resourceClaims: [{name: gpu, "
              "resourceClaimName: c}]}}");
  CHECK(
      patch_of(owned, engine::SelectNodes{.key = "zone", .expression = 0, .text = "zone"}) ==
      "kubectl patch deployment|"
      R"([{"op":"remove","path":"/spec/template/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"}])");
}

struct OfOwner {
  const char* kind;
  const char* name;
  const char* how;
  std::vector<std::string> commands;
};

const OfOwner kOwners[] = {
    {"ReplicaSet",
     "w",
     "Change the pod template of ReplicaSet w, then delete the pod.",
     {"kubectl patch replicaset", "kubectl delete pod p -n "}},
    {"StatefulSet",
     "w",
     "Change the pod template of StatefulSet w, then delete the pod.",
     {"kubectl patch statefulse", "kubectl delete pod p -n "}},
    {"Job",
     "w",
     "The pod template of Job w can be edited only while it is suspended, which deletes its pods: "
     "suspend it, change the template, then resume it.",
     {}},
    {"CronJob",
     "w",
     "Change the pod template of CronJob w, then delete Job w-1: only its next Job has the change.",
     {}},
    {"JobSet",
     "w",
     "The pod template of JobSet w can be edited only while it is suspended, which deletes its "
     "pods: suspend it, change the template, then resume it.",
     {}},
    {"RayJob", "w", "Change the pod template of RayJob w.", {}},
};

// A pod of a workload of that kind, which selects nodes.
Scene owned_by(const OfOwner& owner) {
  const std::string kind = owner.kind;
  const bool has_jobs = kind == "CronJob" || kind == "JobSet";
  const auto reference = [](const std::string& of, const std::string& name) {
    return "ownerReferences: [{apiVersion: any/v1, kind: " + of + ", name: " + name +
           ", uid: " + name + ", controller: true}]";
  };
  Scene made = scene().claim("c", exactly("gpu", 1));
  if (kind == "CronJob")
    made.yaml(
        "{apiVersion: batch/v1, kind: Job, metadata: {name: w-1, namespace: default, uid: w-1, " +
        reference(kind, owner.name) + "}, spec: {template: {spec: {}}}}");
  const std::string labels = kind == "JobSet" ? "jobset.sigs.k8s.io/jobset-name: w" : "";
  return made.yaml("{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default, uid: p, " +
                   ("labels: {" + labels + "}, ") +
                   reference(has_jobs ? "Job" : kind, has_jobs ? "w-1" : owner.name) +
                   "}, spec: {nodeSelector: {card: large}, resourceClaims: [{name: gpu, "
                   "resourceClaimName: c}]}}");
}

TEST_CASE("each workload changes its pods' selection of nodes as the API server lets it") {
  for (const OfOwner& owner : kOwners) {
    CAPTURE(owner.kind);
    const auto snapshot = owned_by(owner).server("v1.36.0").build();
    const auto* pod = snapshot.find<api::Pod>("default", "p");
    const engine::Subject subject = engine::subject_of_pod(snapshot, *pod);
    const engine::Advice advice{
        .changes = {engine::SelectNodes{.key = "card", .text = "card=large", .value = "small"}}};
    const auto facts = answers::facts_of(advice.changes, subject, snapshot);
    CHECK(how_words(advice, facts, subject) == owner.how);
    std::vector<std::string> commands;
    for (const AdviceEdit& edit : edits_for(advice, facts, subject, snapshot.server()))
      commands.push_back(edit.command.substr(0, 24));
    CHECK(commands == owner.commands);
  }
}

TEST_CASE("a JobSet keeps its affinity") {
  const auto snapshot = owned_by({.kind = "JobSet", .name = "w", .how = "", .commands = {}})
                            .server("v1.36.0")
                            .build();
  const auto* pod = snapshot.find<api::Pod>("default", "p");
  const engine::Subject subject = engine::subject_of_pod(snapshot, *pod);
  const engine::Advice advice{
      .changes = {engine::SelectNodes{.key = "zone", .expression = 0, .text = "zone"}}};
  CHECK(how_words(advice, answers::facts_of(advice.changes, subject, snapshot), subject) ==
        "The pod template of JobSet w cannot be edited: delete it and re-create it with the "
        "change.");
}

// The diff of the first edit as text.
std::string diff_of(Scene scene, const engine::Change& change) {
  const auto snapshot = scene.server("v1.36.0").build();
  const auto* pod = snapshot.find<api::Pod>("default", "p");
  const engine::Subject subject = engine::subject_of_pod(snapshot, *pod);
  const engine::Advice advice{.changes = {change}};
  const auto edits = edits_for(advice, answers::facts_of(advice.changes, subject, snapshot),
                               subject, snapshot.server());
  REQUIRE(!edits.empty());
  std::string text;
  for (const auto& line : diff_lines(edits.front())) {
    for (const view::Span& span : line)
      text += span.text;
    text += "\n";
  }
  return text;
}

TEST_CASE("a diff has what goes and what comes") {
  const auto made = scene().yaml(
      "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, namespace: "
      "default}, spec: {devices: {requests: [{name: a, exactly: {deviceClassName: x, "
      "allocationMode: All}}, " +
      exactly("b", 2) +
      ", {name: c, firstAvailable: [{name: d, deviceClassName: x}, {name: e, deviceClassName: "
      "x}]}], constraints: [{requests: [b], matchAttribute: x/root}]}}}");
  auto scene = made;
  scene.pod("p", "{name: gpu, resourceClaimName: c}");
  const std::string claim = "default/c";
  CHECK(diff_of(scene, engine::SetCount{claim, "a", 1}) ==
        "  spec.devices.requests[0].exactly:\n"
        "-   allocationMode: All\n"
        "+   allocationMode: ExactCount\n"
        "+   count: 1\n");
  CHECK(diff_of(scene, engine::UseAlternative{claim, "c/e"}) ==
        "  spec.devices.requests[2].firstAvailable:\n"
        "-   - name: d  # as a whole\n");
  CHECK(diff_of(scene, engine::RelaxConstraint{claim, 0, "x/root", "x/numa"}) ==
        "  spec.devices.constraints[0]:\n"
        "-   matchAttribute: x/root\n"
        "+   matchAttribute: x/numa\n");
  CHECK(diff_of(scene, engine::SplitRequests{claim, 0, "x/root", {"b"}, 2}) ==
        "  spec.devices.requests[1].exactly:\n"
        "-   count: 2\n"
        "+   count: 1\n"
        "  spec.devices.requests:\n"
        "+   - name: b-2  # otherwise as b, as changed\n"
        "  spec.devices.constraints:\n"
        "+   - requests:\n"
        "+     - b-2\n"
        "+     matchAttribute: x/root\n");
  CHECK(diff_of(scene, engine::Tolerate{claim, "b", "k", "NoSchedule"}) ==
        "  spec.devices.requests[1].exactly:\n"
        "+   tolerations:\n"
        "+   - key: k\n"
        "+     operator: Exists\n"
        "+     effect: NoSchedule\n");
}

}  // namespace
}  // namespace dra::report::advice_words_test

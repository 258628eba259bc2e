// tests/answers/explain/explanation_test.cpp: verdicts, and what they rest on.

#include "dra/answers/explain/explanation.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::answers::explanation_test {
namespace {

using support::all;
using support::allocated;
using support::exactly;
using support::on_node;
using support::Scene;
using support::scene;

std::string codes_of(const std::vector<diag::Reason>& reasons) {
  std::vector<std::string> codes;
  for (const diag::Reason& reason : reasons)
    codes.emplace_back(diag::name_of(reason.code));
  return base::join(codes, " ");
}

// "b6tz:out k7xq:open": the last part of each node's name.
std::string nodes_of(const Explanation& explanation) {
  std::vector<std::string> parts;
  for (const engine::NodeResult& node : explanation.nodes) {
    parts.push_back(base::format("{}:{}", node.name.substr(node.name.rfind('-') + 1),
                                 node.aborts()         ? "aborts"
                                 : node.is_ruled_out() ? "out"
                                                       : "open"));
  }
  return base::join(parts, " ");
}

struct FixtureCase {
  const char* name;
  const char* fixture;
  const char* subject;  // "pod ns/name" or "claim ns/name"
  const char* verdict;
  const char* blockers;
  const char* nodes;
};

// Upstream's answers for these scenes stand in their headers; nothing here may contradict them.
const FixtureCase kFixtures[] = {
    {"nothing free on the node of its class", "pods-pending", "pod pending/p01-no-device",
     "DoesNotFit", "", "p7xs:out b6tz:out k7xq:out"},
    {"the claim does not exist", "pods-pending", "pod pending/p02-missing-claim", "Blocked",
     "ClaimMissing", "p7xs:open b6tz:open k7xq:open"},
    {"the template does not exist", "pods-pending", "pod pending/p03-missing-template", "Blocked",
     "ClaimNotCreated TemplateMissing ClaimCreationFailed", "p7xs:open b6tz:open k7xq:open"},
    {"the class does not exist", "pods-pending", "pod pending/p04-missing-class", "Blocked",
     "ClassMissing", "p7xs:aborts b6tz:aborts k7xq:aborts"},
    {"a selector fails, and the scheduler gives up", "pods-pending",
     "pod pending/p05-cel-runtime-error", "DoesNotFit", "", "p7xs:out b6tz:out k7xq:aborts"},
    {"the taint of a node is another filter's matter", "pods-pending", "pod pending/p06-node-taint",
     "DoesNotFit", "", "p7xs:out b6tz:out k7xq:open"},
    {"the claim has devices elsewhere", "pods-pending", "pod pending/p07-claim-in-use-elsewhere",
     "DoesNotFit", "", "p7xs:out b6tz:open k7xq:out"},
    {"a gate", "pods-pending", "pod pending/p08-gated", "Blocked", "SchedulingGated",
     "p7xs:open b6tz:out k7xq:out"},
    {"the claim is going away", "pods-pending", "pod pending/p09-claim-deleting", "Blocked",
     "ClaimDeleting", "p7xs:out b6tz:open k7xq:out"},
    {"a pod that runs", "pods-pending", "pod pending/l4-user", "Scheduled", "",
     "p7xs:out b6tz:open k7xq:out"},
    {"a pod that runs is not blocked by the end of its claim", "pods-pending",
     "pod pending/p09-last-user", "Scheduled", "", "p7xs:out b6tz:open k7xq:out"},
    {"two alternatives, and nothing free for either", "gpu-a100-fungibility",
     "pod default/vllm-gpu-7b9f6c5d44-w8pjn", "DoesNotFit", "", "m4zz:out cg6n:out t5wd:out"},
    {"all devices of a node, all of them held", "gke-tpu-v6e-8",
     "pod inference/vllm-tpu-6d5f7c9b8-zz9xk", "DoesNotFit", "", "k7xq:out"},
    {"a host without slices", "gke-tpu-v5p-2x2x4-degraded", "pod training/maxtext-slice-0-2-q7wz",
     "DoesNotFit", "", "8f2c:out d41k:out q7wz:out x9pb:out"},
    {"one device short, for two are tainted", "device-taints", "claim team-a/t03-two-untainted",
     "DoesNotFit", "", "b6tz:out 1:out"},
    {"partitions in use leave too little of the counters", "gpu-mig-partitionable",
     "claim mig-demo/whole-h100", "DoesNotFit", "", "p7xs:out r2kd:out"},
    {"no two pairs are at one root", "nic-gpu-cpu-alignment", "claim hpc/two-pairs-one-root",
     "DoesNotFit", "", "x7cc:out"},
    {"only another driver's device is left", "claims", "claim team-a/c01-pending-unused",
     "DoesNotFit", "", "b6tz:out w0rk:out"},
    {"a claim of a class that does not exist", "claims", "claim team-a/c02-pending-no-class",
     "Blocked", "ClassMissing", "b6tz:aborts w0rk:aborts"},
    {"a claim that has its device", "claims", "claim team-a/c03-allocated-idle", "Scheduled", "",
     "b6tz:open w0rk:out"},
    {"a claim whose device is gone still has it", "claims", "claim team-a/c10-device-gone",
     "Scheduled", "", "b6tz:out w0rk:open"},
    {"a claim for a rack", "claims", "claim team-a/c11-fabric-device", "Scheduled", "",
     "b6tz:open w0rk:out"},
};

Explanation explain(const snapshot::Snapshot& snapshot, const std::string& subject) {
  const auto words = base::split(subject, ' ');
  const auto names = base::split(words.at(1), '/');
  if (words.at(0) == "claim") {
    return explain_claims(snapshot, std::string(names.at(0)), {std::string(names.at(1))});
  }
  const api::Pod* pod = snapshot.find<api::Pod>(names.at(0), names.at(1));
  REQUIRE(pod != nullptr);
  return explain_pod(snapshot, *pod);
}

TEST_CASE("the scenes") {
  for (const FixtureCase& row : kFixtures) {
    CAPTURE(row.name);
    CAPTURE(std::string(row.subject));
    const auto snapshot = support::load(base::format("tests/fixtures/{}.yaml", row.fixture));
    const Explanation explanation = explain(snapshot, row.subject);
    CHECK(name_of(explanation.verdict) == row.verdict);
    CHECK(codes_of(explanation.blockers) == row.blockers);
    CHECK(nodes_of(explanation) == row.nodes);
    CHECK_FALSE(explanation.nodes_assumed);
    CHECK(explanation.headline.text().find(explanation.subjects.front().name) != std::string::npos);
  }
}

struct Case {
  const char* name;
  Scene scene;
  const char* verdict;
  const char* blockers;
};

constexpr const char* kByName = "{name: gpu, resourceClaimName: c}";

Scene waiting(int count, std::string_view spec = "") {
  return scene()
      .node("n1")
      .slice("n1", {"gpu-0", "gpu-1"})
      .claim("c", exactly("gpu", count))
      .pod("p", kByName, spec);
}

TEST_CASE("verdicts") {
  const Case rows[] = {
      {"enough", waiting(2), "Fits", ""},
      {"too few everywhere", waiting(3), "DoesNotFit", ""},
      {"the default scheduler by its name", waiting(3, "schedulerName: default-scheduler"),
       "DoesNotFit", ""},
      {"another scheduler", waiting(3, "schedulerName: volcano"), "Undetermined", "OtherScheduler"},
      {"another scheduler's pod that has a node",
       waiting(3, "schedulerName: volcano, nodeName: n1"), "Scheduled", ""},
      {"a pod with a node, whatever is wrong with its claims",
       scene().pod("p", kByName, "nodeName: n1"), "Scheduled", ""},
      {"a pod without claims is not held up by DRA", scene().node("n1").pod("p", ""),
       "Undetermined", ""},
      {"blocked comes before fitting", waiting(3, "schedulingGates: [{name: g}]"), "Blocked",
       "SchedulingGated"},
      {"a pool that is being updated, on the only node",
       scene().node("n1").slice({.name = "s", .count = 2}).claim("c", all("gpu")).pod("p", kByName),
       "DoesNotFit", ""},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    const auto snapshot = row.scene.build();
    const Explanation explanation = explain(snapshot, "pod default/p");
    CHECK(name_of(explanation.verdict) == row.verdict);
    CHECK(codes_of(explanation.blockers) == row.blockers);
  }
}

struct VisibleCase {
  const char* name;
  api::Kind kind;  // cannot be read
  int count;       // of two devices
  const char* verdict;
  const char* blockers;
};

const VisibleCase kVisible[] = {
    {"claims may hold what is there", api::Kind::Claim, 2, "Undetermined", "NotVisible"},
    {"too few are published, whoever holds them", api::Kind::Claim, 3, "DoesNotFit", "NotVisible"},
    {"other slices may be there", api::Kind::Slice, 3, "Undetermined", "NotVisible"},
    {"other nodes may be there", api::Kind::Node, 3, "Undetermined", "NotVisible"},
    {"taint rules can only take away", api::Kind::TaintRule, 3, "DoesNotFit", "NotVisible"},
    {"a class can only take away", api::Kind::Class, 3, "DoesNotFit", "NotVisible"},
    {"events change no verdict", api::Kind::Event, 3, "DoesNotFit", ""},
    {"templates matter to claims that are not made", api::Kind::Template, 3, "DoesNotFit", ""},
};

TEST_CASE("not visible is not absent") {
  for (const VisibleCase& row : kVisible) {
    CAPTURE(row.name);
    const auto snapshot = waiting(row.count).cannot_read(row.kind).build();
    const Explanation explanation = explain(snapshot, "pod default/p");
    CHECK(name_of(explanation.verdict) == row.verdict);
    CHECK(codes_of(explanation.blockers) == row.blockers);
    for (const diag::Reason& reason : explanation.blockers) {
      CHECK(reason.certainty == diag::Certainty::AsFarAsVisible);
      CHECK(reason.message.find(api::info_of(row.kind).resource) != std::string::npos);
    }
  }
}

TEST_CASE("a claim that cannot be seen is not called missing") {
  const auto snapshot = scene().node("n1").pod("p", kByName).cannot_read(api::Kind::Claim).build();
  const Explanation explanation = explain(snapshot, "pod default/p");
  CHECK(explanation.verdict == Verdict::Undetermined);
  CHECK(codes_of(explanation.blockers) == "NotVisible");
}

TEST_CASE("a claim that is not made yet is judged by its template") {
  const auto snapshot = scene()
                            .node("n1")
                            .slice("n1", {"gpu-0"})
                            .yaml(
                                "{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, "
                                "metadata: {name: t}, spec: "
                                "{spec: {devices: {requests: [" +
                                exactly("gpu", 2) + "]}}}}")
                            .pod("p", "{name: gpu, resourceClaimTemplateName: t}")
                            .build();
  const Explanation explanation = explain(snapshot, "pod default/p");
  CHECK(explanation.verdict == Verdict::Blocked);
  CHECK(explanation.hypothetical());
  CHECK(nodes_of(explanation) == "n1:out");
}

TEST_CASE("claims together") {
  const auto snapshot = scene()
                            .node("n1")
                            .slice("n1", {"gpu-0"})
                            .claim("a1", exactly("gpu", 1))
                            .claim("b1", exactly("gpu", 2))
                            .build();
  const auto verdict = [&snapshot](const std::vector<std::string>& names) {
    return std::string(name_of(explain_claims(snapshot, "default", names).verdict));
  };
  CHECK(verdict({"a1"}) == "Fits");
  CHECK(verdict({"a1", "b1"}) == "DoesNotFit");
  CHECK(verdict({"a1", "gone"}) == "Blocked");
  CHECK(explain_claims(snapshot, "default", {"b1", "a1"}).subjects.size() == 2);
  CHECK(explain_claims(snapshot, "default", {"b1", "a1"}).subjects.front().name == "b1");
}

TEST_CASE("nodes that stand the same are one group") {
  const auto snapshot = scene()
                            .node("n1")
                            .node("n2")
                            .node("n3")
                            .slice("n1", {"gpu-0"})
                            .slice("n2", {"gpu-1", "gpu-2"})
                            .slice("n3", {"gpu-3"})
                            .claim("c", exactly("gpu", 3))
                            .build();
  const Explanation explanation = explain(snapshot, "claim default/c");
  CHECK(explanation.groups == std::vector<std::vector<std::size_t>>{{0, 2}, {1}});
}

struct WordCase {
  const char* name;
  const char* pod;
  const char* reason;  // empty: the scheduler says nothing
  const char* agrees;  // "yes", or empty where there is nothing to agree with
};

const WordCase kWords[] = {
    {"a verdict beside the scheduler's", "p04-missing-class", "Unschedulable", "yes"},
    {"all are in use", "p01-no-device", "Unschedulable", "yes"},
    {"an error of the scheduler", "p05-cel-runtime-error", "SchedulerError", "yes"},
    {"of another filter", "p06-node-taint", "Unschedulable", "yes"},
    {"it says nothing of a claim that is missing", "p02-missing-claim", "", ""},
    {"what it said does not matter to a pod that runs", "l4-user", "", ""},
};

TEST_CASE("what the scheduler says itself") {
  const auto snapshot = support::load("tests/fixtures/pods-pending.yaml");
  for (const WordCase& row : kWords) {
    CAPTURE(row.name);
    const Explanation explanation = explain(snapshot, base::format("pod pending/{}", row.pod));
    const auto& word = explanation.scheduler;
    CHECK((word ? word->reason : "") == row.reason);
    CHECK((word && word->agrees ? "yes" : "") == row.agrees);
    if (word) CHECK_FALSE(word->message.empty());
  }
}

TEST_CASE("without a condition the newest event speaks for the scheduler") {
  const auto event = [](const char* name, const char* time, const char* pod) {
    return base::format(
        "{{apiVersion: v1, kind: Event, metadata: {{name: {0}}}, reason: FailedScheduling, "
        "message: {0}, "
        "involvedObject: {{kind: Pod, namespace: default, {2}}}, lastTimestamp: '{1}'}}",
        name, time, pod);
  };
  const auto snapshot = waiting(3)
                            .yaml(event("older", "2026-11-20T08:00:00Z", "name: p, uid: p"))
                            .yaml(event("newer", "2026-11-20T09:00:00Z", "name: p"))
                            .yaml(event("another", "2026-11-20T10:00:00Z", "name: q"))
                            .yaml(event("before", "2026-11-20T10:00:00Z", "name: p, uid: gone"))
                            .build();
  const Explanation explanation = explain(snapshot, "pod default/p");
  REQUIRE(explanation.scheduler);
  CHECK(explanation.scheduler->message == "newer");
}

TEST_CASE("what DRA has to do with a pod without claims") {
  const auto summary = [](const Scene& built) {
    return explain(built.build(), "pod default/p").headline.text();
  };
  const char* asks =
      "containers: [{name: main, resources: {limits: {example.com/gpu: 1}, requests: "
      "{example.com/gpu: 1}}}]";
  const auto asking = [asks] { return scene().node("n1").pod("p", "", asks); };
  CHECK(summary(scene().node("n1").pod("p", "")).ends_with("so DRA does not hold it up."));
  const std::string nowhere = "o node offers example.com/gpu, and no device class serves it";
  CHECK(summary(asking()).find(nowhere) != std::string::npos);
  CHECK(summary(asking().server("v1.35.0")).find(nowhere) != std::string::npos);
  CHECK(summary(asking().cannot_read(api::Kind::Class)).find("deviceclasses cannot be read") !=
        std::string::npos);
}

// A hypothesis without the only node of a driver: nothing is wrong with the driver.
TEST_CASE("what a hypothesis takes away is not missing") {
  const auto snapshot = scene()
                            .node("left")
                            .device_class("card", "device.driver == 'card.example.com'")
                            .claim("c", exactly("card", 1))
                            .pod("p", "{name: c, resourceClaimName: c}")
                            .build();
  const api::Pod& pod = *snapshot.find<api::Pod>("default", "p");
  const Explanation gone =
      explain_pod(snapshot, pod, {.is_hypothesis = true, .drivers_before = {"card.example.com"}});
  CHECK(gone.cause == "no node that is left has devices of driver card.example.com");
  CHECK(gone.remedy.text.find("Install") == std::string::npos);
  const Explanation never = explain_pod(snapshot, pod, {.is_hypothesis = true});
  CHECK(never.cause.find("no DaemonSet or pod of it was found") != std::string::npos);
}

TEST_CASE("what decides and cannot be read is named") {
  const auto snapshot =
      scene()
          .node("n1", "zone: a")
          .slice("n1", {"gpu-0"})
          .claim("c", exactly("gpu", 1))
          .yaml(
              "{apiVersion: v1, kind: Pod, metadata: {name: db, namespace: ml, labels: {app: "
              "db}}, spec: {nodeName: n1}}")
          .pod("p", "{name: c, resourceClaimName: c}",
               "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
               "[{topologyKey: zone, labelSelector: {matchLabels: {app: db}}, namespaceSelector: "
               "{matchLabels: {team: ml}}}]}}")
          .build();
  const Explanation explanation = explain(snapshot, "pod default/p");
  CHECK(explanation.verdict == Verdict::Undetermined);
  CHECK(explanation.headline.predicate ==
        "is undetermined: as far as DRA goes it fits on node n1, but it depends on inter-pod "
        "affinity (labels of namespaces cannot be read).");
}

}  // namespace
}  // namespace dra::answers::explanation_test

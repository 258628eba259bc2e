// tests/answers/explain/holders_test.cpp: who holds the devices, and whether waiting helps.

#include "src/answers/explain/holders.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::answers::holders_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

constexpr const char* kCrashes =
    "phase: Running, containerStatuses: [{name: x, restartCount: 71, state: {waiting: {reason: "
    "CrashLoopBackOff}}}]";

// Pod p waits for the only device, which claim `keep` with `meta` holds for `consumer`.
Scene kept(const std::string& meta, const std::string& consumer) {
  return scene()
      .node("n1")
      .slice("n1", {"gpu-0"})
      .yaml(base::format(
          "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: keep, "
          "namespace: default{}}}, spec: {{devices: {{requests: [{}]}}}}, status: {{{}, "
          "reservedFor: [{}]}}}}",
          meta, exactly("gpu", 1),
          support::allocated("{device: gpu-0, pool: n1}", support::on_node("n1")), consumer))
      .claim("c", exactly("gpu", 1))
      .pod("p", "{name: a, resourceClaimName: c}", "", "phase: Pending");
}

// A pod `w` on the node, with the uid that is given.
Scene with_pod(Scene words, const std::string& uid, const std::string& meta,
               const std::string& spec, const std::string& status) {
  words.yaml(base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: w, namespace: default, uid: {}{}}}, spec: "
      "{{nodeName: n1, resourceClaims: [{{name: a, resourceClaimName: keep}}]{}}}, status: "
      "{{{}}}}}",
      uid, meta, spec, status));
  return words;
}

constexpr const char* kByW = "{resource: pods, name: w, uid: w-1}";
constexpr const char* kOfJob =
    ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: j, controller: true}]";

TEST_CASE("holders that keep their devices until you act") {
  struct Case {
    const char* name;
    Scene scene;
    const char* want;
  };
  const Case rows[] = {
      {"a pod that runs may end", with_pod(kept("", kByW), "w-1", "", "", "phase: Running"), ""},
      {"a pod that crashes is restarted for ever",
       with_pod(kept("", kByW), "w-1", "", "", kCrashes), "default/keep"},
      {"but not by a Job", with_pod(kept("", kByW), "w-1", kOfJob, "", kCrashes), ""},
      {"nor until a deadline",
       with_pod(kept("", kByW), "w-1", "", ", activeDeadlineSeconds: 900", kCrashes), ""},
      {"a claim that no pod has reserved", kept("", ""), "default/keep"},
      {"unless it is being deleted", kept(", deletionTimestamp: '2026-11-20T09:00:00Z'", ""), ""},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    const auto snapshot = row.scene.build();
    const Explanation explanation = explain_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
    REQUIRE(explanation.outlook.has_value());
    CHECK(explanation.outlook->held_for_good == row.want);
  }
}

TEST_CASE("a pod with the name of an earlier one holds nothing") {
  const auto snapshot = with_pod(kept("", kByW), "w-2", "", "", "phase: Running").build();
  const Explanation explanation = explain_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  CHECK(explanation.holder_pods.empty());
  const auto& holder = explanation.holders.find("default/keep")->second;
  CHECK(holder.state == engine::HolderState::Gone);
  CHECK_FALSE(holder.ended);
  const auto same = with_pod(kept("", kByW), "w-1", "", "", "phase: Succeeded").build();
  const Explanation ended = explain_pod(same, *same.find<api::Pod>("default", "p"));
  CHECK(ended.holder_pods.contains("default/w"));
  CHECK(ended.holders.find("default/keep")->second.ended);
}

}  // namespace
}  // namespace dra::answers::holders_test

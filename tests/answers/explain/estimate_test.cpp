// tests/answers/explain/estimate_test.cpp: when at the latest enough ends.

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "dra/answers/explain/explanation.h"
#include "dra/base/text.h"
#include "dra/base/time.h"
#include "tests/support/builders.h"

namespace dra::answers::estimate_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

constexpr std::string_view kTime =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kubectl-dra-snapshot, namespace: default}\n"
    "data: {time: '2026-01-01T10:00:00Z'}\n";

struct HolderWords {
  std::string device;
  std::string meta = {};
  std::string spec = {};
  std::string result = {};
};

// A pod of the name of its device, which it has on n1.
std::string holder(const HolderWords& words) {
  return base::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: default, name: {0}, uid: {0}{1}}}\n"
      "spec: {{nodeName: n1, resourceClaims: [{{name: c, resourceClaimName: {0}}}]{2}}}\n"
      "status: {{phase: Running, startTime: '2026-01-01T09:00:00Z'}}\n---\n"
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: default, name: "
      "{0}}}\nspec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: gpu}}}}]}}}}\n"
      "status:\n  allocation:\n    devices: {{results: [{{request: gpu, driver: gpu.example.com, "
      "pool: n1, device: {0}{3}}}]}}\n  reservedFor: [{{resource: pods, name: {0}, uid: {0}}}]\n",
      words.device, words.meta, words.spec, words.result);
}

Scene two_devices(const HolderWords& a, const HolderWords& b) {
  return scene().yaml(kTime).node("n1").slice("n1", {"a", "b"}).yaml(holder(a)).yaml(holder(b));
}

// "10:30:00 podDeadline default/a 1 n1", or why there is none.
std::string estimate(Scene scene, int devices = 1, std::string_view more = "") {
  const auto snapshot = scene.claim("wanted", exactly("gpu", devices, more))
                            .pod("p", "{name: c, resourceClaimName: wanted}")
                            .build();
  const Explanation explanation =
      explain_pod(snapshot, *snapshot.find<api::Pod>("default", "p"), Focus());
  if (!explanation.estimate) return "-";
  if (!explanation.estimate->last) return std::string(name_of(explanation.estimate->why_none));
  const Ending& last = *explanation.estimate->last;
  return base::format("{} {} {}{} {} {}", base::format_rfc3339(last.at).substr(11, 8),
                      name_of(last.by), last.pod->meta.name,
                      last.cause.empty() ? "" : base::format(" ({})", last.cause),
                      explanation.estimate->ended, base::join(explanation.estimate->nodes, ","));
}

TEST_CASE("deadlines and deletions, the first that is enough") {
  const HolderWords a{.device = "a", .spec = ", activeDeadlineSeconds: 5400"};
  const HolderWords b{.device = "b", .meta = ", deletionTimestamp: '2026-01-01T10:00:20Z'"};
  CHECK(estimate(two_devices(a, {.device = "b"})) == "10:30:00 podDeadline a 1 n1");
  CHECK(estimate(two_devices(a, b)) == "10:00:20 deletion b 1 n1");
  CHECK(estimate(two_devices(a, b), 2) == "10:30:00 podDeadline a 2 n1");
}

TEST_CASE("no time is known, or what is known is not enough") {
  const HolderWords past{.device = "a", .spec = ", activeDeadlineSeconds: 60"};
  const HolderWords a{.device = "a", .spec = ", activeDeadlineSeconds: 5400"};
  CHECK(estimate(two_devices(past, {.device = "b"})) == "nothingEnds");
  CHECK(estimate(two_devices(a, {.device = "b"}), 2) == "tooLittleEnds");
  CHECK(estimate(two_devices(a, {.device = "b"}), 3) == "-");
}

TEST_CASE("the deadline of the Job of a pod") {
  const HolderWords a{.device = "a",
                      .meta =
                          ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: "
                          "j, controller: true}]"};
  const auto job = [](std::string_view more) {
    return base::format(
        "apiVersion: batch/v1\nkind: Job\nmetadata: {{namespace: default, name: j, uid: j}}\n"
        "spec: {{activeDeadlineSeconds: 7200{}, template: {{spec: {{containers: [{{name: "
        "c}}]}}}}}}\n"
        "status: {{startTime: '2026-01-01T08:30:00Z'}}\n",
        more);
  };
  CHECK(estimate(two_devices(a, {.device = "b"}).yaml(job(""))) ==
        "10:30:00 jobDeadline a (j) 1 n1");
  CHECK(estimate(two_devices(a, {.device = "b"}).yaml(job(", suspend: true"))) == "nothingEnds");
}

TEST_CASE("taints that are tolerated for some time") {
  const std::string seconds =
      "[{key: k, operator: Exists, effect: NoExecute, tolerationSeconds: 3600}]";
  const HolderWords by_device{.device = "a", .result = base::format(", tolerations: {}", seconds)};
  CHECK(estimate(
            two_devices(by_device, {.device = "b"})
                .taint_rule("r", "deviceSelector: {driver: gpu.example.com, pool: n1, device: a}",
                            "key: k, effect: NoExecute, timeAdded: '2026-01-01T09:30:00Z'"),
            1, "tolerations: [{operator: Exists}]") == "10:30:00 deviceTaint a (k) 1 n1");
  const HolderWords by_node{.device = "a", .spec = base::format(", tolerations: {}", seconds)};
  const std::string node =
      "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nspec: {taints: [{key: k, effect: "
      "NoExecute, timeAdded: '2026-01-01T09:30:00Z'}]}\n";
  const std::string said = estimate(scene()
                                        .yaml(kTime)
                                        .yaml(node)
                                        .slice("n1", {"a", "b"})
                                        .yaml(holder(by_node))
                                        .yaml(holder({.device = "b"})));
  CHECK(said == "tooLittleEnds");  // the taint keeps the pod that waits away, too
}

}  // namespace
}  // namespace dra::answers::estimate_test

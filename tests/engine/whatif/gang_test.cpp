// tests/engine/whatif/gang_test.cpp: whether the pods of a gang fit together.

#include "dra/engine/whatif/gang.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::gang_test {
namespace {

using support::Scene;
using support::scene;

constexpr const char* kOfGroup = "schedulingGroup: {podGroupName: g}";

// A pod of the gang that asks for so many GPUs, with a claim of its own.
void asks(Scene& words, std::string_view pod, int count, std::string_view status = "") {
  words.claim(base::format("c-{}", pod), support::exactly("gpu", count))
      .pod(pod, base::format("{{name: gpu, resourceClaimName: c-{}}}", pod), kOfGroup, status);
}

// Nodes n1 and n2 with two GPUs each.
Scene gang(int min_count) {
  return scene()
      .node("n1")
      .node("n2")
      .slice("n1", {"gpu-0", "gpu-1"})
      .slice("n2", {"gpu-0", "gpu-1"})
      .yaml(base::format(
          "{{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {{name: g, "
          "namespace: default}}, spec: {{schedulingPolicy: {{gang: {{minCount: {}}}}}}}}}",
          min_count));
}

// "Fits: 2 of 2, p0 Fits; p0 Fits n1 n2, p1 Fits n1 n2".
std::string told(const Scene& words) {
  const snapshot::Snapshot snapshot = words.build();
  const auto gang = gang_of(snapshot, *snapshot.find<api::Pod>("default", "p0"));
  if (!gang) return "none";
  std::string text =
      base::format("{}: {}+{} of {}, p0 {};", name_of(gang->verdict), gang->with_node, gang->placed,
                   gang->min_count, name_of(gang->own));
  for (const PlanStep& step : gang->plan->steps)
    text += base::format(" {} {}", step.pod->meta.name, name_of(step.verdict));
  if (const PlanStep* step = gang->in_the_way()) text += base::format("; {}", step->pod->meta.name);
  return text;
}

TEST_CASE("a gang fits if as many of its pods find room as it needs") {
  Scene words = gang(4);
  for (const char* pod : {"p0", "p1", "p2", "p3"})
    asks(words, pod, 1);
  CHECK(told(words) == "Fits: 0+4 of 4, p0 Fits; p0 Fits p1 Fits p2 Fits p3 Fits");
}

TEST_CASE("one pod too many is in the way") {
  Scene words = gang(5);
  for (const char* pod : {"p0", "p1", "p2", "p3", "p4"})
    asks(words, pod, 1);
  CHECK(told(words) ==
        "DoesNotFit: 0+4 of 5, p0 Undetermined; p0 Fits p1 Fits p2 Fits p3 Fits p4 DoesNotFit; p4");
}

TEST_CASE("a gang that needs fewer does without it, and which of them that is stays open") {
  Scene words = gang(4);
  for (const char* pod : {"p0", "p1", "p2", "p3", "p4"})
    asks(words, pod, 1);
  CHECK(told(words) ==
        "Fits: 0+4 of 4, p0 Undetermined; p0 Fits p1 Fits p2 Fits p3 Fits p4 DoesNotFit; p4");
}

TEST_CASE("a pod that fits nowhere by itself is no matter to a gang that needs the others only") {
  Scene words = gang(2);
  asks(words, "p0", 3);
  asks(words, "p1", 1);
  asks(words, "p2", 1);
  CHECK(told(words) == "Fits: 0+2 of 2, p0 DoesNotFit; p0 DoesNotFit p1 Fits p2 Fits; p0");
}

TEST_CASE("pods with a node count") {
  Scene words = gang(3);
  words
      .claim("c-there", support::exactly("gpu", 2),
             support::allocated("{device: gpu-0, pool: n1}, {device: gpu-1, pool: n1}"))
      .pod("there", "{name: gpu, resourceClaimName: c-there}",
           "nodeName: n1, schedulingGroup: {podGroupName: g}", "phase: Running");
  asks(words, "p0", 1);
  asks(words, "p1", 1);
  CHECK(told(words) == "Fits: 1+2 of 3, p0 Fits; p0 Fits p1 Fits");
}

TEST_CASE("of pods that came in the same second any may be the first") {
  // The large one fits only if it comes first, or the small ones go to one node.
  Scene words = gang(3);
  asks(words, "p0", 2);
  asks(words, "p1", 1);
  asks(words, "p2", 1);
  CHECK(told(words) == "Undetermined: 0+2 of 3, p0 Undetermined; p0 Fits p1 Fits p2 Depends");
  Scene larger = gang(3);
  asks(larger, "p0", 3);
  asks(larger, "p1", 2);
  asks(larger, "p2", 2);
  CHECK(told(larger) == "DoesNotFit: 0+2 of 3, p0 DoesNotFit; p0 DoesNotFit p1 Fits p2 Fits; p0");
}

TEST_CASE("pods that wait for something else are not placed") {
  Scene words = gang(2);
  asks(words, "p0", 1);
  words.claim("c-gated", support::exactly("gpu", 1))
      .pod("p1", "{name: gpu, resourceClaimName: c-gated}",
           "schedulingGates: [{name: wait}], schedulingGroup: {podGroupName: g}");
  CHECK(told(words) == "DoesNotFit: 0+1 of 2, p0 Fits; p0 Fits p1 Blocked; p1");
}

TEST_CASE("no gang is placed that the scheduler does not look at, or that is too large") {
  Scene words = gang(2);
  asks(words, "p0", 1);
  CHECK(told(words) == "none");
  Scene large = gang(2);
  for (std::size_t i = 0; i <= kMostOfGang; ++i)
    asks(large, base::format("p{}", i), 1);
  CHECK(told(large) == "none");
}

}  // namespace
}  // namespace dra::engine::gang_test

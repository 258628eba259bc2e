// tests/engine/whatif/plan_gangs_test.cpp: gangs in a plan. Their pods are bound together, or their
// room stays free for those behind them.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/whatif/gang.h"
#include "dra/engine/whatif/plan.h"
#include "tests/support/builders.h"

namespace dra::engine::plan_gangs_test {
namespace {

using support::Scene;
using support::scene;

void add(Scene& words, std::string_view pod, int count, std::string_view spec = "") {
  words.claim(base::format("c-{}", pod), support::exactly("gpu", count))
      .pod(pod, base::format("{{name: gpu, resourceClaimName: c-{}}}", pod), spec);
}

Scene& gang(Scene& words, std::string_view name, int min_count) {
  return words.yaml(base::format(
      "{{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {{name: {}, namespace: "
      "default}}, spec: {{schedulingPolicy: {{gang: {{minCount: {}}}}}}}}}",
      name, min_count));
}

void member(Scene& words, std::string_view pod, int count, std::string_view more = "") {
  add(words, pod, count,
      base::format("schedulingGroup: {{podGroupName: {}}}{}", pod.substr(0, 1), more));
}

Scene node(std::initializer_list<std::string_view> devices) {
  return scene().node("n1").slice("n1", devices);
}

// "a: Fits n1; g0: DoesNotFit, 1 of 2". Counts are of a gang that is not bound.
std::string told(const Scene& words) {
  const snapshot::Snapshot snapshot = words.build();
  const Plan plan = plan_for(snapshot);
  std::vector<std::string> all;
  for (const PlanStep& step : plan.steps) {
    std::string one = base::format("{}: {}", step.pod->meta.name, name_of(step.verdict));
    for (const std::string_view place : step.nodes)
      one += base::format(" {}", place);
    if (step.gang != nullptr)
      one += base::format(", {} {} of {}", name_of(step.gang->verdict), step.gang->placed,
                          step.gang->min_count);
    all.push_back(std::move(one));
  }
  return base::join(all, "; ");
}

TEST_CASE("a gang that fits leaves what it does not take") {
  Scene words = node({"gpu-0", "gpu-1", "gpu-2"});
  gang(words, "g", 2);
  member(words, "g0", 1);
  member(words, "g1", 1);
  add(words, "x", 1);
  add(words, "z", 1);
  CHECK(told(words) == "g0: Fits n1; g1: Fits n1; x: Fits n1; z: DoesNotFit");
}

TEST_CASE("a gang that does not fit takes nothing") {
  Scene words = node({"gpu-0", "gpu-1"});
  gang(words, "g", 3);
  for (const char* pod : {"g0", "g1", "g2"})
    member(words, pod, 1);
  add(words, "z", 2);
  CHECK(told(words) ==
        "g0: DoesNotFit, DoesNotFit 2 of 3; g1: DoesNotFit, DoesNotFit 2 of 3; g2: DoesNotFit, "
        "DoesNotFit 2 of 3; z: Fits n1");
}

TEST_CASE("a pod in front of a gang takes what it needs") {
  Scene words = node({"gpu-0", "gpu-1"});
  gang(words, "g", 2);
  add(words, "a", 1);
  member(words, "g0", 1);
  member(words, "g1", 1);
  add(words, "z", 1);
  CHECK(told(words) ==
        "a: Fits n1; g0: DoesNotFit, DoesNotFit 1 of 2; g1: DoesNotFit, DoesNotFit 1 of 2; z: Fits "
        "n1");
}

TEST_CASE("a gang is taken where its first pod stands") {
  Scene words = node({"gpu-0", "gpu-1"});
  gang(words, "b", 2);
  member(words, "b0", 1);
  add(words, "b1-other", 1);
  member(words, "b2", 1);
  CHECK(told(words) == "b0: Fits n1; b1-other: DoesNotFit; b2: Fits n1");
}

TEST_CASE("which of the pods alike is left is open") {
  Scene words = node({"gpu-0", "gpu-1"});
  gang(words, "g", 2);
  for (const char* pod : {"g0", "g1", "g2"})
    member(words, pod, 1);
  add(words, "z", 1);
  CHECK(told(words) ==
        "g0: Depends n1, Fits 2 of 2; g1: Depends n1, Fits 2 of 2; g2: Depends n1, Fits 2 of 2; z: "
        "DoesNotFit");
}

TEST_CASE("which of the pods alike is left is open, too, where it is open whether one is") {
  Scene words =
      scene().node("n1").node("n2").slice("n1", {"gpu-0"}).slice("n2", {"gpu-0", "gpu-1"});
  gang(words, "g", 2);
  add(words, "a", 1);
  for (const char* pod : {"g0", "g1", "g2"})
    member(words, pod, 1);
  CHECK(told(words) ==
        "a: Fits n1 n2; g0: Depends n1 n2, Fits 2 of 2; g1: Depends n1 n2, Fits 2 of 2; g2: "
        "Depends n1 n2, Fits 2 of 2");
}

TEST_CASE("the order of pods that differ and came in one second leaves a gang open") {
  Scene words = node({"gpu-0", "gpu-1", "gpu-2"});
  gang(words, "g", 2);
  member(words, "g0", 3);
  member(words, "g1", 1);
  member(words, "g2", 1);
  add(words, "z", 3);
  CHECK(told(words) ==
        "g0: Depends n1, Undetermined 1 of 2; g1: DoesNotFit, Undetermined 1 of 2; g2: DoesNotFit, "
        "Undetermined 1 of 2; z: Depends n1");
}

TEST_CASE("two gangs: the first that fits goes before") {
  Scene words = node({"gpu-0", "gpu-1", "gpu-2"});
  gang(words, "g", 4);
  gang(words, "h", 2);
  for (const char* pod : {"g0", "g1", "g2", "g3", "h0", "h1"})
    member(words, pod, 1);
  add(words, "z", 1);
  const std::string none = ": DoesNotFit, DoesNotFit 3 of 4; ";
  CHECK(told(words) == "g0" + none + "g1" + none + "g2" + none + "g3" + none +
                           "h0: Fits n1; h1: Fits n1; z: Fits n1");
}

TEST_CASE("a gang of too few pods is not looked at") {
  Scene words = node({"gpu-0", "gpu-1"});
  gang(words, "g", 2);
  member(words, "g0", 1);
  add(words, "z", 2);
  CHECK(told(words) == "g0: Blocked; z: Fits n1");
}

TEST_CASE("a nominated pod differs from the others, whose order then counts") {
  Scene words = node({"gpu-0", "gpu-1"});
  gang(words, "g", 3);
  for (const char* pod : {"g1", "g2"})
    member(words, pod, 1);
  words.claim("c-g0", support::exactly("gpu", 1))
      .pod("g0", "{name: gpu, resourceClaimName: c-g0}", "schedulingGroup: {podGroupName: g}",
           "nominatedNodeName: n1");
  add(words, "z", 2);
  CHECK(told(words) ==
        "g0: Depends n1, Undetermined 2 of 3; g1: Depends n1, Undetermined 2 of 3; g2: DoesNotFit, "
        "Undetermined 2 of 3; z: Depends n1");
}

}  // namespace
}  // namespace dra::engine::plan_gangs_test

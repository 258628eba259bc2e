// tests/report/explain/supply_test.cpp: who could use a node or a device is what explaining each
// of them says, read the other way round.

#include "dra/report/explain/supply.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/pods.h"
#include "tests/support/builders.h"
#include "tests/support/changes.h"
#include "tests/support/document_text.h"
#include "tests/support/node_result.h"

namespace dra::report {
namespace {

using answers::explain_supply;
using answers::Explanation;
using answers::SupplyAnswer;
using answers::SupplyExplanation;
using answers::SupplyTarget;
using support::exactly;
using support::Scene;
using support::scene;

std::string codes_of(const std::vector<diag::Reason>& reasons) {
  std::string text;
  for (const diag::Reason& reason : reasons)
    text += base::format("{} {};", diag::name_of(reason.code), reason.message);
  return text;
}

std::string result_text(const engine::NodeResult& node) {
  return base::format("{} {} {} | {} | {}", node.name,
                      node.fits()           ? "fits"
                      : node.does_not_fit() ? "no"
                                            : "open",
                      node.aborts(), codes_of(node.reasons), codes_of(node.other_reasons));
}

std::vector<std::string> scenes() {
  std::vector<std::string> all = support::fixtures();
  for (const char* scene : {"workloads", "pod-groups", "extended-resources", "tpu7x-pod"})
    all.push_back(base::format("tests/golden/scenes/{}.yaml", scene));
  return all;
}

const SupplyAnswer* answer_of(const SupplyExplanation& supply, const api::Pod& pod) {
  for (const SupplyAnswer& answer : supply.answers) {
    const diag::SubjectName& subject = answer.subject;
    if (subject.kind == "Pod" && subject.namespace_ == pod.meta.namespace_ &&
        subject.name == pod.meta.name)
      return &answer;
  }
  return nullptr;
}

TEST_CASE("of every node of every scene as the pods' own explanations have it") {
  std::size_t compared = 0;
  for (const std::string& path : scenes()) {
    CAPTURE(path);
    const snapshot::Snapshot snapshot = support::load(path);
    const engine::Inventory inventory(snapshot);
    const engine::NodeLoads loads(snapshot);
    const auto pods = engine::waiting_pods(snapshot);
    std::vector<Explanation> forward;
    for (const api::Pod* pod : pods)
      forward.push_back(answers::explain_pod(snapshot, inventory, loads, *pod));
    const engine::Nodes nodes = engine::nodes_of(snapshot);
    for (std::size_t n = 0; n < nodes.nodes.size(); ++n) {
      const std::string name(nodes.nodes[n].meta.name);
      const auto supply = explain_supply(snapshot, {{"Node", {}, name}, {.nodes = {name}}});
      for (std::size_t p = 0; p < pods.size(); ++p) {
        CAPTURE(pods[p]->meta.name);
        const SupplyAnswer* answer = answer_of(supply, *pods[p]);
        REQUIRE(answer != nullptr);
        if (forward[p].nodes.empty()) continue;
        const engine::NodeResult& there = forward[p].nodes[n];
        CHECK(result_text(answer->explanation.nodes.front()) == result_text(there));
        const bool blocked = !forward[p].blockers.empty();
        if (!blocked && forward[p].not_simulated.empty()) {
          CHECK(answer->could.value_or(false) == there.is_feasible());
        }
        ++compared;
      }
    }
  }
  CHECK(compared > 40);
}

TEST_CASE("of every device as the chances on each node have it") {
  std::size_t compared = 0;
  for (const std::string& path : scenes()) {
    CAPTURE(path);
    const snapshot::Snapshot snapshot = support::load(path);
    const engine::Inventory inventory(snapshot);
    for (const engine::InventoryDevice& device : inventory.devices()) {
      const engine::DeviceId id = device.published.id();
      const auto supply =
          explain_supply(snapshot, {{"Device", {}, engine::to_string(id)}, {.devices = {id}}});
      for (const api::Pod* pod : engine::waiting_pods(snapshot)) {
        const SupplyAnswer* answer = answer_of(supply, *pod);
        REQUIRE(answer != nullptr);
        if (answer->explanation.devices.empty()) continue;
        const engine::Subject subject = engine::subject_of_pod(snapshot, *pod);
        const engine::Nodes nodes = engine::nodes_of(snapshot);
        for (const answers::DeviceOnNode& on_node : answer->explanation.devices.front().nodes) {
          const auto forward = support::verdicts(snapshot, subject, nodes.nodes[on_node.node], id);
          REQUIRE(forward.has_value());
          REQUIRE(forward->size() == on_node.requests->size());
          for (std::size_t i = 0; i < forward->size(); ++i)
            CHECK((*forward)[i].outcome == (*on_node.requests)[i].outcome);
          ++compared;
        }
      }
    }
  }
  CHECK(compared > 40);
}

std::string text_of(const Scene& words, const SupplyTarget& target) {
  const snapshot::Snapshot snapshot = words.build();
  return support::text_of(to_view(explain_supply(snapshot, target), false));
}

TEST_CASE("claims that no pod waits for are among those that wait") {
  const Scene words = scene()
                          .node("n1")
                          .slice("n1", {"gpu-0"})
                          .claim("loose", exactly("gpu", 1))
                          .claim("large", exactly("gpu", 2))
                          .claim("used", exactly("gpu", 1))
                          .pod("p", "{name: a, resourceClaimName: used}");
  const std::string text = text_of(words, {{"Node", {}, "n1"}, {.nodes = {"n1"}}});
  CHECK(text.find("Node n1: 2 of 3 that wait for devices could use it.") != std::string::npos);
  CHECK(text.find("Pod default/p could use it.") != std::string::npos);
  CHECK(text.find("Claim default/loose could use it.") != std::string::npos);
  CHECK(text.find("Claim default/large could not: ") != std::string::npos);
}

TEST_CASE("what nobody can change comes before what somebody could tolerate or free") {
  const Scene words =
      scene()
          .yaml(
              "{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {taints: [{key: t, "
              "effect: NoSchedule}]}, status: {allocatable: {pods: '5'}}}")
          .slice("n1", {"gpu-0", "gpu-1"})
          .claim("none", exactly("gpu", 1, support::select_by("false")))
          .claim("many", exactly("gpu", 3))
          .claim("two", exactly("gpu", 2))
          .pod("wants-none", "{name: a, resourceClaimName: none}")
          .pod("wants-many", "{name: a, resourceClaimName: many}")
          .pod("wants-two", "{name: a, resourceClaimName: two}");
  const std::string node = text_of(words, {{"Node", {}, "n1"}, {.nodes = {"n1"}}});
  CAPTURE(node);
  CHECK(node.find("wants-none could not: gpu wants 1 device, and none of 2 here matches") !=
        std::string::npos);
  CHECK(node.find("wants-many could not: gpu wants 3 devices, and the node has 2 in all") !=
        std::string::npos);
  CHECK(node.find("wants-two could not: taint t:NoSchedule is not tolerated") != std::string::npos);
  const engine::DeviceId gpu{"gpu.example.com", "n1", "gpu-1"};
  const std::string device =
      text_of(words, {{"Device", {}, "gpu.example.com/n1/gpu-1"}, {.devices = {gpu}}});
  CAPTURE(device);
  CHECK(device.find("wants-none could not: selector 0") != std::string::npos);
}

TEST_CASE("nobody waits") {
  const Scene words = scene().node("n1").slice("n1", {"gpu-0"}).held("n1", "gpu-0");
  CHECK(text_of(words, {{"Node", {}, "n1"}, {.nodes = {"n1"}}})
            .find("no pod or claim waits for devices") != std::string::npos);
}

}  // namespace
}  // namespace dra::report

// tests/report/explain/supply_test.cpp: who could use a node or a device is what explaining each
// of them says, read the other way round.

#include "dra/report/explain/supply.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <random>
#include <string>

#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/pods.h"
#include "src/answers/explain/nearest.h"
#include "tests/support/builders.h"
#include "tests/support/changes.h"
#include "tests/support/document_text.h"
#include "tests/support/node_result.h"
#include "tests/support/seed.h"

namespace dra::report::supply_test {
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

// The cause is the one of the node in the view of the pod, if none is for the whole cluster.
void check_cause(const SupplyAnswer& answer, const engine::NodeResult& node) {
  const bool no = answer.could.has_value() && !*answer.could;
  CHECK(answer.why.empty() == answer.could.value_or(false));
  if (!no || node.aborts_pod() || answer.explanation.code == diag::Code::NoMatch) return;
  if (answer.why.find("no device in the cluster") != std::string::npos) return;
  const bool of_node = answer.why.find(answers::nearest_reason(node).message) != std::string::npos;
  CHECK((of_node || answer.why == answer.explanation.cause));
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
        if (!blocked) check_cause(*answer, there);
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
  CHECK(text.find("Node n1: 2 of the 3 that wait for devices could use it.") != std::string::npos);
  CHECK(text.find("Pod default/p could use it.") != std::string::npos);
  CHECK(text.find("Claim default/loose could use it.") != std::string::npos);
  CHECK(text.find("Claim default/large could not: ") != std::string::npos);
}

TEST_CASE("what no device serves comes before what keeps the pod from the node") {
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
  CHECK(node.find("wants-none could not: no device meets false") != std::string::npos);
  CHECK(node.find("(default/wants-many, default/wants-two) could not: taint t:NoSchedule is not "
                  "tolerated") != std::string::npos);
  const engine::DeviceId gpu{"gpu.example.com", "n1", "gpu-1"};
  const std::string device =
      text_of(words, {{"Device", {}, "gpu.example.com/n1/gpu-1"}, {.devices = {gpu}}});
  CAPTURE(device);
  CHECK(device.find("wants-none could not: selector 0") != std::string::npos);
}

// Two kinds of devices on three nodes, some held, some tainted, one node with a taint; and pods
// that ask for all sorts of them.
class Clusters {
 public:
  Clusters() : random_(support::seeded()) {}

  snapshot::Snapshot next() {
    Scene words = scene();
    words.device_class("large", "device.attributes['gpu.example.com'].model == 'large'");
    for (const char* name : {"n1", "n2", "n3"})
      add_node(words, name);
    const int pods = 2 + below(4);
    for (int i = 0; i < pods; ++i)
      add_pod(words, base::format("p{}", i));
    return words.build();
  }

 private:
  int below(int end) {
    return static_cast<int>(support::pick(random_, static_cast<std::uint64_t>(end)));
  }
  std::string one_of(std::initializer_list<std::string_view> texts) {
    return std::string(texts.begin()[below(static_cast<int>(texts.size()))]);
  }

  void add_node(Scene& words, const char* name) {
    words.yaml(base::format(
        "{{apiVersion: v1, kind: Node, metadata: {{name: {}, labels: {{zone: {}}}}}, spec: "
        "{{taints: [{}]}}, status: {{allocatable: {{pods: '110'}}}}}}",
        name, one_of({"a", "b"}), below(4) == 0 ? "{key: t, effect: NoSchedule}" : ""));
    std::vector<std::string> devices;
    const int count = below(4);
    for (int i = 0; i < count; ++i) {
      const std::string device = base::format("d{}", i);
      devices.push_back(base::format(
          "{{name: {}, attributes: {{model: {{string: {}}}}}, taints: [{}]}}", device,
          one_of({"large", "small"}), below(6) == 0 ? "{key: ill, effect: NoSchedule}" : ""));
      if (below(3) == 0) words.held(name, device);
    }
    if (count == 0) return;
    words.slice({.name = base::format("{}-slice", name),
                 .pool = name,
                 .where = base::format("nodeName: {}", name),
                 .devices = base::join(devices, ", ")});
  }

  std::string demand() {
    const std::string more =
        one_of({"",
                "selectors: [{cel: {expression: \"device.attributes['gpu.example.com'].model == "
                "'small'\"}}]",
                "selectors: [{cel: {expression: \"device.driver == 'other'\"}}]"});
    return base::format("deviceClassName: {}, count: {}{}{}", one_of({"gpu", "large"}),
                        1 + below(3), more.empty() ? "" : ", ", more);
  }

  std::string wanted() {
    switch (below(4)) {
      case 0:
        return support::first_available("r", {demand(), demand()});
      case 1:
        return support::all(one_of({"gpu", "large"}));
      case 2:
        return base::format("{{name: r, exactly: {{{}}}}}, {{name: s, exactly: {{{}}}}}", demand(),
                            demand());
      default:
        return base::format("{{name: r, exactly: {{{}}}}}", demand());
    }
  }

  void add_pod(Scene& words, const std::string& name) {
    words.claim(name + "-claim", wanted());
    words.pod(name, base::format("{{name: a, resourceClaimName: {}-claim}}", name),
              below(3) == 0 ? "nodeSelector: {zone: a}" : "");
  }

  std::mt19937_64 random_;
};

TEST_CASE("of every node of generated clusters as the pods' own explanations have it") {
  Clusters clusters;
  std::size_t compared = 0;
  const std::uint64_t count = support::cases(120);
  for (std::uint64_t i = 0; i < count; ++i) {
    const snapshot::Snapshot snapshot = clusters.next();
    const engine::Inventory inventory(snapshot);
    const engine::NodeLoads loads(snapshot);
    const engine::Nodes nodes = engine::nodes_of(snapshot);
    for (const api::Pod* pod : engine::waiting_pods(snapshot)) {
      CAPTURE(i);
      CAPTURE(pod->meta.name);
      const Explanation forward = answers::explain_pod(snapshot, inventory, loads, *pod);
      if (forward.nodes.empty() || !forward.blockers.empty()) continue;
      for (std::size_t n = 0; n < nodes.nodes.size(); ++n) {
        const std::string name(nodes.nodes[n].meta.name);
        CAPTURE(name);
        const auto supply = explain_supply(snapshot, {{"Node", {}, name}, {.nodes = {name}}});
        const SupplyAnswer* answer = answer_of(supply, *pod);
        REQUIRE(answer != nullptr);
        CHECK(answer->could.value_or(false) == forward.nodes[n].is_feasible());
        check_cause(*answer, forward.nodes[n]);
        ++compared;
      }
    }
  }
  CHECK(compared > 5 * count);
}

TEST_CASE("the nearest of several obstacles is named") {
  const Scene words =
      scene()
          .node("n1")
          .slice({.name = "s",
                  .pool = "n1",
                  .where = "nodeName: n1",
                  .devices =
                      "{name: a, attributes: {model: {string: large}}}, {name: b, attributes: "
                      "{model: {string: small}}}"})
          .held("n1", "a")
          .claim("c", support::first_available(
                          "r", {"deviceClassName: gpu, selectors: [{cel: {expression: "
                                "\"device.attributes['gpu.example.com'].model == 'huge'\"}}]",
                                "deviceClassName: gpu, selectors: [{cel: {expression: "
                                "\"device.attributes['gpu.example.com'].model == 'large'\"}}]"}))
          .pod("p", "{name: a, resourceClaimName: c}");
  const std::string node = text_of(words, {{"Node", {}, "n1"}, {.nodes = {"n1"}}});
  CAPTURE(node);
  CHECK(node.find("the only matching device, on node n1, is in use by pod default/user") !=
        std::string::npos);
  const engine::DeviceId a{"gpu.example.com", "n1", "a"};
  const engine::DeviceId b{"gpu.example.com", "n1", "b"};
  const std::string slice = text_of(words, {{"ResourceSlice", {}, "s"}, {.devices = {b, a}}});
  CAPTURE(slice);
  CHECK(slice.find("held by claim default/n1-a") != std::string::npos);
  CHECK(slice.find("selector") == std::string::npos);
}

// One device has two obstacles, the other one of them.
TEST_CASE("of several devices the one with the fewest obstacles is named") {
  const Scene words =
      scene()
          .node("n1")
          .slice("n1", {"used", "idle"})
          .held("n1", "used")
          .taint_rule("repair", "deviceSelector: {pool: n1}", "key: repair, effect: NoSchedule")
          .claim("c", exactly("gpu", 1))
          .pod("p", "{name: a, resourceClaimName: c}");
  const engine::DeviceId used{"gpu.example.com", "n1", "used"};
  const engine::DeviceId idle{"gpu.example.com", "n1", "idle"};
  const std::string slice = text_of(words, {{"ResourceSlice", {}, "s"}, {.devices = {used, idle}}});
  CAPTURE(slice);
  CHECK(slice.find("of the nearest, idle: ") != std::string::npos);
  CHECK(slice.find("repair") != std::string::npos);
  CHECK(slice.find("held by") == std::string::npos);
}

TEST_CASE("of a node its own pod of the driver is named") {
  const auto plugin = [](std::string_view node) {
    return base::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: gpu-example-com-{0}, namespace: drivers, "
        "uid: {0}, ownerReferences: [{{apiVersion: apps/v1, kind: DaemonSet, name: gpu, uid: u, "
        "controller: true}}]}}, spec: {{nodeName: {0}}}, status: {{phase: Running, "
        "containerStatuses: [{{name: plugin, restartCount: 3, state: {{waiting: {{reason: "
        "CrashLoopBackOff}}}}}}]}}}}",
        node);
  };
  const Scene words = scene()
                          .node("east")
                          .node("west")
                          .device_class("card", "device.driver == 'gpu.example.com'")
                          .yaml(plugin("east"))
                          .yaml(plugin("west"))
                          .claim("c", exactly("card", 1))
                          .pod("p", "{name: a, resourceClaimName: c}");
  for (const char* name : {"east", "west"}) {
    const std::string node = text_of(words, {{"Node", {}, name}, {.nodes = {name}}});
    CAPTURE(node);
    CHECK(node.find(base::format("gpu-example-com-{0} on node {0} is not ready", name)) !=
          std::string::npos);
  }
}

TEST_CASE("nobody waits") {
  const Scene words = scene().node("n1").slice("n1", {"gpu-0"}).held("n1", "gpu-0");
  CHECK(text_of(words, {{"Node", {}, "n1"}, {.nodes = {"n1"}}})
            .find("no pod or claim waits for devices") != std::string::npos);
}

}  // namespace
}  // namespace dra::report::supply_test

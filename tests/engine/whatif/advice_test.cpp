// tests/engine/whatif/advice_test.cpp: what would help; each row fits nowhere as it is.

#include "dra/engine/whatif/advice.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/builders.h"
#include "tests/support/changes.h"

namespace dra::engine::advice_test {
namespace {

using support::devices_on_n1;
using support::exactly;
using support::first_available;
using support::request;
using support::Scene;
using support::scene;
using support::select_by;
using support::SliceWords;

const std::string kSized =
    "{name: a, capacity: {mem: {value: 40Gi}}}, {name: b, capacity: {mem: {value: 60Gi}}}";
const std::string kNuma =
    "{name: a, attributes: {numa: {int: 0}}}, {name: b, attributes: {numa: {int: 1}}}";

const std::string kModels = "{name: a, attributes: {model: {string: A}, used: {bool: true}}}";

// A pod with a claim for one device of the node, and that device.
void hold(Scene& scene, const std::string& pod, const std::string& device, int priority) {
  scene.claim("of-" + pod, exactly("gpu", 1),
              support::allocated("{device: " + device + ", pool: n1}", support::on_node("n1")) +
                  ", reservedFor: [{resource: pods, name: " + pod + ", uid: " + pod + "}]");
  scene.pod(pod, "{name: c, resourceClaimName: of-" + pod + "}",
            "nodeName: n1, priority: " + std::to_string(priority));
}

// One device of a driver with a class of its own, and more of another driver on other nodes.
Scene among_others() {
  Scene scene = devices_on_n1("{name: a}, {name: b}");
  for (const std::string node : {"n2", "n3", "n4"}) {
    scene.node(node).slice(SliceWords{.name = node,
                                      .pool = node,
                                      .where = "nodeName: " + node,
                                      .devices = node == "n4" ? "" : "{name: a}, {name: b}"});
  }
  scene.slice(SliceWords{.name = "own",
                         .driver = "own.example.com",
                         .pool = "own",
                         .where = "nodeName: n4",
                         .devices = "{name: a, capacity: {mem: {value: 40Gi}}}"});
  return scene.device_class("own", "device.driver == 'own.example.com'");
}

// A TPU host of four chips, of which some driver says so.
Scene host_of(const std::string& devices) {
  Scene made = scene();
  made.node("n1").device_class("tpu", "device.driver == 'tpu.google.com'");
  return made.slice(SliceWords{.name = "s",
                               .driver = "tpu.google.com",
                               .pool = "n1",
                               .where = "nodeName: n1",
                               .devices = devices});
}
Scene whole_hosts() {
  return host_of(
      "{name: '0', attributes: {chipCount: {int: 4}}}, {name: '1'}, {name: '2'}, {name: '3'}");
}
// Three of its chips could be had, and are not worth asking for.
Scene tainted_host() {
  return host_of(
      "{name: '0', attributes: {chipCount: {int: 4}}}, {name: '1'}, {name: '2'}, {name: '3', "
      "taints: [{key: hot, effect: NoSchedule}]}");
}

Wanted wanted_of(const snapshot::Snapshot& snapshot) {
  const bool pod = snapshot.find<api::Pod>("default", "p") != nullptr;
  return {.namespace_ = "default", .pod = pod ? "p" : "", .claims = {"c"}};
}

AdviceFound found(const snapshot::Snapshot& snapshot) {
  const Simulator simulator(snapshot);
  const Wanted wanted = wanted_of(snapshot);
  const auto nodes = support::stand_everywhere(simulator, wanted);
  for (const NodeResult& node : nodes)
    CHECK_FALSE(node.is_feasible());
  return advice_for(simulator, wanted, nodes);
}

std::vector<std::string> words_of(const AdviceFound& found) {
  std::vector<std::string> words;
  for (const Advice& advice : found.advice)
    words.push_back(support::words(advice));
  return words;
}

struct Row {
  const char* name;
  Scene scene;
  std::vector<std::string> want;
};

std::vector<Row> rows() {
  const std::string gpu = "{name: a}, {name: b}, {name: c}";
  Scene held = devices_on_n1("{name: a}, {name: b}");
  hold(held, "important", "a", 1000);
  hold(held, "idle", "b", 1);
  Scene all_held = held;
  Scene tainted_node = devices_on_n1("{name: a}");
  tainted_node.yaml(
      "{apiVersion: v1, kind: Node, metadata: {name: n2}, spec: {taints: [{key: gpu, effect: "
      "NoSchedule}]}, status: {allocatable: {pods: '5'}}}");
  return {
      {"too many are asked for: the most that can be allocated",
       devices_on_n1(gpu).claim("c", exactly("gpu", 7)),
       {"count gpu=3 (1)"}},
      {"of a driver that hands out whole hosts only as many as one has",
       whole_hosts().claim("c", exactly("tpu", 7)),
       {"count tpu=4 (1)"}},
      {"and not those chips of one that are free",
       tainted_host().claim("c", exactly("tpu", 7)),
       {"tolerate tpu hot + count tpu=4 (1)"}},
      {"a bound that no device meets: the nearest value, or no bound",
       devices_on_n1(kSized).claim("c", exactly("gpu", 1,
                                                select_by("device.capacity['gpu.example.com'].mem"
                                                          ".compareTo(quantity('80Gi')) >= 0"))),
       {"edit gpu device.capacity['gpu.example.com'].mem.compareTo(quantity('60Gi')) >= 0 (1)",
        "drop gpu device.capacity['gpu.example.com'].mem.compareTo(quantity('80Gi')) >= 0 (1)"}},
      {"values that devices of the class have, wherever there are more of others",
       among_others().claim("c", exactly("own", 1,
                                         select_by("device.capacity['own.example.com'].mem"
                                                   ".compareTo(quantity('80Gi')) >= 0"))),
       {"edit own device.capacity['own.example.com'].mem.compareTo(quantity('40Gi')) >= 0 (1)"}},
      {"a taint that is not tolerated",
       devices_on_n1("{name: a, taints: [{key: sick, effect: NoSchedule}]}")
           .claim("c", exactly("gpu", 1)),
       {"tolerate gpu sick (1)"}},
      {"two taints on one device are tolerated together",
       devices_on_n1(
           "{name: a, taints: [{key: sick, effect: NoSchedule}, {key: old, effect: NoExecute}]}")
           .claim("c", exactly("gpu", 1)),
       {"tolerate gpu old + tolerate gpu sick (1)"}},
      {"a constraint that no two devices meet",
       devices_on_n1(kNuma).constrained("c", exactly("gpu", 2),
                                        "{matchAttribute: gpu.example.com/numa}"),
       {"count gpu=1 (1)", "unconstrain 0 (1)"}},
      {"an alternative that fails keeps the scheduler from the next",
       devices_on_n1("{name: a}")
           .claim("c", first_available("r", {"deviceClassName: gpu, " +
                                                 select_by("device.attributes['x'].y == 1"),
                                             "deviceClassName: gpu"})),
       {"use r/b (1)"}},
      {"the least important pod goes",
       held.claim("c", exactly("gpu", 1)),
       {"release default/of-idle of default/idle (1)", "node like n1 (1)"}},
      {"as many as it takes, and no more",
       all_held.claim("c", exactly("gpu", 2)),
       {"release default/of-idle,default/of-important of default/idle,default/important (1)",
        "node like n1 (1)"}},
      {"a pod goes once whose earlier namesake still has a reservation",
       devices_on_n1("{name: a}")
           .claim("of-idle", exactly("gpu", 1),
                  support::allocated("{device: a, pool: n1}", support::on_node("n1")) +
                      ", reservedFor: [{resource: pods, name: idle, uid: earlier}, "
                      "{resource: pods, name: idle, uid: idle}]")
           .pod("idle", "{name: c, resourceClaimName: of-idle}", "nodeName: n1")
           .claim("c", exactly("gpu", 1)),
       {"release default/of-idle of default/idle (1)"}},
      {"slices that lack",
       devices_on_n1("{name: a}", 2).claim("c", exactly("gpu", 1)),
       {"wait n1 (1)"}},
      {"two requests, each too large: both counts",
       devices_on_n1("{name: a}, {name: b}")
           .claim("c", request("x", "count: 2") + ", " + request("w", "count: 2")),
       {"count x=1 + count w=1 (1)"}},
      {"two selectors, each wrong: the last goes first, so that the other is still where it was",
       devices_on_n1("{name: a}")
           .claim("c",
                  exactly("gpu", 1,
                          "selectors: [{cel: {expression: 'false'}}, {cel: {expression: 'true'}}, "
                          "{cel: {expression: '1 == 2'}}]")),
       {"drop gpu 1 == 2 + drop gpu false (1)"}},
      {"a condition that keeps devices away is not taken back",
       devices_on_n1(kModels).claim(
           "c", exactly("gpu", 1, select_by("device.attributes['gpu.example.com'].model != 'A'"))),
       {}},
      {"nor one that is negated",
       devices_on_n1(kModels).claim(
           "c", exactly("gpu", 1, select_by("!device.attributes['gpu.example.com'].used"))),
       {}},
      {"nothing would do", scene().node("n1").claim("c", exactly("gpu", 1)), {}},
  };
}

TEST_CASE("what would help") {
  for (const Row& row : rows()) {
    CAPTURE(row.name);
    const auto snapshot = row.scene.build();
    const auto got = words_of(found(snapshot));
    for (const std::string& want : row.want)
      CHECK_MESSAGE(std::ranges::find(got, want) != got.end(), want, " not in ",
                    base::join(got, "\n"));
    CHECK(got.empty() == row.want.empty());
  }
}

// The overrides of a change and the state with the change have one outcome.
TEST_CASE("advice that is followed lets the subject fit, on so many nodes") {
  for (const Row& row : rows()) {
    CAPTURE(row.name);
    const auto before = row.scene.build();
    for (const Advice& advice : found(before).advice) {
      CAPTURE(support::words(advice));
      const Wanted wanted = wanted_of(before);
      Hypothesis hypothesis(before, wanted);
      REQUIRE(hypothesis.apply(advice.changes).ok());
      const auto after = hypothesis.snapshot();
      const Simulator simulator(after);
      const auto nodes = support::stand_everywhere(simulator, wanted);
      CHECK(std::ranges::count_if(nodes, &NodeResult::is_feasible) == advice.nodes);
    }
  }
}

TEST_CASE("what was tried in vain is said, and is no advice") {
  const auto snapshot = devices_on_n1("{name: a}")
                            .constrained("c", exactly("gpu", 1) + ", " + request("r", "count: 40"),
                                         "{matchAttribute: gpu.example.com/x}")
                            .build();
  const AdviceFound tried = found(snapshot);
  CHECK(std::ranges::find(tried.in_vain, Means::DropConstraint) != tried.in_vain.end());
}

TEST_CASE("nothing of a set can be omitted, wherever the subject would go then") {
  Scene words = scene().node("n1").node("n2").slice("n1", {"a", "b"}).slice("n2", {"a", "b"});
  words.claim("both", exactly("gpu", 2),
              support::allocated("{device: a, pool: n1}, {device: a, pool: n2}"));
  words.claim("one", exactly("gpu", 1), support::allocated("{device: b, pool: n2}"));
  const auto got = words_of(found(words.claim("c", exactly("gpu", 2)).build()));
  CHECK(std::ranges::find(got, "release default/both (1)") != got.end());
  for (const std::string& advice : got)
    CHECK(advice.find("default/one") == std::string::npos);
}

// What made the subject makes them anew.
TEST_CASE("pods of the same workload are spared, and come last") {
  const auto pod = [](const std::string& name, const std::string& owner, const std::string& spec) {
    return "{apiVersion: v1, kind: Pod, metadata: {name: " + name +
           ", namespace: default, uid: " + name +
           ", ownerReferences: [{apiVersion: v1, kind: Job, name: " + owner + ", uid: " + owner +
           ", controller: true}]}, spec: {" + spec +
           ", resourceClaims: [{name: c, resourceClaimName: c-" + name + "}]}}";
  };
  const auto claim = [](Scene& scene, const std::string& name, const std::string& device) {
    scene.claim("c-" + name, exactly("gpu", 1),
                support::allocated("{device: " + device + ", pool: n1}", support::on_node("n1")) +
                    ", reservedFor: [{resource: pods, name: " + name + ", uid: " + name + "}]");
  };
  Scene words = devices_on_n1("{name: a}, {name: b}");
  claim(words, "sibling", "a");
  words.yaml(pod("sibling", "own", "nodeName: n1, priority: 1"));
  words.claim("c-p", exactly("gpu", 1)).yaml(pod("p", "own", "priority: 0"));
  Scene alone = words;
  claim(words, "other", "b");
  words.yaml(pod("other", "another", "nodeName: n1, priority: 1000"));
  CHECK(
      words_of(found(words.build())) ==
      std::vector<std::string>{"node like n1 (1)", "release default/c-other of default/other (1)"});
  hold(alone, "important", "b", 1000);
  alone.claim("c-p", request("gpu", "count: 2"));
  CHECK(words_of(found(alone.build())).back() ==
        "release default/c-sibling,default/of-important of default/important,default/sibling (1)");
}

TEST_CASE("a pod that waits for a node: a taint of nodes, and a node of another kind") {
  Scene words = scene();
  words.yaml(
      "{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {taints: [{key: gpu, effect: "
      "NoSchedule}]}, status: {allocatable: {pods: '5', cpu: '1'}}}");
  const auto snapshot = words.slice("n1", {"a"})
                            .claim("c", exactly("gpu", 1))
                            .pod("p", "{name: c, resourceClaimName: c}")
                            .build();
  const auto got = support::words(found(snapshot).advice.front());
  CHECK(got == "tolerate node gpu (1)");
}

}  // namespace
}  // namespace dra::engine::advice_test

// tests/engine/whatif/advice_places_test.cpp: advice about where devices and pods are: constraints
// that align devices, and the labels by which a pod selects nodes.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/engine/whatif/advice.h"
#include "tests/support/builders.h"
#include "tests/support/changes.h"

namespace dra::engine::advice_places_test {
namespace {

using support::devices_on_n1;
using support::exactly;
using support::Scene;
using support::scene;
using support::SliceWords;
using Words = std::vector<std::string>;

std::string device(std::string_view name, std::string_view kind, std::string_view root, int numa) {
  return base::format(
      "{{name: {}, attributes: {{kind: {{string: {}}}, resource.kubernetes.io/pcieRoot: {{string: "
      "{}}}, resource.kubernetes.io/numaNode: {{int: {}}}}}}}",
      name, kind, root, numa);
}

// Two cards and two ports, a pair on each of two roots.
std::string two_pairs(int numa_of_second) {
  return base::join(Words{device("card-0", "card", "r0", 0), device("port-0", "port", "r0", 0),
                          device("card-1", "card", "r1", numa_of_second),
                          device("port-1", "port", "r1", numa_of_second)},
                    ", ");
}

std::string ask(std::string_view name, std::string_view kind, int count) {
  return base::format(
      "{{name: {}, exactly: {{deviceClassName: gpu, count: {}, selectors: [{{cel: {{expression: "
      "\"device.attributes['gpu.example.com'].kind == '{}'\"}}}}]}}}}",
      name, count, kind);
}

constexpr const char* kOneRoot =
    "{requests: [card, port], matchAttribute: resource.kubernetes.io/pcieRoot}";

Words advised(const Scene& scene, bool pod = false) {
  const auto snapshot = scene.build();
  const Simulator simulator(snapshot);
  const Wanted wanted{.namespace_ = "default", .pod = pod ? "p" : "", .claims = {"c"}};
  const auto nodes = support::stand_everywhere(simulator, wanted);
  for (const NodeResult& node : nodes)
    CHECK_FALSE(node.is_feasible());
  Words words;
  for (const Advice& advice : advice_for(simulator, wanted, nodes).advice) {
    words.push_back(support::words(advice));
    // The state with the change says the same as the simulation.
    Hypothesis hypothesis(snapshot, wanted);
    REQUIRE(hypothesis.apply(advice.changes).ok());
    const auto after = hypothesis.snapshot();
    const Simulator then(after);
    CHECK(std::ranges::count_if(support::stand_everywhere(then, wanted),
                                &NodeResult::is_feasible) == advice.nodes);
  }
  return words;
}

bool has(const Words& words, std::string_view one) {
  return std::ranges::find(words, one) != words.end();
}
bool any_of(const Words& words, std::string_view part) {
  return std::ranges::any_of(
      words, [part](const std::string& one) { return one.find(part) != std::string::npos; });
}

const std::string kSplit = "split card,port of 0 in 2 (1)";
const std::string kRelaxed = "relax 0 to resource.kubernetes.io/numaNode (1)";

TEST_CASE("pairs on different roots: parts that are each aligned, before a constraint is dropped") {
  const auto got = advised(
      devices_on_n1(two_pairs(1))
          .constrained("c", ask("card", "card", 2) + ", " + ask("port", "port", 2), kOneRoot));
  REQUIRE(got.size() > 1);
  CHECK(got.front() == kSplit);
  CHECK(has(got, "unconstrain 0 (1)"));
  CHECK_FALSE(any_of(got, "relax"));
}

TEST_CASE("roots of one NUMA node: the attribute of the larger place") {
  const auto got = advised(
      devices_on_n1(device("card-0", "card", "r0", 0) + ", " + device("port-0", "port", "r1", 0))
          .constrained("c", ask("card", "card", 1) + ", " + ask("port", "port", 1), kOneRoot));
  REQUIRE_FALSE(got.empty());
  CHECK(got.front() == kRelaxed);
  CHECK_FALSE(any_of(got, "split"));  // of one device each there are no parts
}

TEST_CASE("both, where both help; the larger parts first") {
  const auto got = advised(
      devices_on_n1(two_pairs(0))
          .constrained("c", ask("card", "card", 2) + ", " + ask("port", "port", 2), kOneRoot));
  REQUIRE(got.size() > 1);
  CHECK(got[0] == kSplit);
  CHECK(got[1] == kRelaxed);
  const auto of_four =
      advised(devices_on_n1(two_pairs(1))
                  .constrained("c", exactly("gpu", 4),
                               "{matchAttribute: resource.kubernetes.io/pcieRoot}"));
  CHECK(has(of_four, "split gpu of 0 in 2 (1)"));
}

std::string devices_on_roots(std::initializer_list<int> sizes) {
  std::string all;
  int root = 0;
  for (const int size : sizes) {
    for (int i = 0; i < size; ++i)
      all += base::format(
          "{}{}", all.empty() ? "" : ", ",
          device(base::format("d-{}-{}", root, i), "card", base::format("r{}", root), root));
    ++root;
  }
  return all;
}

TEST_CASE("unequal parts, where the devices lie so") {
  struct Case {
    const char* name;
    std::initializer_list<int> roots;
    int wanted;
    const char* want;
  };
  const Case cases[] = {
      {"two and one", {2, 1}, 3, "split gpu of 0 in 2: 2+1 (1)"},
      {"the most even parts that fit", {4, 1}, 5, "split gpu of 0 in 2: 4+1 (1)"},
      {"equal ones before them", {3, 3}, 4, "split gpu of 0 in 2 (1)"},
      {"four, of which no two roots have halves", {3, 1}, 4, "split gpu of 0 in 2: 3+1 (1)"},
      {"three parts", {2, 2, 1}, 5, "split gpu of 0 in 3: 2+2+1 (1)"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const auto got = advised(devices_on_n1(devices_on_roots(c.roots))
                                 .constrained("c", exactly("gpu", c.wanted),
                                              "{matchAttribute: resource.kubernetes.io/pcieRoot}"));
    CHECK(has(got, c.want));
  }
}

TEST_CASE("no parts of more than any claim can have") {
  const auto got = advised(devices_on_n1(devices_on_roots({2, 1}))
                               .constrained("c", exactly("gpu", 2000000000),
                                            "{matchAttribute: resource.kubernetes.io/pcieRoot}"));
  CHECK_FALSE(any_of(got, "split"));
}

TEST_CASE("no parts of what cannot be divided, or what a container names") {
  const auto odd = advised(
      devices_on_n1(two_pairs(1))
          .constrained("c", ask("card", "card", 2) + ", " + ask("port", "port", 1), kOneRoot));
  CHECK_FALSE(any_of(odd, "split"));
  const auto named =
      devices_on_n1(two_pairs(1))
          .constrained("c", ask("card", "card", 2) + ", " + ask("port", "port", 2), kOneRoot)
          .pod("p", "{name: c, resourceClaimName: c}",
               "containers: [{name: main, resources: {claims: [{name: c, request: card}]}}]");
  CHECK_FALSE(any_of(advised(named, true), "split"));
}

TEST_CASE("a wider attribute is one that all devices publish, not a narrower one") {
  const std::string roots =
      "{name: a, attributes: {resource.kubernetes.io/pcieRoot: {string: r0}, "
      "resource.kubernetes.io/numaNode: {int: 0}}}, {name: b, attributes: "
      "{resource.kubernetes.io/pcieRoot: {string: r0}, resource.kubernetes.io/numaNode: {int: 1}}}";
  const auto got = advised(devices_on_n1(roots).constrained(
      "c", exactly("gpu", 2), "{matchAttribute: resource.kubernetes.io/numaNode}"));
  CHECK_FALSE(any_of(got, "relax"));
}

// --- nodes

Scene labelled(std::initializer_list<std::pair<const char*, const char*>> nodes) {
  Scene made = scene();
  for (const auto& [name, labels] : nodes) {
    made.yaml(base::format(
        "{{apiVersion: v1, kind: Node, metadata: {{name: {}, labels: {{{}}}}}, status: "
        "{{allocatable: {{pods: '5'}}}}}}",
        name, labels));
  }
  return made;
}
Scene& with_gpu(Scene& scene, const std::string& node, const std::string& model) {
  return scene.slice(
      SliceWords{.name = node,
                 .pool = node,
                 .where = "nodeName: " + node,
                 .devices = "{name: a, attributes: {model: {string: " + model + "}}}"});
}
Scene waiting(Scene scene, const std::string& spec) {
  return scene.claim("c", exactly("gpu", 1)).pod("p", "{name: c, resourceClaimName: c}", spec);
}

TEST_CASE("nodeSelector: the value of the nodes on which it fits") {
  Scene made = labelled({{"n1", "zone: a"}, {"n2", "zone: b"}, {"n3", "zone: b"}});
  with_gpu(made, "n2", "x");
  with_gpu(made, "n3", "x");
  CHECK(advised(waiting(made, "nodeSelector: {zone: a}"), true) ==
        Words{"select b for zone=a (other) (2)"});
  with_gpu(made, "n1", "x");
  made.claim("held", exactly("gpu", 1),
             support::allocated("{device: a, pool: n1}", support::on_node("n1")) +
                 ", reservedFor: [{resource: pods, name: q, uid: q}]");
  made.pod("q", "{name: c, resourceClaimName: held}", "nodeName: n1");
  const auto same = advised(waiting(made, "nodeSelector: {zone: a}"), true);
  REQUIRE_FALSE(same.empty());
  CHECK(same.front() == "select b for zone=a (2)");
}

TEST_CASE("other devices come last") {
  Scene made = labelled({{"n1", "card: large"}, {"n2", "card: small"}});
  with_gpu(made, "n1", "large");
  with_gpu(made, "n2", "small");
  made.claim("held", exactly("gpu", 1),
             support::allocated("{device: a, pool: n1}", support::on_node("n1")) +
                 ", reservedFor: [{resource: pods, name: q, uid: q}]");
  made.pod("q", "{name: c, resourceClaimName: held}", "nodeName: n1");
  const auto got = advised(waiting(made, "nodeSelector: {card: large}"), true);
  REQUIRE(got.size() == 3);
  CHECK(got.back() == "select small for card=large (other) (1)");
}

TEST_CASE("a label that the nodes do not have, a host, and what an image is made for") {
  Scene made =
      labelled({{"n1", ""}, {"n2", "kubernetes.io/hostname: n2, kubernetes.io/arch: arm64"}});
  with_gpu(made, "n2", "x");
  CHECK(any_of(advised(waiting(made, "nodeSelector: {team: vision}"), true),
               "select any for team=vision"));
  CHECK(any_of(advised(waiting(made, "nodeSelector: {kubernetes.io/hostname: n1}"), true),
               "select any for kubernetes.io/hostname=n1"));
  CHECK_FALSE(
      any_of(advised(waiting(made, "nodeSelector: {kubernetes.io/arch: amd64}"), true), "select"));
}

TEST_CASE("required affinity: one more value, or no condition") {
  Scene made = labelled({{"n1", "zone: a"}, {"n2", "zone: b, spot: 'yes'"}});
  with_gpu(made, "n2", "x");
  const auto affinity = [](const std::string& expressions) {
    return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
           "{nodeSelectorTerms: [{matchExpressions: [" +
           expressions + "]}]}}}";
  };
  CHECK(any_of(advised(waiting(made, affinity("{key: zone, operator: In, values: [a]}")), true),
               "select b for zone"));
  CHECK(any_of(advised(waiting(made, affinity("{key: spot, operator: DoesNotExist}")), true),
               "select any for"));
  CHECK(any_of(advised(waiting(made, affinity("{key: spot, operator: DoesNotExist}, {key: zone, "
                                              "operator: Exists}")),
                       true),
               "select any for"));
}

}  // namespace
}  // namespace dra::engine::advice_places_test

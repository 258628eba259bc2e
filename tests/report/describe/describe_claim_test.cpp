// tests/report/describe/describe_claim_test.cpp

#include <doctest/doctest.h>

#include "dra/base/text.h"
#include "tests/report/describe/describe_text.h"

namespace dra::report::describe_claim_test {
namespace {

using support::allocated;
using support::exactly;
using support::on_node;
using support::Scene;
using support::scene;

std::string about_claim(const Scene& words, std::string_view name) {
  return text_about<api::ResourceClaim>(words, name, describe_claim);
}

constexpr std::string_view kReserved = "reservedFor: [{resource: pods, name: p, uid: p}]";
constexpr std::string_view kUses = "{name: gpu, resourceClaimName: c}";

// A claim for d of pool n1, which the node's only slice publishes; `more` is added to the status.
Scene held(std::string_view result = "{device: d, pool: n1}", std::string_view more = kReserved) {
  return scene()
      .node("n1")
      .slice("n1", {"d"})
      .claim("c", exactly("gpu", 1), allocated(result, on_node("n1")) + base::format(", {}", more));
}
Scene used() { return held().pod("p", kUses, "nodeName: n1", "phase: Running"); }

const std::vector<SaysCase>& states() {
  static const std::vector<SaysCase> rows = {
      {"pending, and nobody waits", scene().claim("c", exactly("gpu", 1)), "c",
       "Claim default/c is pending, and no pod uses it.", "! "},
      {"pending, and a pod waits",
       scene().claim("c", exactly("gpu", 1)).pod("p", kUses, "", "phase: Pending"), "c",
       "is pending: 1 pod waits for it."},
      {"a pod that is done does not wait",
       scene().claim("c", exactly("gpu", 1)).pod("p", kUses, "", "phase: Failed"), "c",
       "no pod uses it"},
      {"in use", used(), "c", "is allocated and in use by 1 pod.", "! "},
      {"allocated and not in use", held("{device: d, pool: n1}", "reservedFor: []"), "c",
       "! It keeps its devices although no pod uses it"},
      {"a claim without requests", scene().claim("c", ""), "c", "none: allocated with no device"},
      {"pods cannot be read", held().cannot_read(api::Kind::Pod), "c",
       "! Pods cannot be read (forbidden): who uses the claim is not known", "gone"},
      {"pods cannot be read, and it is pending",
       scene().claim("c", exactly("gpu", 1)).cannot_read(api::Kind::Pod), "c",
       "Claim default/c is pending.", "no pod uses"},
      {"its class does not exist", scene().claim("c", exactly("typo", 1)), "c",
       "! Request typo: device class typo does not exist"},
      {"classes cannot be read",
       scene().claim("c", exactly("typo", 1)).cannot_read(api::Kind::Class), "c",
       "whether the classes exist is not known", "does not exist"},
  };
  return rows;
}

TEST_CASE("state and use of a claim") { check_all(states(), about_claim); }

TEST_CASE("who is using it, and who should not") {
  const std::string other_uid = "reservedFor: [{resource: pods, name: p, uid: before}]";
  check_all(
      {{"the pod is gone", held(), "c", "! Reserved for pod p, which is gone"},
       {"a later pod of the same name is not the one",
        held("{device: d, pool: n1}", other_uid).pod("p", kUses, "nodeName: n1"), "c",
        "! Reserved for pod p, which is gone (the pod of that name that is there now has another "
        "uid)"},
       {"and the list says so",
        held("{device: d, pool: n1}", other_uid).pod("p", kUses, "nodeName: n1"), "c",
        "gone, another pod has its name"},
       {"a pod that got its node without the scheduler",
        used().pod("q", kUses, "nodeName: n1", "phase: Pending"), "c",
        "! Pod q has a node, but the claim is not reserved for it"},
       {"a group of pods",
        held("{device: d, pool: n1}",
             "reservedFor: [{apiGroup: scheduling.k8s.io, resource: podgroups, "
             "name: g, uid: g}]"),
        "c", "in use by 1 user."},
       {"the containers that get it",
        held().pod("p", kUses,
                   "nodeName: n1, containers: [{name: main, resources: {claims: [{name: gpu, "
                   "request: a}]}}, {name: log}]"),
        "c", "main (a)", "log"}},
      about_claim);
}

// The kubelet writes events about pods, not about their claims.
Scene not_prepared(std::string_view pod_status) {
  return held()
      .pod("p", kUses, "nodeName: n1", pod_status)
      .yaml(
          "{apiVersion: v1, kind: Event, metadata: {name: e, namespace: default}, type: Warning, "
          "reason: FailedPrepareDynamicResources, message: no such driver, lastTimestamp: "
          "'2026-11-20T09:59:00Z', involvedObject: {kind: Pod, namespace: default, name: p, uid: "
          "p}}");
}

TEST_CASE("devices that cannot be prepared are seen in the events of its pod") {
  check_all({{"it does not start", not_prepared("phase: Pending"), "c",
              "! Pod p does not start: FailedPrepareDynamicResources, 60s ago: no such driver."},
             {"and is named for more", not_prepared("phase: Pending"), "c",
              "kubectl dra explain pod p -n default"},
             {"it started later", not_prepared("phase: Running"), "c", "in use by 1 pod", "! "}},
            about_claim);
}

TEST_CASE("the link to its devices leads to what is wrong") {
  const auto two = [](std::string_view more) {
    return scene()
        .slice("n1", {"a", "b"})
        .claim(
            "c", exactly("gpu", 2),
            allocated("{device: a, pool: n1}, {device: b, pool: n1}") + base::format(", {}", more));
  };
  const std::string b_lost =
      "devices: [{driver: gpu.example.com, pool: n1, device: b, conditions: [{type: Ready, "
      "status: 'False', reason: Lost}]}]";
  check_all(
      {{"one device", used(), "c", "kubectl dra describe device gpu.example.com/n1/d\n"},
       {"several, all well", two(kReserved), "c",
        "kubectl dra devices --driver gpu.example.com --pool n1\n", "describe device"},
       {"one of several is not", two(b_lost), "c",
        "kubectl dra describe device gpu.example.com/n1/b\n", "n1/a\n"},
       {"a taint rule", used().taint_rule("r", "deviceSelector: {}", "key: k, effect: NoSchedule"),
        "c", "kubectl dra describe taintrule r\n"},
       {"it is not published any more", held("{device: x, pool: n1}"), "c",
        "kubectl dra describe pool gpu.example.com/n1\n"},
       {"nor is anything else of its pool", held("{device: x, pool: gone}"), "c",
        "kubectl dra describe node n1\n"}},
      about_claim);
}

TEST_CASE("what is wrong with its devices") {
  const std::string no_execute = "key: k, effect: NoExecute, timeAdded: '2026-11-20T09:00:00Z'";
  const std::string five_hours =
      "{device: d, pool: n1, tolerations: [{key: k, operator: Exists, effect: NoExecute, "
      "tolerationSeconds: 18000}]}";
  check_all(
      {{"it is not published any more", held("{device: x, pool: n1}"), "c",
        "! Device x is allocated, but its driver does not publish it any more"},
       {"slices cannot be read", held("{device: x, pool: n1}").cannot_read(api::Kind::Slice), "c",
        "whether the devices are still there is not known", "any more"},
       {"its pool is incomplete",
        scene()
            .slice({.name = "s", .pool = "n1", .count = 2, .devices = "{name: e}"})
            .claim("c", exactly("gpu", 1), allocated("{device: d, pool: n1}")),
        "c", "! Device d is not published now: pool n1 is incomplete, 1 of 2 slices are there"},
       {"another claim has it too",
        used().claim("z", exactly("gpu", 1), allocated("{device: d, pool: n1}")), "c",
        "! Device d is also allocated to claim default/z, and not as a share"},
       {"shares may be several",
        held("{device: d, pool: n1, shareID: a, consumedCapacity: {m: 1}}")
            .claim("z", exactly("gpu", 1), allocated("{device: d, pool: n1, shareID: b}")),
        "c", "m 1", "not as a share"},
       {"admin access takes nothing",
        used().claim("z", exactly("gpu", 1), allocated("{device: d, pool: n1, adminAccess: true}")),
        "c", "default/z (admin)", "not as a share"},
       {"a rule evicts at once", used().taint_rule("r", "deviceSelector: {}", no_execute), "c",
        "! Device d has taint k:NoExecute of taint rule r: pods that have it are evicted.\n"},
       {"a rule evicts later", held(five_hours).taint_rule("r", "deviceSelector: {}", no_execute),
        "c", "pods that have it are evicted in 4h"},
       {"a taint that keeps others away",
        used().taint_rule("r", "deviceSelector: {}", "key: k, effect: NoSchedule"), "c",
        "pods that have it stay, no other claim gets it"},
       {"its node is there", used().node("n2"), "c", "is allocated", "no node is"},
       {"no node is of that name",
        scene().node("n2").claim("c", exactly("gpu", 1),
                                 allocated("{device: d, pool: n1}", on_node("n1"))),
        "c", "! No node is n1: no pod can use the claim"}},
      about_claim);
}

TEST_CASE("what drivers and the scheduler wait for") {
  const std::string binds =
      "{device: d, pool: n1, bindingConditions: [Attached], bindingFailureConditions: [Broken]}";
  const auto with_status = [&binds](std::string_view conditions) {
    return held(binds, base::format("{}, devices: [{{driver: gpu.example.com, pool: n1, device: d, "
                                    "conditions: [{}]}}]",
                                    kReserved, conditions));
  };
  check_all(
      {{"a condition is missing", with_status(""), "c", "! Device d waits for Attached"},
       {"a condition is false", with_status("{type: Attached, status: 'False'}"), "c",
        "! Device d waits for Attached"},
       {"all are true", with_status("{type: Attached, status: 'True'}"), "c", "d Attached True",
        "waits for"},
       {"a failure", with_status("{type: Broken, status: 'True', reason: NoLink, message: port 3}"),
        "c", "! Device d cannot be used: Broken: NoLink, port 3"},
       {"not ready, since when and why",
        with_status("{type: Attached, status: 'True'}, {type: Ready, status: 'False', reason: "
                    "Lost, lastTransitionTime: '2026-11-20T09:55:00Z'}"),
        "c", "! Device d is not ready for 5m: Lost"}},
      about_claim);
}

TEST_CASE("network data and a driver's own data are shown on one line each") {
  const std::string status =
      "devices: [{driver: gpu.example.com, pool: n1, device: d, data: {a: 1}, networkData: "
      "{interfaceName: net1, hardwareAddress: '02:00', ips: [10.0.0.1/24, 'fd00::1/64']}}]";
  const std::string text =
      about_claim(held("{device: d, pool: n1}", base::format("{}, {}", kReserved, status)), "c");
  CHECK(text.find("d network net1, 02:00, 10.0.0.1/24, fd00::1/64") != std::string::npos);
  CHECK(text.find("d data {\"a\":1}") != std::string::npos);
}

TEST_CASE("events are those about this very claim, unless they are not wanted") {
  const auto event = [](std::string_view name, std::string_view uid) {
    return base::format(
        "{{apiVersion: v1, kind: Event, metadata: {{name: {}, namespace: default}}, "
        "involvedObject: "
        "{{kind: ResourceClaim, namespace: default, name: c, uid: {}}}, reason: Said{}, message: "
        "m, "
        "lastTimestamp: '2026-11-20T09:59:00Z', count: 3, source: {{component: who}}}}",
        name, uid, name);
  };
  const auto snapshot = support::scene()
                            .yaml(
                                "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: "
                                "{name: c, namespace: default, uid: u1}}")
                            .yaml(event("one", "u1"))
                            .yaml(event("two", "u2"))
                            .build();
  const engine::Inventory inventory(snapshot);
  const auto& claim = snapshot.all<api::ResourceClaim>().front();
  report::Scene scene{snapshot, inventory, base::parse_rfc3339("2026-11-20T10:00:00Z").value()};
  std::string text = support::text_of(describe_claim(scene, claim).document);
  CHECK(text.find("60s ago Saidone (x3): m  (who)") != std::string::npos);
  CHECK(text.find("Saidtwo") == std::string::npos);
  scene.show_events = false;
  text = support::text_of(describe_claim(scene, claim).document);
  CHECK(text.find("Saidone") == std::string::npos);
}

}  // namespace
}  // namespace dra::report::describe_claim_test

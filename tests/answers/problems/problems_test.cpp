// tests/answers/problems/problems_test.cpp

#include "dra/answers/problems/problems.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "dra/base/text.h"
#include "tests/answers/problems/problems_text.h"

namespace dra::answers::problems_test {
namespace {

using problems::check;
using problems::problems_of;
using problems::text_of;
using support::allocated;
using support::exactly;
using support::scene;
using Case = problems::Case;
using Words = support::Scene;

std::string reserved(std::string_view pod, std::string_view uid) {
  return base::format(", reservedFor: [{{resource: pods, name: {}, uid: {}}}]", pod, uid);
}

TEST_CASE("pools") {
  const Case rows[] = {
      {"a cluster that is well", scene().slice("n1", {"d"}), ""},
      {"an incomplete pool", scene().slice({.name = "s", .count = 3, .devices = "{name: d}"}),
       "error PoolIncomplete: Pool gpu.example.com/pool has 1 of 3 slices of generation 1: the "
       "scheduler passes over its device. > describe pool gpu.example.com/pool\n"},
      {"several of one driver are one problem",
       scene()
           .slice({.name = "a", .pool = "a", .count = 2, .devices = "{name: d}"})
           .slice({.name = "b", .pool = "b", .count = 2, .devices = "{name: d}, {name: e}"}),
       "error PoolIncomplete: 2 pools (gpu.example.com/a, gpu.example.com/b) are incomplete: the "
       "scheduler passes over their 3 devices. > pools --driver gpu.example.com\n"},
      {"an invalid pool", scene().slice({.name = "s", .devices = "{name: d}, {name: d}"}),
       "error PoolInvalid: Pool gpu.example.com/pool is invalid (duplicate device name d): the "
       "scheduler passes over its 2 devices. > describe pool gpu.example.com/pool\n"},
      {"what is left of an older generation",
       scene()
           .slice({.name = "new", .generation = 2, .devices = "{name: d}"})
           .slice({.name = "old", .generation = 1, .devices = "{name: d}"}),
       "hint PoolStale: Pool gpu.example.com/pool has slices of an older generation than 2; they "
       "do not count. > describe pool gpu.example.com/pool\n"},
      {"several slices of it, and another pool's between them",
       scene()
           .slice({.name = "new-a", .pool = "a", .generation = 2, .devices = "{name: d}"})
           .slice({.name = "new-b", .pool = "b", .generation = 2, .devices = "{name: d}"})
           .slice({.name = "old-1", .pool = "a", .generation = 1, .devices = "{name: d}"})
           .slice({.name = "old-2", .pool = "b", .generation = 1, .devices = "{name: d}"})
           .slice({.name = "old-3", .pool = "a", .generation = 1, .devices = "{name: e}"}),
       "hint PoolStale: 2 pools (gpu.example.com/a, gpu.example.com/b) have slices of older "
       "generations; they do not count. > pools --driver gpu.example.com\n"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("devices for nodes that are not there") {
  const std::string rack =
      "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, operator: In, values: "
      "[r9]}]}]}";
  const Case rows[] = {
      {"a node that went", scene().node("n1").slice("n2", {"a", "b"}),
       "warning NodeMissing: Pool gpu.example.com/n2 is for node n2, which does not exist: no pod "
       "can get its 2 devices. > describe pool gpu.example.com/n2\n"},
      {"a selector that fits none",
       scene().node("n1").slice({.name = "s", .where = rack, .devices = "{name: a}"}),
       "warning NodeMissing: Pool gpu.example.com/pool is for nodes with rack=r9, and there is "
       "none: no pod can get its device. > describe pool gpu.example.com/pool\n"},
      {"one that fits",
       scene().node("n1", "rack: r9").slice({.name = "s", .where = rack, .devices = "{name: a}"}),
       ""},
      {"one that fits by another term",
       scene()
           .node("n1", "zone: z1")
           .slice({.name = "s",
                   .where = "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, "
                            "operator: In, values: [r8, r9]}]}, {matchExpressions: [{key: zone, "
                            "operator: Exists}]}]}",
                   .devices = "{name: a}"}),
       ""},
      {"a label that some node has, of which nothing else is right",
       scene()
           .node("n1", "rack: r9")
           .slice({.name = "s",
                   .where = "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, "
                            "operator: In, values: [r8, r9]}, {key: zone, operator: Exists}]}]}",
                   .devices = "{name: a}"}),
       "warning NodeMissing: Pool gpu.example.com/pool is for nodes with rack in (r8,r9),zone, and "
       "there is none: no pod can get its device. > describe pool gpu.example.com/pool\n"},
      {"some of the devices",
       scene().node("n1").slice({.name = "s",
                                 .where = "perDeviceNodeSelection: true",
                                 .devices = "{name: a, allNodes: true}, {name: b, nodeName: n2}, "
                                            "{name: c, " +
                                            rack + "}"}),
       "warning NodeMissing: Pool gpu.example.com/pool has 2 of 3 devices that no pod can get, "
       "such as b: for node n2, which does not exist. > describe pool gpu.example.com/pool\n"},
      {"several pools are one problem",
       scene().node("n1").slice("n2", {"a", "b"}).slice("n3", {"a"}),
       "warning NodeMissing: 2 pools (gpu.example.com/n2, gpu.example.com/n3) are for nodes that "
       "do not exist: no pod can get 3 of their devices. > pools --driver gpu.example.com\n"},
      {"without any node nothing is known", scene().slice("n2", {"a"}), ""},
  };
  for (const Case& row : rows)
    check(row);
}

Words two_of_a_node_pool() {
  return scene()
      .node("n1", "karpenter.sh/nodepool: gpus")
      .node("n2", "karpenter.sh/nodepool: gpus");
}

Words tpu_host(std::string_view node, std::string_view chips) {
  return scene()
      .node(node, "cloud.google.com/gke-accelerator-count: '4'")
      .slice({.name = "s",
              .driver = "tpu.google.com",
              .pool = std::string(node),
              .where = base::format("nodeName: {}", node),
              .devices = std::string(chips)});
}

TEST_CASE("hosts of TPUs that have lost chips") {
  const std::string three = "{name: '0'}, {name: '1'}, {name: '3'}";
  const Case rows[] = {
      {"one that has all", tpu_host("t", three + ", {name: '2'}"), ""},
      {"one that is missing a chip", tpu_host("t", three),
       "warning PartialHost: TPU host t has 3 of its 4 chips, and the driver prepares all of a "
       "host or none: no pod can use it. > describe node t\n"},
      {"a broken host in use: its holder is named",
       tpu_host("t", three)
           .claim(
               "c", exactly("gpu", 1),
               "allocation: {devices: {results: [{request: gpu, driver: tpu.google.com, pool: t, "
               "device: '0'}]}}"),
       ""},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("nodes without the devices that their like have") {
  const Case rows[] = {
      {"one that publishes nothing", two_of_a_node_pool().slice("n1", {"d"}),
       "warning NoSlices: Node n2 (Unknown) has no devices of gpu.example.com, which publishes "
       "some "
       "for 1 of 2 nodes of node pool gpus. > describe node n2\n"},
      {"no driver serves the node pool", two_of_a_node_pool(), ""},
      {"one alone that a label gives to a driver",
       scene().node("tpu", "cloud.google.com/gke-tpu-dra-driver: 'true'"),
       "warning NoSlices: Node tpu has the label cloud.google.com/gke-tpu-dra-driver=true, and "
       "tpu.google.com publishes nothing for it. > describe node tpu\n"},
      {"which is told once",
       scene()
           .node("n1", "karpenter.sh/nodepool: t")
           .node("n2", "karpenter.sh/nodepool: t, cloud.google.com/gke-tpu-dra-driver: 'true'")
           .slice({.name = "s",
                   .driver = "tpu.google.com",
                   .pool = "n1",
                   .where = "nodeName: n1",
                   .devices = "{name: '0'}"}),
       "warning NoSlices: Node n2 (Unknown) has no devices of tpu.google.com, which publishes some "
       "for 1 of 2 nodes of node pool t. > describe node n2\n"},
      {"without slices nothing is known of them",
       two_of_a_node_pool().cannot_read(api::Kind::Slice),
       "warning NotVisible: resourceslices cannot be read (forbidden): what depends on them is "
       "unknown. > rbac\n"},
  };
  for (const Case& row : rows)
    check(row);
}

Words used() {
  return scene()
      .slice("n1", {"d0", "d1"})
      .held("n1", "d0")
      .pod("user", "{name: a, resourceClaimName: n1-d0}", "nodeName: n1");
}

TEST_CASE("nodes with devices that are not ready") {
  const auto node = [](std::string_view name, std::string_view ready) {
    return base::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: {}}}\nstatus: {{conditions: [{{type: Ready, "
        "status: \"{}\"}}]}}\n",
        name, ready);
  };
  Words words;
  words.yaml(node("n1", "False")).yaml(node("n2", "Unknown")).yaml(node("n3", "True"));
  words.yaml(node("n4", "False"));
  SUBCASE("one") {
    words.slice("n1", {"gpu-0", "gpu-1"}).slice("n3", {"gpu-0"}).held("n1", "gpu-1");
    const std::string text = text_of(problems_of(words));
    CHECK(
        text.starts_with("warning NodeNotReady: Node n1 is not ready, with 2 devices, 1 of them "
                         "in use. > describe node n1\n"));
  }
  SUBCASE("one with one device") {
    words.slice("n1", {"gpu-0"}).held("n1", "gpu-0");
    CHECK(text_of(problems_of(words))
              .starts_with("warning NodeNotReady: Node n1 is not ready, with 1 device, which is in "
                           "use. > describe node n1\n"));
  }
  SUBCASE("the holders cannot be read") {
    words.slice("n1", {"gpu-0"}).cannot_read(api::Kind::Claim);
    CHECK(text_of(problems_of(words))
              .find("Node n1 is not ready, with 1 device, and whether they are in use is not "
                    "known.") != std::string::npos);
  }
  SUBCASE("several") {
    words.slice("n1", {"gpu-0", "gpu-1"}).slice("n2", {"gpu-0"});
    CHECK(
        text_of(problems_of(words)) ==
        "warning NodeNotReady: 2 nodes (n1, n2) are not ready, with 3 devices, 0 of them in use. > "
        "nodes\n");
  }
}

Words tolerated(std::string_view value) {
  return scene()
      .slice("n1", {base::format("d, taints: [{{key: k, value: {}, effect: NoSchedule}}]", value)})
      .claim("c", exactly("gpu", 1),
             allocated("{device: d, pool: n1, tolerations: [{key: k, operator: Exists}]}") +
                 reserved("p", "p"))
      .pod("p", "", "nodeName: n1");
}

TEST_CASE("taints") {
  const Case rows[] = {
      {"a rule that evicts is told with whom, and not again with what it taints",
       used().taint_rule("r", "deviceSelector: {}", "key: k, effect: NoExecute"),
       "error TaintRuleEvicts: Taint rule r (k:NoExecute), whose selector is empty and means every "
       "device of the cluster, evicts pod default/user now. > describe taintrule r\n"},
      {"a rule that evicts nobody",
       used().taint_rule("r", "deviceSelector: {}", "key: k, effect: NoSchedule"),
       "warning DeviceTainted: Taint rule r, whose selector is empty and means every device of the "
       "cluster, taints 2 devices k:NoSchedule, 1 of them in use. > describe taintrule r\n"},
      {"a rule in a cluster that ignores it",
       used()
           .taint_rule("r", "deviceSelector: {pool: n1}", "key: k, effect: NoExecute")
           .gate("DRADeviceTaints", false),
       "hint TaintRuleIdle: Taint rule r (k:NoExecute) has no effect: DRADeviceTaints is off. > "
       "describe taintrule r\n"},
      {"a rule that some tolerate for a time",
       used()
           .yaml("{apiVersion: v1, kind: ConfigMap, metadata: {name: kubectl-dra-snapshot, "
                 "namespace: default}, data: {time: '2026-11-18T17:46:40Z'}}")
           .taint_rule("r", "deviceSelector: {pool: n1}",
                       "key: k, effect: NoExecute, timeAdded: '2026-11-18T17:36:40Z'")
           .claim("later", exactly("gpu", 1),
                  allocated("{device: d1, pool: n1, tolerations: [{key: k, operator: Exists, "
                            "effect: NoExecute, tolerationSeconds: 3600}]}") +
                      reserved("patient", "patient"))
           .pod("patient", "{name: a, resourceClaimName: later}", "nodeName: n1"),
       "error TaintRuleEvicts: Taint rule r (k:NoExecute) evicts 2 pods (default/patient, "
       "default/user); 1 of them should have been evicted, the first 10m ago: the device taint "
       "eviction controller does not act. > describe taintrule r\n"},
      {"a rule without an effect is no problem",
       used().taint_rule("r", "deviceSelector: {}", "key: k, effect: None"), ""},
      {"a device that its driver has tainted",
       scene().slice(
           {.name = "s", .devices = "{name: d, taints: [{key: k, value: v, effect: NoSchedule}]}"}),
       "warning DeviceTainted: Device gpu.example.com/pool/d has taint k=v:NoSchedule, set by "
       "the driver. > describe device gpu.example.com/pool/d\n"},
      {"a device whose user tolerates the driver's taint", tolerated("reserved"),
       "hint DeviceTainted: Device gpu.example.com/n1/d, which is in use and tolerated, has taint "
       "k=reserved:NoSchedule, set by the driver. > describe device gpu.example.com/n1/d\n"},
      {"a broken device whose user tolerates the driver's taint", tolerated("unhealthy"),
       "warning DeviceTainted: Device gpu.example.com/n1/d, which is in use, has taint "
       "k=unhealthy:NoSchedule, set by the driver. > describe device gpu.example.com/n1/d\n"},
      {"several with the same taint",
       scene().slice({.name = "s",
                      .devices = "{name: d, taints: [{key: k, effect: NoSchedule}]}, {name: e, "
                                 "taints: [{key: k, effect: NoSchedule}]}"}),
       "warning DeviceTainted: 2 devices (gpu.example.com/pool/d, gpu.example.com/pool/e) have "
       "taint k:NoSchedule, set by the driver. > devices --driver gpu.example.com\n"},
      {"a rule for devices that are not there",
       used().taint_rule("r", "deviceSelector: {device: nosuch}", "key: k, effect: NoExecute"),
       "hint TaintRuleIdle: Taint rule r (k:NoExecute) selects none of the devices that are "
       "published. > describe taintrule r\n"},
      {"a rule without a selector", used().taint_rule("r", "", "key: k, effect: NoExecute"),
       "hint TaintRuleIdle: Taint rule r (k:NoExecute) has no selector, and so selects no device. "
       "> "
       "describe taintrule r\n"},
      {"without pods nobody is said to be evicted, nor that nobody is",
       used()
           .taint_rule("r", "deviceSelector: {device: d0}", "key: k, effect: NoExecute")
           .cannot_read(api::Kind::Pod),
       "warning NotVisible: pods cannot be read (forbidden): what depends on them is unknown. > "
       "rbac\nhint DeviceTainted: Taint rule r taints 1 device k:NoExecute, which is in use. > "
       "describe taintrule r\n"},
  };
  for (const Case& row : rows)
    check(row);
}

std::string deleting(std::string_view at, std::string_view more) {
  return base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: c, namespace: "
      "default, deletionTimestamp: '{}', finalizers: [f/x]}}, status: {{{}}}}}",
      at, more);
}

TEST_CASE("claims that are stuck") {
  const Case rows[] = {
      {"deleted long ago, with a finalizer", scene().yaml(deleting("2026-11-18T16:46:40Z", "")),
       "warning ClaimDeleting: Claim default/c was marked for deletion 60m ago and waits for "
       "finalizer f/x. > "
       "describe claim c -n default\n"},
      {"deleted long ago, and used",
       scene()
           .yaml(deleting("2026-11-18T16:46:40Z", reserved("p", "p").substr(2)))
           .pod("p", "", "nodeName: n1"),
       "warning ClaimDeleting: Claim default/c was marked for deletion 60m ago and is still used "
       "by pod "
       "default/p. > "
       "describe claim c -n default\n"},
      {"deleted long ago, and reserved for a pod that is gone",
       scene().yaml(deleting("2026-11-18T16:46:40Z", reserved("p", "p").substr(2))),
       "warning ClaimDeleting: Claim default/c was marked for deletion 60m ago and is still "
       "reserved for pod "
       "default/p, which is gone. > describe claim c -n default\n"},
      {"deleted long ago, and a pod waits for it",
       scene()
           .yaml(deleting("2026-11-18T16:46:40Z", reserved("p", "p").substr(2)))
           .pod("w", "{name: a, resourceClaimName: c}"),
       "error ClaimDeleting: Pod default/w: Pending. Claim default/c is being deleted and is "
       "still reserved for pod p, which does not exist any more. > explain pod w -n default\n"},
      {"just deleted", scene().yaml(deleting("2026-11-18T17:46:20Z", "")), ""},
      {"reserved for a pod that is gone, and its device for nobody",
       scene().slice("n1", {"d"}).held("n1", "d"),
       "warning ReservationStale: Claim default/n1-d is reserved for pod default/user, which is "
       "gone: 1 device allocated and not in use. > describe claim n1-d -n default\n"},
      {"two shares are of one device",
       scene()
           .slice("n1", {"e"})
           .claim(
               "c", exactly("gpu", 1),
               allocated("{device: d, pool: n1, shareID: s1}, {device: d, pool: n1, shareID: s2}") +
                   reserved("p", "p")),
       "error DeviceGone: Claim default/c holds device gpu.example.com/n1/d, which no slice "
       "publishes any more; it is used by pod default/p. > describe claim c -n default\nwarning "
       "ReservationStale: Claim default/c is reserved for pod default/p, which is gone: 1 device "
       "allocated and not in use. > describe claim c -n default\n"},
      {"reserved for an earlier pod of that name",
       scene()
           .claim("c", exactly("gpu", 1), reserved("p", "old").substr(2))
           .pod("p", "", "nodeName: n1"),
       "warning ReservationStale: Claim default/c is reserved for pod default/p, which is gone "
       "(the "
       "pod of that name that is there now has another uid). > describe claim c -n default\n"},
      {"without pods no pod is gone",
       scene().slice("n1", {"d"}).held("n1", "d").cannot_read(api::Kind::Pod),
       "warning NotVisible: pods cannot be read (forbidden): what depends on them is unknown. > "
       "rbac\n"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("claims that nothing can satisfy, though no pod waits for them") {
  const Words two = scene()
                        .claim("a", exactly("gpux", 1))
                        .claim("b", exactly("gpux", 1))
                        .claim("c", exactly("gpu", 1));
  const Case rows[] = {
      {"those of a class that does not exist", two,
       "warning ClassMissing: 2 claims (default/a, default/b) cannot be allocated: device class "
       "gpux does not exist; did you mean gpu? > explain claim a -n default\n"},
      {"a pod that waits for one says so itself",
       scene().claim("a", exactly("gpux", 1)).pod("p", "{name: a, resourceClaimName: a}"),
       "error ClassMissing: Pod default/p: Pending. Device class gpux does not exist; did you "
       "mean gpu? > explain pod p -n default\n"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("allocations that cannot be right") {
  const std::string d = allocated("{device: d, pool: n1}");
  const std::string share = allocated("{device: d, pool: n1, shareID: s1}");
  const std::string admin = allocated("{device: d, pool: n1, adminAccess: true}");
  const Words one = scene().slice("n1", {"d"});
  const Case rows[] = {
      {"two claims with one device",
       Words(one).claim("a", exactly("gpu", 1), d).claim("b", exactly("gpu", 1), d),
       "error DoubleAllocation: Device gpu.example.com/n1/d is allocated to 2 claims (default/a, "
       "default/b) at once. > describe device gpu.example.com/n1/d\n"},
      {"one of them for administration",
       Words(one).claim("a", exactly("gpu", 1), d).claim("b", exactly("gpu", 1), admin), ""},
      {"shares",
       Words(one).claim("a", exactly("gpu", 1), share).claim("b", exactly("gpu", 1), share), ""},
      {"a share and the whole",
       Words(one).claim("a", exactly("gpu", 1), share).claim("b", exactly("gpu", 1), d),
       "error DoubleAllocation: Device gpu.example.com/n1/d is allocated to 2 claims (default/a, "
       "default/b) at once. > describe device gpu.example.com/n1/d\n"},
      {"a device that no slice has", scene().claim("c", exactly("gpu", 1), d),
       "warning DeviceGone: Claim default/c holds device gpu.example.com/n1/d, which no slice "
       "publishes any more. > describe claim c -n default\n"},
      {"and somebody uses it",
       scene()
           .claim("c", exactly("gpu", 1), d + reserved("p", "p"))
           .pod("p", "{name: a, resourceClaimName: c}", "nodeName: n1"),
       "error DeviceGone: Claim default/c holds device gpu.example.com/n1/d, which no slice "
       "publishes any more; it is used by pod default/p. > describe claim c -n default\n"},
      {"a pool that is not all there may have it",
       scene().slice({.name = "s", .pool = "n1", .count = 2}).claim("c", exactly("gpu", 1), d),
       "error PoolIncomplete: Pool gpu.example.com/n1 has 1 of 2 slices of generation 1: the "
       "scheduler passes over it. > describe pool gpu.example.com/n1\n"},
      {"a device that its driver could not make ready",
       Words(one)
           .claim(
               "c", exactly("gpu", 1),
               d + reserved("p", "p") +
                   ", devices: [{driver: gpu.example.com, pool: n1, device: d, conditions: "
                   "[{type: Ready, status: 'False', reason: PrepareFailed, message: reset it}]}]")
           .pod("p", "{name: a, resourceClaimName: c}", "nodeName: n1"),
       "error PrepareFailed: Device gpu.example.com/n1/d of claim default/c is not ready "
       "(PrepareFailed: reset it); used by pod default/p. > describe claim c -n default\n"},
      {"a device that is not ready any more, beside a pod that runs",
       Words(one)
           .claim("c", exactly("gpu", 1),
                  d + reserved("p", "p") +
                      ", devices: [{driver: gpu.example.com, pool: n1, device: d, conditions: "
                      "[{type: Ready, status: 'False', reason: Hot}]}]")
           .pod("p", "{name: a, resourceClaimName: c}", "nodeName: n1", "phase: Running"),
       "error DeviceUnhealthy: Device gpu.example.com/n1/d of claim default/c is not ready (Hot); "
       "used by pod default/p. > describe claim c -n default\n"},
      {"what is reported about a device that the claim has no more",
       Words(one).claim("c", exactly("gpu", 1),
                        d + ", devices: [{driver: gpu.example.com, pool: n1, device: e, "
                            "conditions: [{type: Ready, status: 'False'}]}]"),
       ""},
      {"without slices no device is gone",
       scene().claim("c", exactly("gpu", 1), d).cannot_read(api::Kind::Slice),
       "warning NotVisible: resourceslices cannot be read (forbidden): what depends on them is "
       "unknown. > rbac\n"},
  };
  for (const Case& row : rows)
    check(row);
}

// A pod `name` that waits for a claim of its own, which nothing can satisfy.
TEST_CASE("the worst comes first, and a namespace has its own and those of the whole cluster") {
  const Words words = scene()
                          .slice({.name = "new", .generation = 2, .devices = "{name: d}"})
                          .slice({.name = "old", .generation = 1, .devices = "{name: d}"})
                          .claim("c", exactly("gpu", 1), reserved("gone", "g").substr(2))
                          .pod("p", "{name: a, resourceClaimName: none}");
  const auto codes = [](const std::vector<Problem>& problems) {
    std::string text;
    for (const Problem& problem : problems)
      text += std::string(diag::name_of(problem.finding.code)) + " ";
    return text;
  };
  CHECK(codes(problems_of(words)) == "ClaimMissing ReservationStale PoolStale ");
  CHECK(codes(problems_of(words, "default")) == "ClaimMissing ReservationStale PoolStale ");
  CHECK(codes(problems_of(words, "other")) == "PoolStale ");
}

}  // namespace
}  // namespace dra::answers::problems_test

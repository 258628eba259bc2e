// tests/engine/running/eviction_test.cpp

#include "dra/engine/running/eviction.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::eviction_test {
namespace {

using support::allocated;
using support::exactly;
using support::Scene;
using support::scene;

constexpr const char* kEvict = "key: k, effect: NoExecute";

std::string reserved(std::string_view pod, std::string_view uid) {
  return base::format("reservedFor: [{{resource: pods, name: {}, uid: {}}}]", pod, uid);
}

// The claim c of the pod p, which has gpu-0 of the pool n1.
Scene used(const std::string& result = "", const std::string& by = reserved("p", "p")) {
  const std::string status = allocated("{device: gpu-0, pool: n1" + result + "}");
  return scene().slice("n1", {"gpu-0"}).claim("c", exactly("gpu", 1), status + ", " + by);
}

Scene running(Scene scene) {
  return scene.pod("p", "{name: a, resourceClaimName: c}", "nodeName: n1");
}

Scene rule(Scene scene, const char* selector = "deviceSelector: {}", const char* taint = kEvict) {
  return scene.taint_rule("r", selector, taint);
}

// What the controller makes for a pod's template; whose it is, is the owner's uid.
Scene from_template(const std::string& owner) {
  return rule(
      scene()
          .slice("n1", {"gpu-0"})
          .yaml(base::format(
              "{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: p-a-x, "
              "namespace: default, ownerReferences: [{{kind: Pod, name: p, uid: {}, controller: "
              "true}}]}}, status: {{{}, {}}}}}",
              owner, allocated("{device: gpu-0, pool: n1}"), reserved("p", "p")))
          .pod("p", "{name: a, resourceClaimTemplateName: t}", "nodeName: n1",
               "resourceClaimStatuses: [{name: a, resourceClaimName: p-a-x}]"));
}

std::string tolerating(const std::string& toleration) {
  return ", tolerations: [{key: k, operator: Exists" + toleration + "}]";
}

struct Case {
  const char* name;
  Scene scene;
  const char* want;  // the pods
};

TEST_CASE("whom a taint rule concerns") {
  const Case rows[] = {
      {"a pod with such a device", rule(running(used())), "p"},
      {"not one with another device", rule(running(used()), "deviceSelector: {device: gpu-1}"), ""},
      {"a rule without a selector concerns nobody", rule(running(used()), ""), ""},
      {"not a pod that does not run yet", rule(used().pod("p", "{name: a, resourceClaimName: c}")),
       ""},
      {"not the next pod of that name", rule(running(used("", reserved("p", "old")))), ""},
      {"not a pod whose spec does not use the claim",
       rule(used().pod("p", "{name: a, resourceClaimName: other}", "nodeName: n1")), ""},
      {"a pod with a claim from a template", from_template("p"), "p"},
      {"not if that claim belongs to another pod", from_template("other"), ""},
      {"who administers a device is evicted, too", rule(running(used(", adminAccess: true"))), "p"},
      {"a device that no slice publishes any more",
       rule(running(
           scene().claim("c", exactly("gpu", 1),
                         allocated("{device: gpu-0, pool: n1}") + ", " + reserved("p", "p")))),
       "p"},
  };
  for (const Case& row : rows) {
    CAPTURE(std::string(row.name));
    const auto snapshot = row.scene.build();
    const Usage usage(snapshot, features_of(snapshot.server()));
    std::string pods;
    for (const auto& one : snapshot.all<api::DeviceTaintRule>()) {
      for (const api::Pod* pod : pods_affected(snapshot, usage, one))
        pods += pod->meta.name;
    }
    CHECK(pods == row.want);
  }
}

struct Toleration {
  const char* name;
  const char* toleration;
  const char* effect;  // of the taint
  bool concerned;
};

const Toleration kTolerations[] = {
    {"an eviction is tolerated in so many words", ", effect: NoExecute", "NoExecute", false},
    {"for some time only", ", effect: NoExecute, tolerationSeconds: 60", "NoExecute", true},
    {"tolerating all effects is not enough for an eviction", "", "NoExecute", true},
    {"but for scheduling", "", "NoSchedule", false},
    {"another effect", ", effect: NoSchedule", "NoExecute", true},
    {"no effect is judged as if it evicted", "", "None", true},
    {"and is then tolerated as an eviction is", ", effect: NoExecute", "None", false},
};

TEST_CASE("what an allocation tolerates") {
  for (const Toleration& row : kTolerations) {
    CAPTURE(std::string(row.name));
    const std::string taint = base::format("key: k, effect: {}", row.effect);
    const auto snapshot =
        rule(running(used(tolerating(row.toleration))), "deviceSelector: {}", taint.c_str())
            .build();
    const Usage usage(snapshot, features_of(snapshot.server()));
    const auto pods = pods_affected(snapshot, usage, snapshot.all<api::DeviceTaintRule>().front());
    CHECK(!pods.empty() == row.concerned);
  }
}

}  // namespace
}  // namespace dra::engine::eviction_test

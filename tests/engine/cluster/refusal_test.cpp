// tests/engine/cluster/refusal_test.cpp: why a controller could not create a claim or a pod.

#include "dra/engine/cluster/refusal.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "dra/engine/cluster/quotas.h"
#include "tests/support/builders.h"

namespace dra::engine::refusal_test {
namespace {

using By = diag::RefusalEvidence::By;

TEST_CASE("who refuses a claim is found in the event's message") {
  struct Row {
    const char* name;
    const char* message;
    const char* cause;
    std::optional<By> by;
    const char* who;
  };
  const Row rows[] = {
      {"a quota",
       "PodResourceClaim gpu: create ResourceClaim : resourceclaims.resource.k8s.io \"p-gpu-x\" is "
       "forbidden: exceeded quota: tight, requested: "
       "count/resourceclaims.resource.k8s.io=1,gpu.deviceclass.resource.k8s.io/devices=4, used: "
       "count/resourceclaims.resource.k8s.io=2,gpu.deviceclass.resource.k8s.io/devices=8, limited: "
       "count/resourceclaims.resource.k8s.io=2,gpu.deviceclass.resource.k8s.io/devices=10",
       "resource quota tight is exhausted (count/resourceclaims.resource.k8s.io: 2 of 2 used, and "
       "1 more wanted; gpu.deviceclass.resource.k8s.io/devices: 8 of 10 used, and 4 more wanted)",
       By::Quota, "tight"},
      {"a webhook",
       "PodResourceClaim gpu: create ResourceClaim : admission webhook \"w.example.com\" denied "
       "the request: not you",
       "admission webhook w.example.com refuses it: not you", By::Webhook, "w.example.com"},
      {"a webhook that says nothing",
       "PodResourceClaim gpu: create ResourceClaim : admission webhook \"w.example.com\" denied "
       "the request without explanation",
       "admission webhook w.example.com refuses it", By::Webhook, "w.example.com"},
      {"a webhook that does not answer",
       "PodResourceClaim gpu: create ResourceClaim : Internal error occurred: failed calling "
       "webhook \"w.example.com\": failed to call webhook: no endpoints",
       "admission webhook w.example.com cannot be asked: failed to call webhook: no endpoints",
       By::Webhook, "w.example.com"},
      {"a policy",
       "PodResourceClaim gpu: create ResourceClaim : resourceclaims.resource.k8s.io \"p-gpu-x\" is "
       "forbidden: ValidatingAdmissionPolicy 'small' with binding 'all' denied request: too many",
       "admission policy small refuses it: too many", By::Policy, "small"},
      {"nobody: the template is missing",
       "PodResourceClaim gpu: resource claim template \"t\": "
       "resourceclaimtemplate.resource.k8s.io \"t\" not found",
       "resource claim template \"t\": resourceclaimtemplate.resource.k8s.io \"t\" not found",
       std::nullopt, ""},
      {"nobody: a claim of that name is somebody else's",
       "PodGroupResourceClaim gpu: finding ResourceClaim for claim gpu in PodGroup ns/g failed: "
       "not "
       "owned",
       "not owned", std::nullopt, ""},
      {"nothing is known", "odd", "odd", std::nullopt, ""},
      {"a quota that is cut off", "exceeded quota: tight, requested: pods=1",
       "resource quota tight is exhausted (pods: ? of ? used, and 1 more wanted)", By::Quota,
       "tight"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const CreationFailure failure = creation_failure(row.message);
    CHECK(failure.cause == row.cause);
    REQUIRE(failure.refusal.has_value() == row.by.has_value());
    if (!row.by) continue;
    CHECK(failure.refusal->by == *row.by);
    CHECK(failure.refusal->name == row.who);
  }
}

TEST_CASE("a quota is compared as it is now") {
  struct Row {
    const char* name;
    const char* quota;  // in the namespace; empty: none
    const char* cause;
    bool room;
  };
  const std::string named =
      "{apiVersion: v1, kind: ResourceQuota, metadata: {name: tight, namespace: ns}, ";
  for (const Row& row : {
           Row{"as in the event", "status: {hard: {pods: '3'}, used: {pods: '3'}}}",
               "resource quota tight is exhausted (pods: 3 of 3 used, and 1 more wanted)", false},
           Row{"more is used", "status: {hard: {pods: '3'}, used: {pods: '4'}}}",
               "resource quota tight is exhausted (pods: 4 of 3 used, and 1 more wanted)", false},
           Row{"it was raised", "status: {hard: {pods: '5'}, used: {pods: '3'}}}",
               "resource quota tight was exhausted and has room by now (pods: 3 of 5 used, and 1 "
               "more wanted)",
               true},
           Row{"it does not count yet", "spec: {hard: {pods: '5'}}}",
               "resource quota tight is exhausted (pods: 3 of 3 used, and 1 more wanted)", false},
           Row{"it is gone", "",
               "resource quota tight is exhausted (pods: 3 of 3 used, and 1 more wanted)", false},
       }) {
    CAPTURE(std::string(row.name));
    support::Scene scene = support::scene();
    if (*row.quota != '\0') scene.yaml(named + row.quota);
    const auto snapshot = scene.build();
    const CreationFailure failure =
        creation_failure(snapshot, "ns",
                         "pods \"p\" is forbidden: exceeded quota: tight, requested: pods=1, used: "
                         "pods=3, limited: pods=3");
    CHECK(failure.cause == row.cause);
    REQUIRE(failure.refusal.has_value());
    CHECK(has_room(*failure.refusal) == row.room);
  }
}

TEST_CASE("of a webhook that does not answer its service is known") {
  const auto unreachable = [](std::string_view why) {
    return creation_failure(
               base::format("PodResourceClaim gpu: create ResourceClaim : Internal error "
                            "occurred: failed calling webhook \"w.example.com\": {}",
                            why))
        .refusal->unreachable;
  };
  CHECK(unreachable(
            "failed to call webhook: Post \"https://hook.gpu-system.svc:443/check?timeout=10s\""
            ": no endpoints available for service \"hook\"") == "gpu-system/hook");
  CHECK(unreachable("failed to call webhook: Post \"https://hooks.example.com/check\": EOF") ==
        "hooks.example.com");
  CHECK(unreachable("no endpoints") == "no endpoints");
  CHECK(creation_failure("admission webhook \"w\" denied the request: no")
            .refusal->unreachable.empty());
}

}  // namespace
}  // namespace dra::engine::refusal_test

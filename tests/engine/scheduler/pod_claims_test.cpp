// tests/engine/scheduler/pod_claims_test.cpp: what stops a pod before any node is looked at, and
// what nearly does.

#include "dra/engine/scheduler/pod_claims.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::pod_claims_test {
namespace {

using support::allocated;
using support::exactly;
using support::Scene;
using support::scene;

// "ClaimMissing(default/c) ClassMissing(default/c gpu)"
std::string to_line(const std::vector<diag::Reason>& reasons) {
  std::vector<std::string> parts;
  for (const diag::Reason& reason : reasons) {
    parts.push_back(base::format("{}({}{}{})", diag::name_of(reason.code), reason.claim,
                                 reason.request.empty() ? "" : " ", reason.request));
  }
  return base::join(parts, " ");
}

std::string to_line(const std::vector<SubjectClaim>& claims) {
  std::vector<std::string> parts;
  for (const SubjectClaim& claim : claims) {
    parts.push_back(base::format("{}:{}{}", claim.label(), name_of(claim.state),
                                 claim.hypothetical() ? "?" : ""));
  }
  return base::join(parts, " ");
}

struct Case {
  const char* name;
  Scene scene;
  const char* claims;
  const char* blockers;
};

void check(const Case& row) {
  CAPTURE(row.name);
  const auto snapshot = row.scene.build();
  const Subject subject = subject_of_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  CHECK(to_line(subject.claims) == row.claims);
  CHECK(to_line(subject.blockers) == row.blockers);
  for (const diag::Reason& reason : subject.blockers)
    CHECK_FALSE(reason.message.empty());
}

constexpr const char* kByName = "{name: gpu, resourceClaimName: c}";
constexpr const char* kByTemplate = "{name: gpu, resourceClaimTemplateName: t}";

constexpr const char* kWantsGpus =
    "containers: [{name: m, resources: {limits: {deviceclass.resource.kubernetes.io/gpu: 1}}}]";

// A claim with more metadata than its name.
std::string claim_with(std::string_view meta) {
  return "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, " +
         std::string(meta) + "}, spec: {devices: {requests: [" + exactly("gpu", 1) + "]}}}";
}
// A claim that the scheduler has made for the pod p with this uid.
std::string special(std::string_view uid) {
  return claim_with(base::format(
      "annotations: {{resource.kubernetes.io/extended-resource-claim: 'true'}}, ownerReferences: "
      "[{{apiVersion: v1, kind: Pod, name: p, uid: {}, controller: true}}]",
      uid));
}
std::string template_of(std::string_view requests) {
  return "{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t}, spec: "
         "{spec: {devices: {requests: [" +
         std::string(requests) + "]}}}}";
}
std::string event(std::string_view reason, std::string_view message, std::string_view pod = "p") {
  return base::format(
      "{{apiVersion: v1, kind: Event, metadata: {{name: '{0}.{2}'}}, reason: {1}, message: '{2}', "
      "involvedObject: {{kind: Pod, namespace: default, name: {0}}}, lastTimestamp: "
      "'2026-11-20T08:00:00Z'}}",
      pod, reason, message);
}

TEST_CASE("claims by name") {
  const Case rows[] = {
      {"a claim that waits", scene().claim("c", exactly("gpu", 1)).pod("p", kByName),
       "default/c:pending", ""},
      {"a claim that has devices",
       scene().claim("c", exactly("gpu", 1), allocated("{device: d, pool: q}")).pod("p", kByName),
       "default/c:allocated", ""},
      {"a claim that is not there", scene().pod("p", kByName), "default/c:missing",
       "ClaimMissing(default/c)"},
      {"a claim of that name elsewhere is not there",
       scene()
           .yaml("{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, "
                 "namespace: "
                 "other}}")
           .pod("p", kByName),
       "default/c:missing", "ClaimMissing(default/c)"},
      {"a claim that is not visible may be there",
       scene().pod("p", kByName).cannot_read(api::Kind::Claim), "default/c:unknown", ""},
      {"a claim that is going away",
       scene().yaml(claim_with("deletionTimestamp: '2026-11-20T08:00:00Z'")).pod("p", kByName),
       "default/c:deleting", "ClaimDeleting(default/c)"},
      {"somebody else's claim may be used by name",
       scene()
           .yaml(claim_with("ownerReferences: [{kind: Pod, name: q, uid: q, controller: true}]"))
           .pod("p", kByName),
       "default/c:pending", ""},
      {"a reference of a kind that is not known", scene().pod("p", "{name: gpu, oneDay: x}"),
       "gpu:missing", "ClaimReferenceEmpty(gpu)"},
      {"all causes are found, not the first",
       scene().pod("p", "{name: a1, resourceClaimName: x1}, {name: b1, resourceClaimName: x2}"),
       "default/x1:missing default/x2:missing",
       "ClaimMissing(default/x1) ClaimMissing(default/x2)"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("claims from templates") {
  const char* made = "resourceClaimStatuses: [{name: gpu, resourceClaimName: c}]";
  const std::string owned = "ownerReferences: [{kind: Pod, name: p, uid: p, controller: true}]";
  const Case rows[] = {
      {"made for this pod", scene().yaml(claim_with(owned)).pod("p", kByTemplate, "", made),
       "default/c:pending", ""},
      {"not made yet", scene().yaml(template_of(exactly("gpu", 1))).pod("p", kByTemplate),
       "gpu:notCreated?", "ClaimNotCreated(gpu)"},
      {"not made, for the template is not there", scene().pod("p", kByTemplate), "gpu:notCreated",
       "ClaimNotCreated(gpu) TemplateMissing(gpu)"},
      {"a template that is not visible may be there",
       scene().pod("p", kByTemplate).cannot_read(api::Kind::Template), "gpu:notCreated",
       "ClaimNotCreated(gpu)"},
      {"an entry of another claim's does not count",
       scene()
           .yaml(template_of(exactly("gpu", 1)))
           .pod("p", kByTemplate, "",
                "resourceClaimStatuses: [{name: other, resourceClaimName: c}]"),
       "gpu:notCreated?", "ClaimNotCreated(gpu)"},
      {"an entry without a name: no claim is needed",
       scene().pod("p", kByTemplate, "", "resourceClaimStatuses: [{name: gpu}]"), "", ""},
      {"made, and gone since", scene().pod("p", kByTemplate, "", made), "default/c:missing",
       "ClaimMissing(default/c)"},
      {"made for a pod of that name that is no more",
       scene()
           .yaml(
               claim_with("ownerReferences: [{kind: Pod, name: p, uid: older, controller: true}]"))
           .pod("p", kByTemplate, "", made),
       "default/c:pending", "ClaimNotOwned(default/c)"},
      {"an owner that does not control is not enough",
       scene()
           .yaml(claim_with("ownerReferences: [{kind: Pod, name: p, uid: p}]"))
           .pod("p", kByTemplate, "", made),
       "default/c:pending", "ClaimNotOwned(default/c)"},
      {"nobody owns it", scene().yaml(claim_with("labels: {}")).pod("p", kByTemplate, "", made),
       "default/c:pending", "ClaimNotOwned(default/c)"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("what the claim controller says") {
  const std::string there = template_of(exactly("gpu", 1));
  const char* reason = "FailedResourceClaimCreation";
  const Case rows[] = {
      {"it failed",
       scene().yaml(there).yaml(event(reason, "PodResourceClaim gpu: quota")).pod("p", kByTemplate),
       "gpu:notCreated?", "ClaimNotCreated(gpu) ClaimCreationFailed(gpu)"},
      {"it failed for another claim of the pod",
       scene()
           .yaml(there)
           .yaml(event(reason, "PodResourceClaim gpu-2: quota"))
           .pod("p", kByTemplate),
       "gpu:notCreated?", "ClaimNotCreated(gpu)"},
      {"it failed for another pod",
       scene()
           .yaml(there)
           .yaml(event(reason, "PodResourceClaim gpu: quota", "q"))
           .pod("p", kByTemplate),
       "gpu:notCreated?", "ClaimNotCreated(gpu)"},
      {"it failed for a pod of that name before",
       scene()
           .yaml(there)
           .yaml(event(reason, "PodResourceClaim gpu: quota", "p, uid: before"))
           .pod("p", kByTemplate),
       "gpu:notCreated?", "ClaimNotCreated(gpu)"},
      {"it said something else",
       scene()
           .yaml(there)
           .yaml(event("Created", "PodResourceClaim gpu: fine"))
           .pod("p", kByTemplate),
       "gpu:notCreated?", "ClaimNotCreated(gpu)"},
      {"it failed once, and succeeded since",
       scene()
           .yaml(claim_with("ownerReferences: [{kind: Pod, name: p, uid: p, controller: true}]"))
           .yaml(event(reason, "PodResourceClaim gpu: quota"))
           .pod("p", kByTemplate, "", "resourceClaimStatuses: [{name: gpu, resourceClaimName: c}]"),
       "default/c:pending", ""},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("the words of the controller are hearsay") {
  const auto snapshot =
      scene()
          .yaml(event("FailedResourceClaimCreation", "PodResourceClaim gpu: quota exceeded"))
          .pod("p", kByTemplate)
          .build();
  const Subject subject = subject_of_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  const diag::Reason& failed = subject.blockers.back();
  CHECK(failed.code == diag::Code::ClaimCreationFailed);
  CHECK(failed.certainty == diag::Certainty::Heuristic);
  CHECK(failed.message == "claim gpu could not be created: quota exceeded");
}

TEST_CASE("classes") {
  const Case rows[] = {
      {"a class that is not there", scene().claim("c", exactly("gpus", 1)).pod("p", kByName),
       "default/c:pending", "ClassMissing(default/c gpus)"},
      {"an alternative's class that is not there",
       scene()
           .claim("c",
                  "{name: r, firstAvailable: [{name: a1, deviceClassName: gpu}, {name: b1, "
                  "deviceClassName: gpus}]}")
           .pod("p", kByName),
       "default/c:pending", "ClassMissing(default/c r/b1)"},
      {"a class is of no matter to a claim that has devices",
       scene().claim("c", exactly("gpus", 1), allocated("{device: d, pool: q}")).pod("p", kByName),
       "default/c:allocated", ""},
      {"a class that is not visible may be there",
       scene().claim("c", exactly("gpus", 1)).pod("p", kByName).cannot_read(api::Kind::Class),
       "default/c:pending", ""},
      {"a template's class counts before the claim is made",
       scene().yaml(template_of(exactly("gpus", 1))).pod("p", kByTemplate), "gpu:notCreated?",
       "ClaimNotCreated(gpu) ClassMissing(gpu gpus)"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("a class that is nearly there is offered") {
  const auto snapshot = scene().claim("c", exactly("gpus", 1)).pod("p", kByName).build();
  const Subject subject = subject_of_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  REQUIRE(subject.blockers.size() == 1);
  CHECK(subject.blockers.front().message.find("did you mean gpu?") != std::string::npos);
}

TEST_CASE("the pod itself") {
  const char* waits =
      "conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: '0/1 "
      "nodes "
      "are available: resource claim default/c is in the process of being allocated.'}]";
  const char* waited =
      "conditions: [{type: PodScheduled, status: 'True', message: 'resource claim default/c is in "
      "the "
      "process of being allocated.'}]";
  const Scene with_claim = scene().claim("c", exactly("gpu", 1));
  const Case rows[] = {
      {"gates", Scene(with_claim).pod("p", kByName, "schedulingGates: [{name: g1}, {name: g2}]"),
       "default/c:pending", "SchedulingGated()"},
      {"being deleted, which nobody schedules any more",
       Scene(with_claim)
           .yaml("{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default, "
                 "deletionTimestamp: '2026-11-18T16:46:40Z', finalizers: [f/x]}, spec: "
                 "{resourceClaims: [{name: gpu, resourceClaimName: c}]}}"),
       "default/c:pending", "PodDeleting()"},
      {"no gates left", Scene(with_claim).pod("p", kByName, "schedulingGates: []"),
       "default/c:pending", ""},
      {"a container uses a claim that the pod does not have",
       Scene(with_claim)
           .pod("p", kByName,
                "containers: [{name: m, resources: {claims: [{name: gpu}, {name: nic}]}}]"),
       "default/c:pending", "ContainerClaimUnknown(nic)"},
      {"an init container does, too",
       Scene(with_claim)
           .pod("p", kByName, "initContainers: [{name: m, resources: {claims: [{name: nic}]}}]"),
       "default/c:pending", "ContainerClaimUnknown(nic)"},
      {"the scheduler is allocating for another pod",
       Scene(with_claim).pod("p", kByName, "", waits), "default/c:pending",
       "ClaimBeingAllocated()"},
      {"that was before it was scheduled", Scene(with_claim).pod("p", kByName, "", waited),
       "default/c:pending", ""},
      {"the claim for its extended resources",
       Scene(with_claim)
           .pod("p", "", "nodeName: n1", "extendedResourceClaimStatus: {resourceClaimName: c}"),
       "default/c:pending", ""},
      {"what the status names of an earlier attempt does not matter",
       Scene(with_claim).pod("p", "", "", "extendedResourceClaimStatus: {resourceClaimName: c}"),
       "", ""},
      {"extended resources that a class serves stand last",
       Scene(with_claim).pod("p", kByName, kWantsGpus),
       "default/c:pending <extended-resources>:notCreated?", ""},
      {"a claim of an earlier attempt is left over",
       scene().yaml(special("p")).pod("p", "", kWantsGpus), "default/c:pending",
       "ExtendedClaimLeftOver(default/c)"},
      {"one of another pod of that name", scene().yaml(special("other")).pod("p", "", kWantsGpus),
       "<extended-resources>:notCreated?", ""},
      {"no claims", scene().pod("p", ""), "", ""},
  };
  for (const Case& row : rows)
    check(row);
}

// A claim that was made for the group g, or for something else of that name.
std::string of_group(
    std::string_view owner = "apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup") {
  return claim_with(base::format(
      "annotations: {{resource.kubernetes.io/pod-claim-name: gpu}}, ownerReferences: [{{{}, name: "
      "g, uid: x, controller: true}}]",
      owner));
}
constexpr const char* kInGroup = "schedulingGroup: {podGroupName: g}";
constexpr const char* kNamed = "resourceClaimStatuses: [{name: gpu, resourceClaimName: c}]";

std::string pod_group(std::string_view name, std::string_view policy) {
  return base::format(
      "{{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {{name: {}, namespace: "
      "default}}, spec: {{schedulingPolicy: {{{}}}}}}}",
      name, policy);
}

TEST_CASE("a pod waits for its group, and for the other pods of its gang") {
  const auto blockers = [](const Scene& words) {
    const auto snapshot = words.build();
    const Subject subject = subject_of_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
    std::vector<std::string> all;
    for (const diag::Reason& reason : subject.blockers)
      all.push_back(base::format("{}: {}", diag::name_of(reason.code), reason.message));
    return base::join(all, "; ");
  };
  CHECK(blockers(scene().pod("p", "", kInGroup)) ==
        "PodGroupMissing: pod group g does not exist in namespace default");
  CHECK(blockers(scene().pod("p", "", "nodeName: n1, schedulingGroup: {podGroupName: g}")) == "");
  const Scene gang = scene().yaml(pod_group("g", "gang: {minCount: 2}")).pod("p", "", kInGroup);
  CHECK(blockers(gang) == "GangIncomplete: gang g has 1 of the 2 pods that it needs");
  CHECK(blockers(Scene(gang).pod("q", "", kInGroup)) == "");
}

TEST_CASE("claims of the pod's group") {
  const auto with = [](std::string_view claim) {
    return scene()
        .yaml(claim)
        .yaml(template_of(exactly("gpu", 1)))
        .yaml(pod_group("g", "basic: {}"))
        .yaml(pod_group("h", "basic: {}"))
        .gate("DRAWorkloadResourceClaims");
  };
  const Case rows[] = {
      {"the group's claim may be used", with(of_group()).pod("p", kByTemplate, kInGroup, kNamed),
       "default/c:pending", ""},
      {"whichever version the group's API has",
       with(of_group("apiVersion: scheduling.k8s.io/v1, kind: PodGroup"))
           .pod("p", kByTemplate, kInGroup, kNamed),
       "default/c:pending", ""},
      {"not without the feature",
       with(of_group())
           .gate("DRAWorkloadResourceClaims", false)
           .pod("p", kByTemplate, kInGroup, kNamed),
       "default/c:pending", "ClaimNotOwned(default/c)"},
      {"nor by pods of another group",
       with(of_group()).pod("p", kByTemplate, "schedulingGroup: {podGroupName: h}", kNamed),
       "default/c:pending", "ClaimNotOwned(default/c)"},
      {"nor by pods without one", with(of_group()).pod("p", kByTemplate, "", kNamed),
       "default/c:pending", "ClaimNotOwned(default/c)"},
      {"a group of another kind is none",
       with(of_group("apiVersion: example.com/v1, kind: PodGroup"))
           .pod("p", kByTemplate, kInGroup, kNamed),
       "default/c:pending", "ClaimNotOwned(default/c)"},
      {"it is there, and the pod's status does not name it yet",
       with(of_group()).pod("p", kByTemplate, kInGroup), "default/c:notCreated",
       "ClaimNotCreated(default/c)"},
      {"it is not there", with("").pod("p", kByTemplate, kInGroup), "gpu:notCreated?",
       "ClaimNotCreated(gpu)"},
      {"and the controller says why of the group",
       with("{apiVersion: v1, kind: Event, metadata: {name: e}, reason: "
            "FailedResourceClaimCreation, message: 'PodGroupResourceClaim gpu: no', "
            "involvedObject: {kind: PodGroup, namespace: default, name: g}}")
           .pod("p", kByTemplate, kInGroup),
       "gpu:notCreated?", "ClaimNotCreated(gpu) ClaimCreationFailed(gpu)"},
  };
  for (const Case& row : rows)
    check(row);
}

TEST_CASE("claims that were named stand in that order") {
  const auto snapshot =
      scene().claim("a1", exactly("gpu", 1)).claim("b1", exactly("gpus", 1)).build();
  const Subject subject = subject_of_claims(snapshot, "default", {"b1", "gone", "a1"});
  CHECK(subject.pod == nullptr);
  CHECK(to_line(subject.claims) == "default/b1:pending default/gone:missing default/a1:pending");
  CHECK(to_line(subject.blockers) == "ClaimMissing(default/gone) ClassMissing(default/b1 gpus)");
}

}  // namespace
}  // namespace dra::engine::pod_claims_test

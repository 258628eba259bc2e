// tests/answers/explain/blocker_remedy_test.cpp: what to do about what stops a subject, by name.

#include "dra/answers/explain/blocker_remedy.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/support/builders.h"
#include "tests/support/pod_claims.h"

namespace dra::answers::blocker_remedy_test {
namespace {

using support::exactly;
using support::kByName;
using support::kByTemplate;
using support::Scene;
using support::scene;

Scene with_template(std::string_view device_class) {
  return scene().yaml(
      "{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t, "
      "namespace: default}, spec: {spec: {devices: {requests: [" +
      exactly(device_class, 1) + "]}}}}");
}

Scene going(std::string_view reserved_for) {
  return scene().yaml(
      "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, namespace: "
      "default, uid: c, deletionTimestamp: '2026-11-20T09:00:00Z', finalizers: [a/b]}, spec: "
      "{devices: {requests: [" +
      exactly("gpu", 1) + "]}}, status: {reservedFor: [" + std::string(reserved_for) + "]}}");
}

// A claim that was made for the pod's group.
Scene of_group() {
  return with_template("gpu")
      .yaml(
          "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, namespace: "
          "default, uid: c, annotations: {resource.kubernetes.io/pod-claim-name: gpu}, "
          "ownerReferences: [{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, name: g, uid: "
          "x, controller: true}]}, spec: {devices: {requests: [" +
          exactly("gpu", 1) + "]}}}")
      .yaml(
          "{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: g, namespace: "
          "default}, spec: {schedulingPolicy: {basic: {}}}}")
      .pod("p", kByTemplate, "schedulingGroup: {podGroupName: g}",
           "resourceClaimStatuses: [{name: gpu, resourceClaimName: c}]");
}

struct Row {
  const char* name;
  Scene scene;
  diag::Code code;
  const char* remedy;
};

TEST_CASE("what blocks a pod is mended by name, and no pod or claim is edited") {
  using diag::Code;
  const Row rows[] = {
      {"a claim that is not there", scene().pod("p", kByName), Code::ClaimMissing,
       "Create claim c in namespace default, or delete the pod and re-create it with the right "
       "name. This lists the claims there are."},
      {"a template that is not there", scene().pod("p", kByTemplate), Code::TemplateMissing,
       "Create template t in namespace default, or delete the pod and re-create it with the right "
       "name. This lists the templates there are."},
      {"a class that is meant otherwise", scene().claim("c", exactly("gpus", 1)).pod("p", kByName),
       Code::ClassMissing,
       "Use gpu: delete claim c and re-create it. Or create class gpus, if that is what you want."},
      {"a class that nothing is like", scene().claim("c", exactly("tpus", 1)).pod("p", kByName),
       Code::ClassMissing,
       "Create class tpus, usually by installing its driver, or use a class that exists: delete "
       "claim c and re-create it. This lists the classes there are."},
      {"a claim of the pod's group, where nothing says that the feature is off", of_group(),
       Code::ClaimNotOwned,
       "That a claim was made for the group suggests that the cluster has the feature on: say so "
       "with --feature-gates DRAWorkloadResourceClaims=true."},
      {"the same where it is off", of_group().gate("DRAWorkloadResourceClaims", false),
       Code::ClaimNotOwned,
       "Switch the feature DRAWorkloadResourceClaims on in the control plane and the kubelets, or "
       "name a claim of the pod's own in its spec.resourceClaims."},
      {"a class of a template", with_template("gpus").pod("p", kByTemplate), Code::ClassMissing,
       "Use gpu in template t. Or create class gpus, if that is what you want."},
      {"a claim that is being deleted, and has a user",
       going("{resource: pods, name: user, uid: user}")
           .pod("p", kByName)
           .yaml("{apiVersion: v1, kind: Pod, metadata: {name: user, namespace: default, uid: "
                 "user}, spec: {nodeName: n1}, status: {phase: Running}}"),
       Code::ClaimDeleting,
       "Claim c is kept by pod user: wait until pod user is done, or delete pod user. Then create "
       "the claim again: no template makes it."},
      {"a claim that is being deleted, and whose user is gone",
       going("{resource: pods, name: user, uid: user}").pod("p", kByName), Code::ClaimDeleting,
       "It takes kube-controller-manager seconds to take back reservations of pods that are gone, "
       "and the claim goes away. If the claim stays, it does not run; its lease shows when it was "
       "last renewed."},
      {"a claim that is being deleted, and whose users cannot be read",
       going("{resource: pods, name: user, uid: user}")
           .pod("p", kByName)
           .cannot_read(api::Kind::Pod),
       Code::ClaimDeleting,
       "Claim c is kept by pod user: wait until pod user is done, or delete pod user. Then create "
       "the claim again: no template makes it."},
      {"a claim that is being deleted, and has none", going("").pod("p", kByName),
       Code::ClaimDeleting,
       "Wait until claim c is gone; if it stays, see what removes its finalizer a/b. Then create "
       "the claim again: no template makes it."},
      {"a pod group that is not there", scene().pod("p", "", "schedulingGroup: {podGroupName: g}"),
       Code::PodGroupMissing,
       "Create PodGroup g in namespace default, with spec.schedulingPolicy basic or gang: what "
       "made the pods usually does. This lists those that there are."},
      {"a gang with too few pods",
       scene()
           .yaml("{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: g, "
                 "namespace: default}, spec: {schedulingPolicy: {gang: {minCount: 2}}}}")
           .pod("p", "", "schedulingGroup: {podGroupName: g}"),
       Code::GangIncomplete,
       "Find out why the other pods of PodGroup g are not made; or lower its minCount, if fewer "
       "pods can do the work."},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto snapshot = row.scene.build();
    const auto* pod = snapshot.find<api::Pod>("default", "p");
    REQUIRE(pod != nullptr);
    const Explanation explanation = explain_pod(snapshot, *pod);
    const auto& blockers = explanation.blockers;
    const auto reason = std::ranges::find(blockers, row.code, &diag::Reason::code);
    REQUIRE(reason != blockers.end());
    CHECK(remedy_of_blocker(*reason, explanation).text == std::string(row.remedy));
  }
}

TEST_CASE("of claims that were named the names are to be checked") {
  const auto snapshot = scene().claim("c", exactly("gpu", 1)).build();
  const Explanation explanation = explain_claims(snapshot, "default", {"c", "d"});
  REQUIRE(explanation.blockers.size() == 1);
  const diag::Remedy remedy = remedy_of_blocker(explanation.blockers.front(), explanation);
  CHECK(remedy.text == "Check the names that you gave; this lists the claims there are.");
  CHECK(remedy.command == "kubectl get resourceclaims -n default");
}

}  // namespace
}  // namespace dra::answers::blocker_remedy_test

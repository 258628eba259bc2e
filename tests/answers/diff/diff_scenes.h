// tests/answers/diff/diff_scenes.h
//
// Two states of a cluster for tests of diffs: a pod that waits for a device, has it, or fails with
// it.

#pragma once

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::support {

inline std::string held(const std::string& device, const std::string& more = "") {
  const std::string where = on_node("n1") + ", allocationTimestamp: \"2026-11-20T08:00:00Z\"";
  return allocated("{device: " + device + ", pool: n1}", where) + more;
}

inline Scene one_device() { return scene().node("n1").node("n2").slice("n1", {"a"}); }

inline constexpr const char* kWants = "{name: c, resourceClaimName: c}";

inline Scene waiting() {
  Scene words = one_device();
  return words.claim("c", exactly("gpu", 1)).pod("p", kWants);
}

inline Scene running() {
  Scene words = one_device();
  const std::string reserved = ", reservedFor: [{resource: pods, name: p, uid: p}]";
  return words.claim("c", exactly("gpu", 1), held("a", reserved))
      .pod("p", kWants, "nodeName: n1", "phase: Running");
}

// A pod that has its device and waits for the kubelet.
inline Scene placed(const std::string& name = "p", const std::string& node = "n1") {
  Scene words = scene().node("n1").node("n2").slice("n1", {"a"}).slice("n2", {"a"});
  const std::string reserved =
      ", reservedFor: [{resource: pods, name: " + name + ", uid: " + name + "}]";
  return words
      .claim("c", exactly("gpu", 1),
             allocated("{device: a, pool: " + node + "}", on_node(node)) + reserved)
      .pod(name, kWants, "nodeName: " + node, "phase: Pending");
}

// The kubelet says that the pod's devices cannot be prepared.
inline Scene& fails(Scene& words, const std::string& pod, const std::string& event = "e") {
  return words.yaml(
      "{apiVersion: v1, kind: Event, metadata: {name: " + event +
      ", namespace: default}, involvedObject: {kind: Pod, namespace: default, name: " + pod +
      ", uid: " + pod +
      "}, type: Warning, reason: FailedPrepareDynamicResources, lastTimestamp: "
      "\"2026-11-20T09:00:00Z\", message: \"Failed to prepare dynamic resources: prepare "
      "dynamic resources: DRA driver gpu.example.com is not registered\"}");
}

// As many pods as nodes, each with its device there, which need not be published any more.
inline Scene fleet(int nodes, const std::string& phase = "Pending", bool published = true) {
  Scene words = scene();
  for (int i = 0; i < nodes; ++i) {
    const std::string node = base::format("n{}", i);
    const std::string pod = base::format("p{}", i);
    const std::string reserved =
        base::format(", reservedFor: [{{resource: pods, name: {}, uid: {}}}]", pod, pod);
    if (published) words.slice(node, {"a"});
    words.node(node)
        .claim(pod, exactly("gpu", 1),
               allocated("{device: a, pool: " + node + "}",
                         on_node(node) + ", allocationTimestamp: \"2026-11-20T08:00:00Z\"") +
                   reserved)
        .pod(pod, "{name: c, resourceClaimName: " + pod + "}", "nodeName: " + node,
             "phase: " + phase);
  }
  return words;
}

// The pod is being deleted.
inline Scene deleted_pod(const char* more) {
  Scene words = one_device();
  return words
      .claim("c", exactly("gpu", 1),
             held("a", ", reservedFor: [{resource: pods, name: p, uid: p}]"))
      .yaml(
          "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default, uid: p, "
          "deletionTimestamp: \"2026-11-20T09:00:00Z\"}, spec: {nodeName: n1, resourceClaims: "
          "[{name: c, resourceClaimName: c}]}, status: {phase: Running}}")
      .yaml(more);
}

// Three pods of one Job with one claim, before and after it is allocated.
inline void add_job_pods(Scene& before, Scene& after) {
  const auto pod = [](const std::string& name, const std::string& more) {
    return "{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", uid: " + name +
           ", namespace: default, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, "
           "uid: j, controller: true}]}, spec: {resourceClaims: [" +
           kWants + "]" + more;
  };
  const std::string reserved =
      ", reservedFor: [{resource: pods, name: p, uid: p}, {resource: pods, name: q, uid: q}, "
      "{resource: pods, name: r, uid: r}]";
  before.claim("c", exactly("gpu", 1));
  after.claim("c", exactly("gpu", 1), held("a", reserved));
  for (const char* name : {"p", "q", "r"}) {
    before.yaml(pod(name, "}, status: {phase: Pending}}"));
    after.yaml(pod(name, ", nodeName: n1}, status: {phase: Pending}}"));
  }
}

}  // namespace dra::support

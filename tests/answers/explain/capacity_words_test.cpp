// tests/answers/explain/capacity_words_test.cpp: who says something about more nodes.

#include "dra/answers/explain/capacity_words.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "dra/api/pod.h"
#include "tests/support/builders.h"

namespace dra::answers::capacity_words_test {
namespace {

using support::Scene;
using support::scene;

std::string event(const std::string& name, const std::string& who, const std::string& reason,
                  const std::string& time, const std::string& about = "p") {
  return "{apiVersion: v1, kind: Event, metadata: {name: " + name +
         ", namespace: default}, involvedObject: {kind: Pod, namespace: default, name: " + about +
         "}, reason: " + reason + ", message: " + name + ", source: {component: " + who +
         "}, lastTimestamp: '" + time + "'}";
}

TEST_CASE("the newest word of each that makes nodes or lets pods wait") {
  Scene words = scene().pod("p", "");
  words.yaml(event("old", "cluster-autoscaler", "NotTriggerScaleUp", "2026-11-20T08:00:00Z"));
  words.yaml(event("new", "cluster-autoscaler", "NotTriggerScaleUp", "2026-11-20T09:00:00Z"));
  words.yaml(event("other", "cluster-autoscaler", "ScaleDown", "2026-11-20T10:00:00Z"));
  words.yaml(event("queued", "kueue-admission", "Pending", "2026-11-20T08:30:00Z"));
  words.yaml(event("else", "karpenter", "Nominated", "2026-11-20T08:30:00Z", "q"));
  words.yaml(event("scheduler", "default-scheduler", "FailedScheduling", "2026-11-20T11:00:00Z"));
  const auto snapshot = words.build();
  std::string text;
  for (const CapacityWord& word :
       capacity_words(snapshot, *snapshot.find<api::Pod>("default", "p")))
    text += word.who + ": " + word.message + "; ";
  CHECK(text == "cluster-autoscaler: new; kueue: queued; ");
}

// As YAML writes it between single quotes.
std::string in_quotes(std::string_view text) {
  std::string quoted;
  for (const char c : text)
    quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted;
}

struct Case {
  const char* name;
  const char* who;
  const char* reason;
  const char* message;
  const char* node;
  const char* remedy;  // a part of it
};

TEST_CASE("what the messages of those mean who add nodes") {
  for (const Case& one : {
           Case{"an older autoscaler, which does not count", "cluster-autoscaler",
                "NotTriggerScaleUp",
                "pod didn't trigger scale-up (it wouldn't fit if a new node is added)", "unknown",
                ""},
           Case{"no group was looked at", "cluster-autoscaler", "NotTriggerScaleUp",
                "pod didn't trigger scale-up: ", "unknown", ""},
           Case{"groups whose nodes do not serve the claims", "cluster-autoscaler",
                "NotTriggerScaleUp", "pod didn't trigger scale-up: 2 cannot allocate all claims",
                "wouldNotFit", "keep one"},
           Case{"the limit of the cluster", "cluster-autoscaler", "NotTriggerScaleUp",
                "pod didn't trigger scale-up: max total nodes in cluster reached", "atLimit",
                "--max-nodes-total"},
           Case{"the limit of a resource", "cluster-autoscaler", "NotTriggerScaleUp",
                "pod didn't trigger scale-up: 1 max cluster cpu, memory limit reached", "atLimit",
                "--cores-total"},
           Case{"nodes that are not ready", "cluster-autoscaler", "NotTriggerScaleUp",
                "pod didn't trigger scale-up: 1 not ready for scale-up", "failed", "not ready"},
           Case{"Karpenter, by the name of an older release", "karpenter", "FailedScheduling",
                "Failed to schedule pod, all available instance types exceed limits for nodepool "
                "\"gpu\"",
                "atLimit", "spec.limits"},
           Case{"Karpenter, nodes of the pool", "karpenter", "FailedScheduling",
                "Failed to schedule pod, node limits have been exhausted for nodepool "
                "(NodePool=gpu)",
                "atLimit", "spec.limits.nodes"},
           Case{"Karpenter, a label", "karpenter", "FailedScheduling",
                "Failed to schedule pod, incompatible requirements, label a does not have known "
                "values",
                "wouldNotFit", "No NodePool"},
           Case{"words that it does not write so", "karpenter", "FailedScheduling",
                "something about limits", "unknown", ""},
       }) {
    CAPTURE(std::string(one.name));
    Scene words = scene().pod("p", "");
    words.yaml(std::string("{apiVersion: v1, kind: Event, metadata: {name: e, namespace: default}, "
                           "involvedObject: {kind: Pod, namespace: default, name: p}, reason: ") +
               one.reason + ", message: '" + in_quotes(one.message) +
               "', source: {component: " + one.who + "}, lastTimestamp: '2026-11-20T08:00:00Z'}");
    const auto snapshot = words.build();
    const auto said = capacity_words(snapshot, *snapshot.find<api::Pod>("default", "p"));
    REQUIRE(said.size() == 1);
    CHECK(name_of(said.front().node) == one.node);
    CHECK(said.front().remedy.text.find(one.remedy) != std::string::npos);
  }
}

TEST_CASE("the NodePool whose limit is reached is named") {
  Scene words = scene().pod("p", "");
  words.yaml(
      "{apiVersion: v1, kind: Event, metadata: {name: e, namespace: default}, involvedObject: "
      "{kind: Pod, namespace: default, name: p}, reason: FailedScheduling, message: 'Failed to "
      "schedule pod, incompatible requirements, x (NodePool=cpu); all available instance types "
      "exceed limits for nodepool (NodePool=gpu)', source: {component: karpenter}}");
  const auto snapshot = words.build();
  const auto said = capacity_words(snapshot, *snapshot.find<api::Pod>("default", "p"));
  REQUIRE(said.size() == 1);
  CHECK(said.front().remedy.command == "kubectl describe nodepool gpu");
}

}  // namespace
}  // namespace dra::answers::capacity_words_test

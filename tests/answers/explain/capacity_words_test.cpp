// tests/answers/explain/capacity_words_test.cpp: who says something about more nodes.

#include "dra/answers/explain/capacity_words.h"

#include <doctest/doctest.h>

#include <string>

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

}  // namespace
}  // namespace dra::answers::capacity_words_test

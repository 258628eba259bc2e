// tests/report/explain/explanation_help_test.cpp: who says something about more nodes, and for whom
// help is looked for.

#include "src/report/explain/explanation_help.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/builders.h"

namespace dra::report {
namespace {

using support::exactly;
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

TEST_CASE("help is looked for where it is proven that nothing fits, and all nodes were looked at") {
  const auto snapshot = scene()
                            .node("n1")
                            .node("n2")
                            .slice("n1", {"a"})
                            .claim("c", exactly("gpu", 2))
                            .claim("fits", exactly("gpu", 1))
                            .build();
  const auto help = explain_claims(snapshot, "default", {"c"}).help;
  REQUIRE(help);
  CHECK(help->advice.advice.size() == 1);
  CHECK(help->conflicts.conflicts.size() == 1);
  CHECK_FALSE(explain_claims(snapshot, "default", {"fits"}).help);
  CHECK_FALSE(explain_claims(snapshot, "default", {"c"}, {.nodes = {"n1"}}).help);
}

}  // namespace
}  // namespace dra::report

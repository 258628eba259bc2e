// tests/report/explain/pending_test.cpp: pods that wait, by cause, as the explanation of each has
// it.

#include "dra/report/explain/pending.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/engine/cluster/pods.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report::pending_test {
namespace {

using answers::pending_pods;
using answers::PendingPods;

TEST_CASE("counts add up, and each pod stands where its own explanation puts it") {
  std::vector<std::string> scenes = support::fixtures();
  scenes.emplace_back("tests/golden/scenes/workloads.yaml");
  for (const std::string& path : scenes) {
    CAPTURE(path);
    const snapshot::Snapshot snapshot = support::load(path);
    const engine::Inventory inventory(snapshot);
    const engine::NodeLoads loads(snapshot);
    const PendingPods pending = pending_pods(snapshot, {});
    CHECK(pending.pods == engine::waiting_pods(snapshot).size());
    std::size_t counted = pending.by_cause.not_looked_at.size();
    for (const answers::PodsOfCause& alike : pending.by_cause.causes) {
      counted += alike.pods.size();
      for (const api::Pod* pod : alike.pods) {
        CAPTURE(pod->meta.name);
        const answers::Explanation own = answers::explain_pod(snapshot, inventory, loads, *pod);
        CHECK(own.verdict == alike.cause.verdict);
        CHECK(own.cause == alike.text);
      }
    }
    CHECK(counted == pending.pods);
  }
}

TEST_CASE("only of one namespace") {
  const auto snapshot = support::load("tests/golden/scenes/workloads.yaml");
  CHECK(pending_pods(snapshot, "ml").pods == 3);
  const PendingPods none = pending_pods(snapshot, "default");
  CHECK(none.pods == 0);
  CHECK(support::text_of(to_view(none, {.program = "kubectl dra"})) ==
        "No pod waits for devices in namespace default; 3 do in others: -A.\n");
}

}  // namespace
}  // namespace dra::report::pending_test

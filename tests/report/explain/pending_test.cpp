// tests/report/explain/pending_test.cpp: pods that wait, by cause, as each alone would be told.

#include "dra/report/explain/pending.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/engine/cluster/pods.h"
#include "tests/support/builders.h"
#include "tests/support/document_text.h"

namespace dra::report {
namespace {

TEST_CASE("counts add up, and each pod stands where its own explanation puts it") {
  std::vector<std::string> scenes = support::fixtures();
  scenes.emplace_back("tests/golden/scenes/workloads.yaml");
  for (const std::string& path : scenes) {
    CAPTURE(path);
    const snapshot::Snapshot snapshot = support::load(path);
    const engine::Inventory inventory(snapshot);
    const engine::NodeLoads loads(snapshot);
    const Pending pending = pending_pods(snapshot, {});
    CHECK(pending.pods == engine::waiting_pods(snapshot).size());
    std::size_t told = pending.alike.not_looked_at.size();
    for (const answers::PodsOfCause& alike : pending.alike.causes) {
      told += alike.pods.size();
      for (const api::Pod* pod : alike.pods) {
        CAPTURE(pod->meta.name);
        const Explanation own = answers::explain_pod(snapshot, inventory, loads, *pod);
        CHECK(own.verdict == alike.cause.verdict);
        CHECK(own.cause == alike.text);
      }
    }
    CHECK(told == pending.pods);
  }
}

TEST_CASE("only of one namespace") {
  const auto snapshot = support::load("tests/golden/scenes/workloads.yaml");
  CHECK(pending_pods(snapshot, "ml").pods == 3);
  const Pending none = pending_pods(snapshot, "default");
  CHECK(none.pods == 0);
  CHECK(support::text_of(to_view(none, {.program = "kubectl dra"})) ==
        "No pod waits for devices in namespace default; 3 do in others: -A.\n");
}

}  // namespace
}  // namespace dra::report

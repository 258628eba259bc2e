// tests/answers/explain/scheduler_word_test.cpp: whether the scheduler's message says the same.

#include "src/answers/explain/scheduler_word.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/answers/explain/refusal.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::answers::scheduler_word_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

// Pod p wants `count` devices, on two nodes with one each.
snapshot::Snapshot waiting(int count, std::string_view spec, std::string_view message) {
  Scene words = scene()
                    .node("east", "side: east")
                    .node("west", "side: west")
                    .slice("east", {"gpu-0"})
                    .slice("west", {"gpu-0"})
                    .claim("c", exactly("gpu", count));
  words.pod("p", "{name: a, resourceClaimName: c}", spec,
            base::format("phase: Pending, conditions: [{{type: PodScheduled, status: 'False', "
                         "reason: Unschedulable, message: \"{}\"}}]",
                         message));
  return words.build();
}

Explanation explain(const snapshot::Snapshot& snapshot) {
  return explain_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
}

struct Case {
  const char* name;
  int count;
  const char* spec;
  const char* message;
  const char* want;  // "agrees", "differs", or "" where the two cannot be compared
};

constexpr const char* kBothByClaims = "0/2 nodes are available: 2 cannot allocate all claims.";
constexpr const char* kBothByFilter =
    "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. preemption: "
    "0/2 nodes are available: 2 Preemption is not helpful for scheduling.";
constexpr const char* kOneOfEach =
    "0/2 nodes are available: 1 cannot allocate all claims, 1 node(s) didn't match Pod's node "
    "affinity/selector.";

TEST_CASE("the message has to name the same causes") {
  const Case rows[] = {
      {"claims, as found", 2, "", kBothByClaims, "agrees"},
      {"claims, and it is the node selector", 1, "nodeSelector: {side: north}", kBothByClaims,
       "differs"},
      {"the node selector, and it is claims", 2, "", kBothByFilter, "differs"},
      {"the node selector, as found", 1, "nodeSelector: {side: north}", kBothByFilter, "agrees"},
      {"one of each, as found", 2, "nodeSelector: {side: east}", kOneOfEach, "agrees"},
      {"one of each, and it is claims alone", 2, "", kOneOfEach, ""},
      {"other nodes", 2, "", "0/3 nodes are available: 3 cannot allocate all claims.", ""},
      {"nothing of nodes", 2, "", "no", "agrees"},
  };
  for (const Case& row : rows) {
    CAPTURE(row.name);
    const auto snapshot = waiting(row.count, row.spec, row.message);
    const Explanation explanation = explain(snapshot);
    REQUIRE(explanation.scheduler.has_value());
    const auto& agrees = explanation.scheduler->agrees;
    CHECK((agrees ? (*agrees ? "agrees" : "differs") : "") == std::string(row.want));
  }
}

TEST_CASE("of a pod that fits, what was said before is not passed over") {
  const auto snapshot = waiting(1, "", kBothByClaims);
  const Explanation fits = explain(snapshot);
  CHECK_FALSE(refusal_of(fits).has_value());
  CHECK(waits_for_scheduler(fits) ==
        "the scheduler has not placed it: 0/2 nodes are available: 2 cannot allocate all claims");
}

TEST_CASE("a filter that is not simulated refuses a pod, however long ago") {
  const auto snapshot =
      waiting(1, "", "0/2 nodes are available: 2 node(s) had volume node affinity conflict.");
  const auto refusal = refusal_of(explain(snapshot));
  REQUIRE(refusal.has_value());
  CHECK(refusal->code == diag::Code::SchedulerRefuses);
  CHECK(refusal->cause ==
        "default-scheduler has not placed it: 0/2 nodes are available: 2 node(s) had volume node "
        "affinity conflict.");
  // These may be out of date: the pods that took the cpu may be gone.
  const auto older = waiting(1, "", "0/2 nodes are available: 2 Insufficient cpu.");
  CHECK_FALSE(refusal_of(explain(older)).has_value());
}

}  // namespace
}  // namespace dra::answers::scheduler_word_test

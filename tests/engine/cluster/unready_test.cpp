// tests/engine/cluster/unready_test.cpp: why a pod is not ready, whatever reports it.

#include "dra/engine/cluster/unready.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::unready_test {
namespace {

struct Row {
  const char* name;
  const char* status;
  const char* want;
};

constexpr Row kUnready[] = {
    {"nothing is said", "phase: Running", "Running"},
    {"how a crash ended",
     "phase: Running, containerStatuses: [{name: c, restartCount: 3, state: {waiting: {reason: "
     "CrashLoopBackOff, message: 'back-off 40s restarting'}}, lastState: {terminated: {exitCode: "
     "137, reason: OOMKilled}}}]",
     "CrashLoopBackOff, 3 restarts, OOMKilled (exit code 137)"},
    {"a wait says no cause",
     "phase: Pending, containerStatuses: [{name: c, state: {waiting: {reason: ImagePullBackOff, "
     "message: 'back-off pulling image'}}}]",
     "ImagePullBackOff"},
    {"the scheduler",
     "phase: Pending, conditions: [{type: PodScheduled, status: 'False', message: no node}]",
     "Pending: no node"},
};

TEST_CASE("the state of a pod that is not ready, and what was said about it") {
  for (const Row& row : kUnready) {
    CAPTURE(row.name);
    const auto snapshot = support::scene()
                              .yaml(base::format("{{apiVersion: v1, kind: Pod, metadata: {{name: "
                                                 "p, namespace: default}}, spec: {{containers: "
                                                 "[{{name: c}}]}}, status: {{{}}}}}",
                                                 row.status))
                              .build();
    CHECK(unready_in_words(snapshot, *snapshot.find<api::Pod>("default", "p")) == row.want);
  }
}

}  // namespace
}  // namespace dra::engine::unready_test

// tests/engine/cluster/pod_status_test.cpp

#include <doctest/doctest.h>

#include <string>

#include "dra/engine/cluster/pods.h"
#include "tests/support/builders.h"

namespace dra::engine::pod_status_test {
namespace {

std::string status_of(const std::string& spec, const std::string& status,
                      const std::string& meta = "") {
  const auto snapshot =
      support::scene()
          .yaml("{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default" + meta +
                "}, spec: {" + spec + "}, status: {" + status + "}}")
          .build();
  return pod_status(*snapshot.find<api::Pod>("default", "p"));
}

std::string containers(const std::string& states) {
  return "phase: Running, containerStatuses: [" + states + "]";
}

TEST_CASE("the column STATUS of kubectl get pods") {
  const std::string gone = ", deletionTimestamp: '2026-11-20T08:00:00Z'";
  const std::string ended = "{name: b, state: {terminated: {exitCode: 0, reason: Completed}}}";
  CHECK(status_of("", "phase: Pending") == "Pending");
  CHECK(status_of("", "phase: Failed, reason: Evicted") == "Evicted");
  CHECK(status_of("",
                  "phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: "
                  "SchedulingGated}]") == "SchedulingGated");
  CHECK(status_of("", containers("{name: a, state: {waiting: {reason: CrashLoopBackOff}}}")) ==
        "CrashLoopBackOff");
  CHECK(status_of("", containers("{name: a, state: {terminated: {exitCode: 3}}}")) == "ExitCode:3");
  CHECK(status_of("", containers("{name: a, state: {terminated: {exitCode: 137, signal: 9}}}")) ==
        "Signal:9");
  CHECK(status_of("", containers("{name: a, state: {waiting: {reason: First}}}, {name: b, state: "
                                 "{waiting: {reason: Second}}}")) == "First");
  const std::string one_runs = containers("{name: a, ready: true, state: {running: {}}}, " + ended);
  CHECK(status_of("", one_runs) == "NotReady");
  CHECK(status_of("", one_runs + ", conditions: [{type: Ready, status: 'True'}]") == "Running");
  CHECK(status_of("", containers(ended)) == "Completed");
  CHECK(status_of("", "phase: Running", gone) == "Terminating");
  CHECK(status_of("", "phase: Succeeded", gone) == "Succeeded");
  CHECK(status_of("", "phase: Running, reason: NodeLost", gone) == "Unknown");
}

TEST_CASE("init containers come before the others") {
  const std::string two = "initContainers: [{name: i}, {name: j}], containers: [{name: a}]";
  const auto init = [&two](const std::string& states, const std::string& more = "") {
    return status_of(two, "phase: Pending, initContainerStatuses: [" + states + "]" + more);
  };
  const std::string done = "{name: i, state: {terminated: {exitCode: 0}}}";
  CHECK(init("{name: i, state: {running: {}}}") == "Init:0/2");
  CHECK(init(done + ", {name: j, state: {waiting: {reason: PodInitializing}}}") == "Init:1/2");
  CHECK(init("{name: i, state: {waiting: {reason: ImagePullBackOff}}}") == "Init:ImagePullBackOff");
  CHECK(init("{name: i, state: {terminated: {exitCode: 1, reason: Error}}}") == "Init:Error");
  CHECK(init("{name: i, state: {terminated: {exitCode: 1}}}") == "Init:ExitCode:1");
  CHECK(init(done + ", {name: j, state: {terminated: {exitCode: 0}}}",
             ", containerStatuses: [{name: a, state: {waiting: {reason: ErrImagePull}}}]") ==
        "ErrImagePull");
  CHECK(status_of("initContainers: [{name: i, restartPolicy: Always}]",
                  "phase: Running, initContainerStatuses: [{name: i, started: true, state: "
                  "{running: {}}}], containerStatuses: [{name: a, ready: true, state: {running: "
                  "{}}}]") == "Running");
}

}  // namespace
}  // namespace dra::engine::pod_status_test

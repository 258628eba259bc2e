// tests/engine/cluster/components_test.cpp

#include "dra/engine/cluster/components.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::components_test {
namespace {

struct OfComponent {
  const char* name;
  const char* where;   // metadata of the component's pod
  const char* status;  // of that pod
  const char* scheduler;
  const char* want;  // "ready POD", "down POD", or "none"
};

constexpr const char* kReady = "phase: Running, conditions: [{type: Ready, status: 'True'}]";
constexpr const char* kNotReady = "phase: Running, conditions: [{type: Ready, status: 'False'}]";

const OfComponent kRows[] = {
    {"kubeadm's label", "name: a, namespace: kube-system, labels: {component: kube-scheduler}",
     kNotReady, "default-scheduler", "down a"},
    {"without a name the default one is meant",
     "name: a, namespace: kube-system, labels: {component: kube-scheduler}", kReady, "", "ready a"},
    {"by its name in kube-system", "name: kube-scheduler-m1, namespace: kube-system", kNotReady,
     "default-scheduler", "down kube-scheduler-m1"},
    {"not by its name elsewhere", "name: kube-scheduler-m1, namespace: team", kNotReady,
     "default-scheduler", "none"},
    {"a name that only begins alike", "name: kube-schedulers, namespace: kube-system", kNotReady,
     "default-scheduler", "none"},
    {"another one by its label", "name: x, namespace: team, labels: {app: kai}", kNotReady, "kai",
     "down x"},
    {"another one by its name", "name: kai-scheduler-7f, namespace: team", kNotReady, "kai",
     "down kai-scheduler-7f"},
    {"its other programs do not count", "name: kai-admission-7f, namespace: team", kNotReady, "kai",
     "none"},
    {"one that is called a scheduler", "name: my-scheduler-7f, namespace: team", kReady,
     "my-scheduler", "ready my-scheduler-7f"},
    {"a pod that has ended", "name: kai-scheduler-7f, namespace: team", "phase: Succeeded", "kai",
     "none"},
};

std::string line_of(const Component& component) {
  if (component.ready != nullptr) return base::format("ready {}", component.ready->meta.name);
  return component.down == nullptr ? "none" : base::format("down {}", component.down->meta.name);
}

TEST_CASE("the pods of a scheduler") {
  for (const OfComponent& row : kRows) {
    CAPTURE(row.name);
    const auto snapshot =
        support::scene()
            .yaml(base::format("{{apiVersion: v1, kind: Pod, metadata: {{{}}}, spec: {{containers: "
                               "[{{name: c}}]}}, status: {{{}}}}}",
                               row.where, row.status))
            .build();
    CHECK(line_of(scheduler_named(snapshot, row.scheduler)) == row.want);
  }
}

std::string replica(std::string_view name, std::string_view scheduler, int restarts, bool ready) {
  return base::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: {}, namespace: kube-system, labels: "
      "{{component: kube-controller-manager}}}}, spec: {{schedulerName: {}, containers: [{{name: "
      "c}}]}}, status: {{phase: Running, conditions: [{{type: Ready, status: '{}'}}], "
      "containerStatuses: [{{name: c, restartCount: {}, state: {{waiting: {{reason: "
      "CrashLoopBackOff}}}}}}]}}}}",
      name, scheduler, ready ? "True" : "False", restarts);
}

TEST_CASE("one replica that is ready is enough, else the one that failed most often counts") {
  const auto down = support::scene()
                        .yaml(replica("a", "default-scheduler", 2, false))
                        .yaml(replica("b", "default-scheduler", 5, false))
                        .build();
  const Component both = component_named(down, kControllerManager);
  CHECK(line_of(both) == "down b");
  CHECK(both.trouble == "its pod kube-system/b is not ready (CrashLoopBackOff, 5 restarts)");
  const auto half = support::scene()
                        .yaml(replica("a", "default-scheduler", 2, false))
                        .yaml(replica("b", "default-scheduler", 0, true))
                        .build();
  CHECK(line_of(component_named(half, kControllerManager)) == "ready b");
}

TEST_CASE("a pod that a scheduler has to place is none of its own") {
  const auto snapshot =
      support::scene()
          .yaml(
              "{apiVersion: v1, kind: Pod, metadata: {name: kai-scheduler-test, namespace: team}, "
              "spec: {schedulerName: kai, containers: [{name: c}]}, status: {phase: Pending}}")
          .build();
  CHECK(line_of(scheduler_named(snapshot, "kai")) == "none");
}

}  // namespace
}  // namespace dra::engine::components_test

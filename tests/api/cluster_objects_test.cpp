// tests/api/cluster_objects_test.cpp

#include "dra/api/cluster_objects.h"

#include <doctest/doctest.h>

#include "tests/support/builders.h"

namespace dra::api::cluster_objects_test {
namespace {

using support::scene;

struct SeenCase {
  const char* name;
  const char* fields;  // of the event, as YAML
  const char* want;    // empty: no time at all
};

const SeenCase kSeen[] = {
    {"an event of the older kind was last seen when it says",
     "firstTimestamp: '2026-11-20T08:00:00Z', lastTimestamp: '2026-11-20T09:00:00Z'",
     "2026-11-20T09:00:00Z"},
    {"an event of the newer kind has a time of its own", "eventTime: '2026-11-20T08:30:01.500000Z'",
     "2026-11-20T08:30:01Z"},
    {"a series is seen later than its first event",
     "eventTime: '2026-11-20T08:30:00Z', series: {count: 4, lastObservedTime: "
     "'2026-11-20T08:45:00Z'}",
     "2026-11-20T08:45:00Z"},
    {"the newest time counts, whichever field it stands in",
     "eventTime: '2026-11-20T08:50:00Z', lastTimestamp: '2026-11-20T08:40:00Z', firstTimestamp: "
     "'2026-11-20T08:00:00Z'",
     "2026-11-20T08:50:00Z"},
    {"null times are no times",
     "eventTime: null, firstTimestamp: null, lastTimestamp: '2026-11-20T08:40:00Z'",
     "2026-11-20T08:40:00Z"},
    {"without any the creation counts", "metadata: {creationTimestamp: '2026-11-20T07:00:00Z'}",
     "2026-11-20T07:00:00Z"},
    {"nothing known is nothing said", "reason: x", ""},
};

TEST_CASE("when an event was last seen") {
  for (const SeenCase& row : kSeen) {
    CAPTURE(row.name);
    const auto snapshot =
        scene().yaml("{apiVersion: v1, kind: Event, " + std::string(row.fields) + "}").build();
    const Time seen = snapshot.all<Event>().front().last_seen();
    CHECK((seen ? base::format_rfc3339(*seen) : "") == row.want);
  }
}

TEST_CASE("what a node offers to pods, and since when it is tainted") {
  const auto snapshot =
      scene()
          .yaml(
              "{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {taints: [{key: k, effect: "
              "NoExecute, timeAdded: '2026-11-20T08:00:00Z'}]}, status: {allocatable: {cpu: 4, "
              "memory: 8Gi}, nodeInfo: {kubeletVersion: v1.37.1}}}")
          .build();
  const Node& node = snapshot.all<Node>().front();
  CHECK(find(node.status.allocatable, "cpu")->text == "4");
  CHECK(find(node.status.allocatable, "memory")->text == "8Gi");
  CHECK(node.status.info.kubelet_version == "v1.37.1");
  CHECK(base::format_rfc3339(*node.spec.taints.front().added) == "2026-11-20T08:00:00Z");
}

struct OwnerCase {
  const char* name;
  std::vector<OwnerReference> owners;
  const char* want;  // the controller's name, empty if there is none
};

const OwnerCase kOwners[] = {
    {"nobody owns it", {}, ""},
    {"an owner need not control", {{.kind = "Pod", .name = "a"}}, ""},
    {"the controller is found among owners",
     {{.name = "a"}, {.name = "b", .controller = true}, {.name = "c"}},
     "b"},
};

TEST_CASE("the controller of an object") {
  for (const OwnerCase& row : kOwners) {
    CAPTURE(row.name);
    ObjectMeta meta;
    meta.owners = row.owners;
    const OwnerReference* controller = controller_of(meta);
    CHECK((controller == nullptr ? "" : controller->name) == row.want);
  }
}

TEST_CASE("nodes carry taints and labels") {
  const auto snapshot =
      scene()
          .yaml(
              "{apiVersion: v1, kind: Node, metadata: {name: node-1, labels: {rack: a}}, "
              "spec: {unschedulable: true, taints: [{key: k, value: v, effect: "
              "NoSchedule}]}, status: {conditions: [{type: Ready, status: 'True'}]}}")
          .build();
  const Node& node = snapshot.all<Node>().front();
  CHECK(*find(node.meta.labels, "rack") == "a");
  CHECK(node.spec.unschedulable);
  CHECK(node.spec.taints.front().effect == "NoSchedule");
  CHECK(node.status.conditions.front().status == "True");
}

}  // namespace
}  // namespace dra::api::cluster_objects_test

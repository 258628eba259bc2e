// tests/engine/cluster/scheduling_group_test.cpp: what the scheduler makes of the group that a pod
// names.

#include "dra/engine/cluster/scheduling_group.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::engine::scheduling_group_test {
namespace {

using support::Scene;
using support::scene;

constexpr const char* kOfGroup = "schedulingGroup: {podGroupName: g}";

Scene of_group(std::string_view spec = "") {
  Scene words = scene();
  words.pod("p", "", kOfGroup);
  if (!spec.empty())
    words.yaml(
        base::format("{{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {{name: "
                     "g, namespace: default}}, spec: {{{}}}}}",
                     spec));
  return words;
}

constexpr const char* kGang = "schedulingPolicy: {gang: {minCount: 2}}";
constexpr const char* kBasic = "schedulingPolicy: {basic: {}}";

// "gang of 2: 1 pod, 0 with a node".
std::string told(const Scene& words) {
  const snapshot::Snapshot snapshot = words.build();
  const SchedulingGroup group =
      scheduling_group_of(snapshot, *snapshot.find<api::Pod>("default", "p"));
  switch (group.state) {
    case SchedulingGroup::State::None:
      return "none";
    case SchedulingGroup::State::Unknown:
      return "unknown: " + not_filtered(group);
    case SchedulingGroup::State::Missing:
      return "missing";
    case SchedulingGroup::State::Basic:
      return "basic";
    case SchedulingGroup::State::Gang:
      break;
  }
  return base::format("gang of {}: {}, {} with a node, {}", group.min_count,
                      base::plural(std::ssize(group.pods), "pod"), group.with_node,
                      group.is_looked_at() ? not_filtered(group) : "too few");
}

struct Case {
  const char* name;
  Scene words;
  const char* want;
};

TEST_CASE("what the scheduler makes of a group") {
  const Case cases[] = {
      {"a pod of no group", scene().pod("p", ""), "none"},
      {"no object", of_group(), "missing"},
      {"where the feature is off, the field means nothing",
       of_group().gate("GenericWorkload", false), "none"},
      {"where it is on", of_group().gate("GenericWorkload"), "missing"},
      {"no gang", of_group(kBasic), "basic"},
      {"a gang with too few pods", of_group(kGang), "gang of 2: 1 pod, 0 with a node, too few"},
      {"a gang with enough",
       of_group(kGang).pod("q", "", "nodeName: n1, schedulingGroup: {podGroupName: g}"),
       "gang of 2: 2 pods, 1 with a node, whether the pods of gang g fit together"},
      {"pods that have ended do not count",
       of_group(kGang).pod("q", "", kOfGroup, "phase: Succeeded"),
       "gang of 2: 1 pod, 0 with a node, too few"},
      {"pods of another group do not, either",
       of_group(kGang).pod("q", "", "schedulingGroup: {podGroupName: h}"),
       "gang of 2: 1 pod, 0 with a node, too few"},
      {"groups that cannot be read", of_group().cannot_read(api::Kind::PodGroup),
       "unknown: the pod group g (podgroups cannot be read)"},
      {"pods that cannot be read", of_group(kGang).cannot_read(api::Kind::Pod),
       "unknown: the pod group g (its pods cannot be read)"},
      {"a group of groups",
       of_group("parentCompositePodGroupName: all, schedulingPolicy: {gang: {minCount: 1}}"),
       "unknown: the pod group g (it is of composite pod group all)"},
      {"a group that is to be in one place",
       of_group("schedulingConstraints: {topology: [{key: rack}]}, schedulingPolicy: {basic: {}}"),
       "unknown: the pod group g (it has topology constraints)"},
      {"another priority than its pods", of_group("priority: 7, schedulingPolicy: {basic: {}}"),
       "unknown: the pod group g (pod p and it differ in priority or preemption policy)"},
      {"another preemption policy", of_group("preemptionPolicy: Never, schedulingPolicy: {}"),
       "unknown: the pod group g (pod p and it differ in priority or preemption policy)"},
      {"pods of several schedulers",
       of_group(kGang).pod("q", "", "schedulerName: mine, schedulingGroup: {podGroupName: g}"),
       "unknown: the pod group g (its pods name several schedulers)"},
      {"in 1.36 gangs have a feature of their own", of_group(kGang).server("v1.36.3"),
       "unknown: the pod group g (whether the feature GangScheduling is on is not known)"},
      {"which is on",
       of_group(kGang).server("v1.36.3").gate("GenericWorkload").gate("GangScheduling"),
       "gang of 2: 1 pod, 0 with a node, too few"},
      {"or off",
       of_group(kGang).server("v1.36.3").gate("GenericWorkload").gate("GangScheduling", false),
       "basic"},
      {"and is nothing to a basic group", of_group(kBasic).server("v1.36.3"), "basic"},
  };
  for (const Case& row : cases) {
    CAPTURE(row.name);
    CHECK(told(row.words) == row.want);
  }
}

}  // namespace
}  // namespace dra::engine::scheduling_group_test

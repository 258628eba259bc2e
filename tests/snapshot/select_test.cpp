// tests/snapshot/select_test.cpp: objects by names, labels and fields, as a server would choose
// them.

#include "dra/snapshot/select.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/api/pod.h"
#include "dra/api/slice.h"
#include "tests/support/builders.h"

namespace dra::snapshot::select_test {
namespace {

using api::Kind;

constexpr std::string_view kObjects = R"(
{apiVersion: v1, kind: Pod, metadata: {name: bare, namespace: a}}
---
{apiVersion: v1, kind: Pod, metadata: {name: full, namespace: a, labels: {app: x}},
 spec: {nodeName: n1, hostNetwork: true, restartPolicy: Never, schedulerName: other,
        serviceAccountName: robot},
 status: {phase: Running, podIP: 10.0.0.1, podIPs: [{ip: 10.0.0.2}], nominatedNodeName: n2}}
---
{apiVersion: v1, kind: Pod, metadata: {name: old, namespace: b, labels: {app: "y"}},
 spec: {nodeName: n1}, status: {phase: Failed, podIP: 10.0.0.3}}
---
{apiVersion: v1, kind: Node, metadata: {name: n1}}
---
{apiVersion: v1, kind: Node, metadata: {name: n2}, spec: {unschedulable: true}}
---
{apiVersion: v1, kind: Event, metadata: {name: e1, namespace: a}, reason: Failed,
 involvedObject: {kind: Pod, name: full}, reportingComponent: scheduler}
---
{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s1},
 spec: {driver: d, nodeName: n1, pool: {name: p, generation: 1, resourceSliceCount: 1}}}
---
{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s2},
 spec: {driver: d, allNodes: true, pool: {name: "a,b=c", generation: 1, resourceSliceCount: 1}}}
)";

// "a/full b/old", or the error.
std::string chosen(const Need& need) {
  const Snapshot snapshot = support::Scene(support::Scene::Empty{}).yaml(kObjects).build();
  const auto objects = select(snapshot, need);
  if (!objects.ok()) return "error: " + objects.error().message;
  std::string names;
  for (const ObjectRef& object : objects.value()) {
    names += names.empty() ? "" : " ";
    if (!object.meta->namespace_.empty()) names += std::string(object.meta->namespace_) + "/";
    names += object.meta->name;
  }
  return names;
}

std::string with_fields(Kind kind, std::string selector) {
  return chosen({.kind = kind, .field_selector = std::move(selector)});
}

TEST_CASE("objects are chosen by namespace, names and labels") {
  CHECK(chosen({.kind = Kind::Pod}) == "a/bare a/full b/old");
  CHECK(chosen({.kind = Kind::Pod, .namespace_ = "a"}) == "a/bare a/full");
  CHECK(chosen({.kind = Kind::Pod, .label_selector = "app in (x,y)"}) == "a/full b/old");
  CHECK(chosen({.kind = Kind::Pod, .namespace_ = "a", .label_selector = "app!=x"}) == "a/bare");
  CHECK(chosen({.kind = Kind::Pod, .namespace_ = "a", .names = {"full", "none", "bare", "full"}}) ==
        "a/full a/bare a/full");
  CHECK(chosen({.kind = Kind::Node, .namespace_ = "a"}) == "n1 n2");
}

TEST_CASE("objects are chosen by the fields that an API server knows") {
  struct Case {
    std::string name;
    Kind kind;
    std::string selector;
    std::string want;
  };
  const std::vector<Case> cases = {
      {"by name", Kind::Pod, "metadata.name=full", "a/full"},
      {"by namespace", Kind::Pod, "metadata.namespace!=a", "b/old"},
      {"by node", Kind::Pod, "spec.nodeName=n1", "a/full b/old"},
      {"by node under its old name", Kind::Pod, "spec.host=n1", "a/full b/old"},
      {"without a node", Kind::Pod, "spec.nodeName=", "a/bare"},
      {"several terms", Kind::Pod, "spec.nodeName=n1,status.phase!=Failed", "a/full"},
      {"a phase that nobody wrote", Kind::Pod, "status.phase=Pending", "a/bare"},
      {"a network that nobody wrote", Kind::Pod, "spec.hostNetwork=false", "a/bare b/old"},
      {"a policy that nobody wrote", Kind::Pod, "spec.restartPolicy=Always", "a/bare b/old"},
      {"a scheduler that nobody wrote", Kind::Pod, "spec.schedulerName=default-scheduler",
       "a/bare b/old"},
      {"an account", Kind::Pod, "spec.serviceAccountName=robot", "a/full"},
      {"the first address of several", Kind::Pod, "status.podIP=10.0.0.2", "a/full"},
      {"the only address", Kind::Pod, "status.podIP=10.0.0.3", "b/old"},
      {"several addresses are no field", Kind::Pod, "status.podIPs=10.0.0.2", ""},
      {"a nominated node", Kind::Pod, "status.nominatedNodeName=n2", "a/full"},
      {"nodes that are open", Kind::Node, "spec.unschedulable=false", "n1"},
      {"nodes that are closed", Kind::Node, "spec.unschedulable=true", "n2"},
      {"events of an object", Kind::Event, "involvedObject.name=full,reason=Failed", "a/e1"},
      {"events of a component that is not a source", Kind::Event, "source=scheduler", "a/e1"},
      {"slices of a node", Kind::Slice, "spec.nodeName=n1", "s1"},
      {"slices of no node", Kind::Slice, "spec.nodeName=", "s2"},
      {"slices of a driver", Kind::Slice, "spec.driver==d", "s1 s2"},
      {"an escaped name of a pool", Kind::Slice, R"(spec.pool.name=a\,b\=c)", "s2"},
      {"a cluster's object is in no namespace", Kind::Class, "metadata.namespace=a", ""},
      {"a field that pods do not have", Kind::Pod, "spec.x=1",
       "error: field label not supported: spec.x"},
      {"a field that slices do not have", Kind::Slice, "metadata.namespace=a",
       "error: field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: "
       "metadata.namespace"},
      {"a field that other kinds do not have", Kind::Claim, "spec.x=1",
       "error: \"spec.x\" is not a known field selector: only \"metadata.name\", "
       "\"metadata.namespace\""},
      {"what is no selector", Kind::Pod, "x",
       "error: --field-selector: the term \"x\" has no = and no !="},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(with_fields(c.kind, c.selector) == c.want);
  }
}

TEST_CASE("objects stand in the order of a server's keys, in which the slash counts") {
  support::Scene scene{support::Scene::Empty{}};
  for (const char* ns : {"team\xc3\xa4", "team", "team0", "team-a", "tea"}) {
    for (const char* name : {"b", "a"}) {
      scene.yaml("{apiVersion: v1, kind: Pod, metadata: {name: " + std::string(name) +
                 ", namespace: " + ns + "}}");
    }
  }
  const Snapshot snapshot = scene.build();
  std::string order;
  for (const ObjectRef& pod : objects_of(snapshot, Kind::Pod))
    order += std::string(pod.meta->namespace_) + "/" + std::string(pod.meta->name) + " ";
  CHECK(order ==
        "tea/a tea/b team-a/a team-a/b team/a team/b team0/a team0/b "
        "team\xc3\xa4/a team\xc3\xa4/b ");
  CHECK(snapshot.find<api::Pod>("team", "b") != nullptr);
  CHECK(snapshot.find<api::Pod>("team-a", "a") != nullptr);
}

TEST_CASE("all kinds can be looked at without their types") {
  const Snapshot snapshot = support::Scene(support::Scene::Empty{}).yaml(kObjects).build();
  for (const api::KindInfo& kind : api::all_kinds()) {
    for (const ObjectRef& object : objects_of(snapshot, kind.kind))
      CHECK(object.origin->kind == kind.name);
  }
  const auto slices = objects_of(snapshot, Kind::Slice);
  REQUIRE(slices.size() == 2);
  CHECK(typed<api::ResourceSlice>(snapshot, slices)[1]->meta.name == "s2");
}

TEST_CASE("a need covers those that lie within it") {
  const Need all{.kind = Kind::Pod};
  const Need here{.kind = Kind::Pod, .namespace_ = "a"};
  const Need labelled{.kind = Kind::Pod, .namespace_ = "a", .label_selector = "x"};
  const Need named{.kind = Kind::Pod, .namespace_ = "a", .names = {"n"}};
  CHECK(covers(all, here));
  CHECK_FALSE(covers(here, all));
  CHECK(covers(here, labelled));
  CHECK(covers(here, named));
  CHECK(covers(named, named));
  CHECK_FALSE(covers(labelled, named));
  CHECK_FALSE(covers(labelled, here));
  CHECK_FALSE(covers(all, {.kind = Kind::Node}));
  CHECK_FALSE(covers(here, {.kind = Kind::Pod, .namespace_ = "b", .names = {"n"}}));
  CHECK(covers({.kind = Kind::Node, .namespace_ = "a"}, {.kind = Kind::Node}));
  CHECK_FALSE(covers({.kind = Kind::Slice}, {.kind = Kind::Slice, .version = "v1beta1"}));
}

}  // namespace
}  // namespace dra::snapshot::select_test

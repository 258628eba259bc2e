// tests/engine/cluster/extended_resources_test.cpp: what a pod's extended resources ask of DRA,
// which class serves them, and what is left of that on a node.

#include "dra/engine/cluster/extended_resources.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/device_class.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/scheduler/node_result.h"
#include "tests/support/allocation.h"
#include "tests/support/builders.h"
#include "tests/support/node_result.h"

namespace dra::engine::extended_resources_test {
namespace {

using support::exactly;
using support::Scene;
using support::scene;

std::string class_yaml(std::string_view name, std::string_view resource,
                       std::string_view created = "2026-01-01T00:00:00Z") {
  return base::format(
      "{{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {{name: {}, "
      "creationTimestamp: '{}'}}, spec: {{{}}}}}",
      name, created, resource.empty() ? "" : base::format("extendedResourceName: {}", resource));
}

// The scene's class gpu has no resource; these have.
Scene classes() {
  return scene()
      .yaml(class_yaml("tpu", "example.com/tpu"))
      .yaml(class_yaml("nic", "example.com/nic"));
}

std::string limits(std::string_view amounts, std::string_view more = "") {
  return base::format("{{name: c, resources: {{limits: {{{}}}}}{}}}", amounts, more);
}

// "container-0-request-0=2 tpu for example.com/tpu; ..."
std::string to_line(const ExtendedClaim* claim) {
  if (claim == nullptr) return "none";
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < claim->of_request.size(); ++i) {
    const api::DeviceRequest& request = claim->spec.devices.requests[i];
    const api::DeviceDemand& demand = request.exactly->demand;
    CHECK(demand.mode == api::kModeExactCount);
    CHECK(demand.selectors.empty());
    parts.push_back(base::format("{}={} {} for {}", request.name, demand.count, demand.device_class,
                                 claim->of_request[i]));
  }
  return base::join(parts, "; ");
}

std::string claim_line(const Scene& built) {
  const auto snapshot = built.build();
  return to_line(extended_claim_of(snapshot, *snapshot.find<api::Pod>("default", "p")).get());
}

struct RequestCase {
  const char* name;
  std::string spec;
  const char* want;
};

constexpr std::string_view kTpu = "example.com/tpu: ";

std::string tpus(int count, std::string_view more = "") {
  return limits(base::format("{}{}", kTpu, count), more);
}
constexpr std::string_view kSidecar = ", restartPolicy: Always";

TEST_CASE("requests of the special claim") {
  const RequestCase rows[] = {
      {"one container", "containers: [" + tpus(2) + "]",
       "container-0-request-0=2 tpu for example.com/tpu"},
      {"the second number is that among all that the container asks for",
       "containers: [" + limits("memory: 1Gi, example.com/tpu: 1, cpu: 1") + "]",
       "container-0-request-1=1 tpu for example.com/tpu"},
      {"a limit is a request, and a request that is given counts before it",
       "containers: [{name: c, resources: {limits: {cpu: 2, example.com/tpu: 1}, requests: "
       "{example.com/tpu: 1, a: 1}}}]",
       "container-0-request-2=1 tpu for example.com/tpu"},
      {"containers have devices of their own", "containers: [" + tpus(1) + ", " + tpus(2) + "]",
       "container-0-request-0=1 tpu for example.com/tpu; container-1-request-0=2 tpu for "
       "example.com/tpu"},
      {"by the name of a class",
       "containers: [" + limits("deviceclass.resource.kubernetes.io/gpu: 3") + "]",
       "container-0-request-0=3 gpu for deviceclass.resource.kubernetes.io/gpu"},
      {"a class with a resource has its own name, too",
       "containers: [" + limits("deviceclass.resource.kubernetes.io/tpu: 3") + "]",
       "container-0-request-0=3 tpu for deviceclass.resource.kubernetes.io/tpu"},
      {"what no class serves is omitted",
       "containers: [" + limits("example.com/other: 1, example.com/tpu: 1") + "]",
       "container-0-request-1=1 tpu for example.com/tpu"},
      {"nothing is served by a class",
       "containers: [" + limits("example.com/other: 1, cpu: 1") + "]", "none"},
      {"none is asked for", "containers: [" + tpus(0) + "]", "none"},
      {"several resources stand in the order of the names of requests",
       "containers: [" + limits("example.com/tpu: 1, example.com/nic: 2") + ", " + tpus(1) + "]",
       "container-0-request-0=2 nic for example.com/nic; container-0-request-1=1 tpu for "
       "example.com/tpu; container-1-request-0=1 tpu for example.com/tpu"},
      {"so that the eleventh container comes before the third",
       "containers: [{name: a}, {name: b}, " + tpus(1) +
           ", {name: d}, {name: e}, {name: f}, {name: g}, {name: h}, {name: i}, {name: j}, " +
           tpus(2) + "]",
       "container-10-request-0=2 tpu for example.com/tpu; container-2-request-0=1 tpu for "
       "example.com/tpu"},
      {"an init container uses what later containers have",
       "initContainers: [" + tpus(2) + "], containers: [" + tpus(1) + ", " + tpus(1) + "]",
       "container-1-request-0=1 tpu for example.com/tpu; container-2-request-0=1 tpu for "
       "example.com/tpu"},
      {"and asks for what they lack",
       "initContainers: [" + tpus(5) + "], containers: [" + tpus(2) + "]",
       "container-0-request-0=3 tpu for example.com/tpu; container-1-request-0=2 tpu for "
       "example.com/tpu"},
      {"of several the one that is short of most asks, the first of them",
       "initContainers: [" + tpus(2) + ", " + tpus(4) + ", " + tpus(4) + "], containers: [" +
           tpus(1) + "]",
       "container-1-request-0=3 tpu for example.com/tpu; container-3-request-0=1 tpu for "
       "example.com/tpu"},
      {"a sidecar that stands before it has its own",
       "initContainers: [" + tpus(2, kSidecar) + ", " + tpus(1) + "], containers: [{name: m}]",
       "container-0-request-0=2 tpu for example.com/tpu; container-1-request-0=1 tpu for "
       "example.com/tpu"},
      {"one that stands behind it does not use its devices yet",
       "initContainers: [" + tpus(1) + ", " + tpus(2, kSidecar) + "], containers: [{name: m}]",
       "container-1-request-0=2 tpu for example.com/tpu"},
      {"thousandths of whole devices", "containers: [" + limits("example.com/tpu: 2000m") + "]",
       "container-0-request-0=2 tpu for example.com/tpu"},
      {"what the runtime needs is in no container",
       "containers: [{name: c}], overhead: {example.com/tpu: 1}", ""},
  };
  for (const RequestCase& row : rows) {
    CAPTURE(row.name);
    CHECK(claim_line(classes().pod("p", "", row.spec)) == row.want);
  }
}

TEST_CASE("where the scheduler makes no special claim") {
  const std::string pod = "containers: [" + tpus(1) + "]";
  CHECK(claim_line(classes().pod("p", "", pod).server("v1.35.0")) == "none");
  CHECK(claim_line(classes().pod("p", "", pod).server("v1.35.0").gate("DRAExtendedResource")) !=
        "none");
  CHECK(claim_line(classes().pod("p", "", pod).gate("DRAExtendedResource", false)) == "none");
}

TEST_CASE("names of extended resources") {
  CHECK(is_extended_resource("example.com/gpu"));
  CHECK(is_extended_resource("deviceclass.resource.kubernetes.io/gpu"));
  for (const char* other : {"cpu", "hugepages-1Gi", "kubernetes.io/gpu", "x.kubernetes.io/gpu",
                            "requests.example.com/gpu", "gpu"}) {
    CAPTURE(other);
    CHECK_FALSE(is_extended_resource(other));
  }
}

struct ClassCase {
  const char* name;
  std::vector<std::string> classes;
  const char* resource;
  const char* want;  // the class, "-" if there is none; "?" behind it where that is not certain
};

TEST_CASE("which class serves a resource") {
  constexpr const char* r = "example.com/gpu";
  constexpr const char* early = "2026-01-01T00:00:00Z";
  constexpr const char* late = "2026-01-02T00:00:00Z";
  const ClassCase rows[] = {
      {"the one that names it", {class_yaml("a", r), class_yaml("b", "")}, r, "a"},
      {"none", {class_yaml("b", "")}, r, "-"},
      {"of two the newer", {class_yaml("a", r, early), class_yaml("b", r, late)}, r, "b"},
      {"whatever their order", {class_yaml("a", r, late), class_yaml("b", r, early)}, r, "a"},
      {"of two of the same time the first name", {class_yaml("b", r), class_yaml("a", r)}, r, "a"},
      {"the winner has its own name",
       {class_yaml("a", r, early), class_yaml("b", r, late)},
       "deviceclass.resource.kubernetes.io/b",
       "b"},
      {"one that was first, both as it was made and by its name, keeps its own name",
       {class_yaml("a", r, early), class_yaml("b", r, late)},
       "deviceclass.resource.kubernetes.io/a",
       "a"},
      {"one that is older and comes second in a list may have lost it",
       {class_yaml("b", r, early), class_yaml("a", r, late)},
       "deviceclass.resource.kubernetes.io/b",
       "b?"},
      {"of two of the same time the second may have lost it",
       {class_yaml("b", r), class_yaml("a", r)},
       "deviceclass.resource.kubernetes.io/b",
       "b?"},
      {"no class of that name", {class_yaml("b", r)}, "deviceclass.resource.kubernetes.io/c", "-"},
  };
  for (const ClassCase& row : rows) {
    CAPTURE(row.name);
    Scene built{Scene::Empty()};
    for (const std::string& yaml : row.classes)
      built.yaml(yaml);
    const auto snapshot = built.build();
    const ResourceClasses classes(snapshot.all<api::DeviceClass>());
    const api::DeviceClass* served = classes.of(row.resource);
    std::string line(served == nullptr ? "-" : served->meta.name);
    if (!classes.certain(row.resource)) line += "?";
    CHECK(line == row.want);
  }
}

std::string node_with(std::string_view allocatable) {
  return base::format(
      "{{apiVersion: v1, kind: Node, metadata: {{name: n1}}, status: {{allocatable: {{{}}}}}}}",
      allocatable);
}

// "fits: container-0-request-0=gpu-0", "no: CountShort", "aborts: ExtendedClaimEmpty", with
// "plugin(REQUEST)" for what the device plugin serves.
std::string on_n1(const Scene& built) {
  const auto snapshot = built.build();
  const Subject subject = subject_of_pod(snapshot, *snapshot.find<api::Pod>("default", "p"));
  CHECK(subject.blockers.empty());
  const NodeResult result = support::evaluate(snapshot, subject, *snapshot.find<api::Node>("n1"));
  std::string line = result.aborts() ? "aborts:" : result.fits() ? "fits:" : "no:";
  for (const PickedDevice& picked : result.allocation)
    line += " " + support::to_line(picked);
  if (!result.fits()) line += base::format(" {}", diag::name_of(result.reasons.front().code));
  for (const DemandResult& demand : result.demands) {
    if (demand.by_plugin) line += base::format(" plugin({})", demand.request);
  }
  return line;
}

struct NodeCase {
  const char* name;
  const char* allocatable;
  const char* want;
};

Scene devices() {
  return classes().slice({.name = "s",
                          .where = "nodeName: n1",
                          .devices = "{name: gpu-0}, {name: gpu-1}, {name: gpu-2}"});
}

TEST_CASE("what a node has to serve by DRA") {
  const NodeCase rows[] = {
      {"all of what its plugin does not serve", "",
       "fits: container-0-request-0=gpu-0 container-0-request-1=gpu-1"},
      {"and of what it has none", "example.com/nic: 0, example.com/tpu: 0",
       "fits: container-0-request-0=gpu-0 container-0-request-1=gpu-1"},
      {"not what its plugin has", "example.com/nic: 4",
       "fits: container-0-request-1=gpu-0 plugin(container-0-request-0)"},
      {"the plugin's is the last", "example.com/tpu: 4",
       "fits: container-0-request-0=gpu-0 plugin(container-0-request-1)"},
      {"nothing", "example.com/nic: 1, example.com/tpu: 1",
       "fits: plugin(container-0-request-0) plugin(container-0-request-1)"},
  };
  for (const NodeCase& row : rows) {
    CAPTURE(row.name);
    CHECK(on_n1(devices()
                    .yaml(node_with(row.allocatable))
                    .pod("p", "",
                         "containers: [" + limits("example.com/tpu: 1, example.com/nic: 1") +
                             "]")) == row.want);
  }
}

TEST_CASE("beside a claim") {
  const NodeCase rows[] = {
      {"the special claim comes last", "", "fits: gpu=gpu-0 container-0-request-0=gpu-1"},
      {"a claim that asks for nothing cannot be bound", "example.com/tpu: 4",
       "aborts: ExtendedClaimEmpty plugin(container-0-request-0)"},
  };
  for (const NodeCase& row : rows) {
    CAPTURE(row.name);
    CHECK(on_n1(devices()
                    .yaml(node_with(row.allocatable))
                    .claim("c", exactly("gpu", 1))
                    .pod("p", "{name: gpu, resourceClaimName: c}",
                         "containers: [" + tpus(1) + "]")) == row.want);
  }
  CHECK(
      on_n1(devices()
                .yaml(node_with("example.com/tpu: 4"))
                .claim("c", exactly("gpu", 4))
                .pod("p", "{name: gpu, resourceClaimName: c}", "containers: [" + tpus(1) + "]")) ==
      "no: CountShort plugin(container-0-request-0)");
}

TEST_CASE("slices that cannot be read do not matter where DRA serves nothing") {
  const Scene built = classes()
                          .slice({.name = "s",
                                  .where = "nodeSelector: {nodeSelectorTerms: [{matchExpressions: "
                                           "[{key: a, operator: Like}]}]}",
                                  .devices = "{name: gpu-0}"})
                          .pod("p", "", "containers: [" + tpus(1) + "]");
  CHECK(on_n1(Scene(built).yaml(node_with(""))) == "aborts: PoolInvalid");
  CHECK(on_n1(Scene(built).yaml(node_with("example.com/tpu: 1"))) ==
        "fits: plugin(container-0-request-0)");
}

TEST_CASE("a node that lists none of a resource keeps it from DRA in v1.34") {
  const auto listing = [](std::string_view amount) {
    return scene()
        .yaml(base::format("{{apiVersion: v1, kind: Node, metadata: {{name: n1}}, status: "
                           "{{allocatable: {{acme.com/npu: '{}'}}}}}}",
                           amount))
        .build();
  };
  const auto is_kept = [](const snapshot::Snapshot& snapshot, const char* version) {
    return is_of_plugin({.version = version}, snapshot.all<api::Node>().front(), "acme.com/npu");
  };
  CHECK(is_kept(listing("2"), "v1.34.4"));
  CHECK(is_kept(listing("2"), "v1.35.0"));
  CHECK(is_kept(listing("0"), "v1.34.4"));
  CHECK_FALSE(is_kept(listing("0"), "v1.35.0"));
  CHECK_FALSE(
      is_of_plugin({.version = "v1.34.4"}, listing("0").all<api::Node>().front(), "acme.com/x"));
}

}  // namespace
}  // namespace dra::engine::extended_resources_test

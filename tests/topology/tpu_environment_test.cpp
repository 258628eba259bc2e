// tests/topology/tpu_environment_test.cpp: what the driver sets, as it follows from what is
// published and labelled; and what containers set themselves.

#include "dra/topology/tpu_environment.h"

#include <doctest/doctest.h>

#include <string>

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "tests/support/builders.h"

namespace dra::topology::tpu_environment_test {
namespace {

using support::Scene;

// A host `n1` of which one claim has so many chips.
struct Host {
  const char* name;  // of the row
  std::string attributes;
  int chips;
  std::string labels;
  std::string expected;  // without what is always there
  int has = 0;           // chips of the claim; 0: all
  bool node = true;      // there is an object of it
};

std::string published(std::string_view accelerator, std::string_view generation,
                      std::string_view topology, int chips) {
  return base::format(
      "accelerator: {{string: {}}}, tpuGen: {{string: {}}}, topology: {{string: {}}}, chipCount: "
      "{{int: {}}}",
      accelerator, generation, topology, chips);
}

std::string labelled(std::string_view accelerator, std::string_view topology, int chips,
                     std::string_view more = "") {
  return base::format(
      "cloud.google.com/gke-tpu-accelerator: {}, cloud.google.com/gke-tpu-topology: {}, "
      "cloud.google.com/gke-accelerator-count: \"{}\"{}",
      accelerator, topology, chips, more);
}

constexpr const char* kClaim = R"(apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: c, namespace: default, uid: claim-uid}}
spec: {{devices: {{requests: [{{name: tpus, exactly: {{deviceClassName: tpu}}}}]}}}}
status:
  allocation: {{devices: {{results: [{}]}}}}
  reservedFor: [{{resource: pods, name: p, uid: p}}]
)";

Scene scene_of(const Host& host) {
  std::vector<std::string> devices;
  std::vector<std::string> results;
  for (int i = 0; i < host.chips; ++i) {
    devices.push_back(base::format("{{name: \"{}\", attributes: {{{}}}}}", i, host.attributes));
    if (i < (host.has == 0 ? host.chips : host.has))
      results.push_back(
          base::format("{{request: tpus, driver: tpu.google.com, pool: n1, device: \"{}\"}}", i));
  }
  Scene scene;
  if (host.node) scene.node("n1", host.labels);
  scene.slice({.name = "s",
               .driver = "tpu.google.com",
               .pool = "n1",
               .where = "nodeName: n1",
               .devices = base::join(devices, ", ")});
  return scene.yaml(base::format(kClaim, base::join(results, ", ")));
}

// What depends on the chips, without the older names.
std::string slice_variables(const TpuEnvironment& environment) {
  std::vector<std::string> parts;
  for (const TpuVariable& one : environment.variables) {
    const bool is_new = one.name.starts_with("TPU_") || one.name.starts_with("ENABLE_");
    if (one.scope != VariableScope::Slice || !is_new) continue;
    parts.push_back(base::format("{}={}", one.name, one.value));
  }
  return base::join(parts, " ");
}

TpuEnvironment environment_of(const snapshot::Snapshot& snapshot) {
  const engine::Inventory inventory(snapshot);
  const auto found =
      tpu_environment(snapshot, inventory, snapshot.all<api::ResourceClaim>().front());
  REQUIRE(found);
  return *found;
}

const std::string kTwoByFour =
    "TPU_TOPOLOGY=2x4 TPU_ACCELERATOR_TYPE=v6e-8 TPU_CHIPS_PER_HOST_BOUNDS=2,4,1 "
    "TPU_HOST_BOUNDS=1,1,1 TPU_TOPOLOGY_WRAP=false,false,false "
    "TPU_WORKER_ID=0 TPU_WORKER_HOSTNAMES=localhost";

TEST_CASE("what the driver sets follows from the chips of a host and its slice") {
  const std::vector<Host> rows = {
      {"eight chips of v6e on one host", published("tpu-v6e-slice", "v6e", "2x4", 8), 8, "",
       kTwoByFour},
      {"a slice of four hosts, with a worker id from elsewhere",
       published("tpu-v5p-slice", "v5p", "2x2x4", 4), 4, "",
       "TPU_TOPOLOGY=2x2x4 TPU_ACCELERATOR_TYPE=v5p-32 TPU_CHIPS_PER_HOST_BOUNDS=2,2,1 "
       "TPU_HOST_BOUNDS=1,1,4 TPU_TOPOLOGY_WRAP=false,false,false"},
      {"flat hosts of a lite generation, of which a chip is a core",
       published("tpu-v5-lite-podslice", "v5litepod", "4x4", 4), 4, "",
       "TPU_TOPOLOGY=4x4 TPU_ACCELERATOR_TYPE=v5litepod-16 TPU_CHIPS_PER_HOST_BOUNDS=2,2,1 "
       "TPU_HOST_BOUNDS=2,2,1 TPU_TOPOLOGY_WRAP=false,false,false"},
      {"v4 counts cores, two of a chip", published("tpu-v4-podslice", "v4", "2x2x1", 4), 4, "",
       "TPU_TOPOLOGY=2x2x1 TPU_ACCELERATOR_TYPE=v4-8 TPU_CHIPS_PER_HOST_BOUNDS=2,2,1 "
       "TPU_HOST_BOUNDS=1,1,1 TPU_TOPOLOGY_WRAP=false,false,false "
       "TPU_WORKER_ID=0 TPU_WORKER_HOSTNAMES=localhost"},
      {"a cube wraps, and has resilient links", published("tpu-v4-podslice", "v4", "4x4x4", 4), 4,
       "",
       "TPU_TOPOLOGY=4x4x4 TPU_ACCELERATOR_TYPE=v4-128 TPU_CHIPS_PER_HOST_BOUNDS=2,2,1 "
       "TPU_HOST_BOUNDS=2,2,4 TPU_TOPOLOGY_WRAP=true,true,true "
       "ENABLE_ICI_RESILIENCY=true"},
      {"a label switches that off", published("tpu-v5p-slice", "v5p", "4x4x8", 4), 4,
       "cloud.google.com/gke-tpu-ici-resiliency: \"false\"",
       "TPU_TOPOLOGY=4x4x8 TPU_ACCELERATOR_TYPE=v5p-256 TPU_CHIPS_PER_HOST_BOUNDS=2,2,1 "
       "TPU_HOST_BOUNDS=2,2,8 TPU_TOPOLOGY_WRAP=true,true,true "
       "ENABLE_ICI_RESILIENCY=false"},
      {"a flat slice of an old generation is no cube", published("tpu-v3-slice", "v3", "4x4", 4), 4,
       "",
       "TPU_TOPOLOGY=4x4 TPU_ACCELERATOR_TYPE=v3-32 TPU_CHIPS_PER_HOST_BOUNDS=2,2,1 "
       "TPU_HOST_BOUNDS=2,2,1 TPU_TOPOLOGY_WRAP=false,false,false"},
      {"a side of sixteen wraps", published("tpu-v6e-slice", "v6e", "8x16", 4), 4, "",
       "TPU_TOPOLOGY=8x16 TPU_ACCELERATOR_TYPE=v6e-128 TPU_CHIPS_PER_HOST_BOUNDS=2,2,1 "
       "TPU_HOST_BOUNDS=4,8,1 TPU_TOPOLOGY_WRAP=false,true,false"},
      {"a generation without bounds", published("tpu7x", "tpu7x", "2x2x1", 4), 4, "",
       "TPU_TOPOLOGY=2x2x1 TPU_ACCELERATOR_TYPE=tpu7x-8 TPU_WORKER_ID=0 "
       "TPU_WORKER_HOSTNAMES=localhost"},
      {"devices of a lite generation are no slice",
       published("tpu-v5-lite-device", "v5lite", "2x2", 4), 4, "",
       "TPU_TOPOLOGY=2x2 TPU_ACCELERATOR_TYPE=v5lite-4 TPU_WORKER_ID=0 "
       "TPU_WORKER_HOSTNAMES=localhost"},
      {"of an unknown generation only what chips tell", published("tpu-v99-slice", "v99", "2x4", 4),
       4, "", "TPU_TOPOLOGY=2x4 TPU_CHIPS_PER_HOST_BOUNDS=2,2,1 TPU_HOST_BOUNDS=1,2,1"},
      {"an early driver publishes little, and labels tell the rest", "tpuGen: {string: v6e}", 8,
       labelled("tpu-v6e-slice", "2x4", 8), kTwoByFour},
      {"an early driver without labels", "tpuGen: {string: v6e}", 8, "", ""},
      {"hosts that do not make up the slice", published("tpu-v6e-slice", "v6e", "1x1", 4), 4, "",
       "TPU_TOPOLOGY=1x1 TPU_ACCELERATOR_TYPE=v6e-1 TPU_TOPOLOGY_WRAP=false,false,false"},
      {"a topology that is none", published("tpu-v6e-slice", "v6e", "many", 8), 8, "", ""},
  };
  for (const Host& row : rows) {
    CAPTURE(row.name);
    const snapshot::Snapshot snapshot = scene_of(row).build();
    CHECK(slice_variables(environment_of(snapshot)) == row.expected);
  }
}

TEST_CASE("all that is set, in order, with both names") {
  const Host host{"", published("tpu-v5p-slice", "v5p", "1x2x1", 2), 2, "", ""};
  const snapshot::Snapshot snapshot = scene_of(host).build();
  const TpuEnvironment environment = environment_of(snapshot);
  std::vector<std::string> lines;
  for (const TpuVariable& one : environment.variables)
    lines.push_back(base::format("{}={}", one.name, one.value));
  CHECK(base::join(lines, "\n") == R"(TPU_TOPOLOGY=1x2x1
TPU_ACCELERATOR_TYPE=v5p-4
TPU_CHIPS_PER_HOST_BOUNDS=1,2,1
CHIPS_PER_HOST_BOUNDS=1,2,1
TPU_HOST_BOUNDS=1,1,1
HOST_BOUNDS=1,1,1
TPU_TOPOLOGY_WRAP=false,false,false
WRAP=false,false,false
TPU_TOPOLOGY_ALT=false
ALT=false
TPU_WORKER_ID=0
TPU_WORKER_HOSTNAMES=localhost
TPU_SKIP_MDS_QUERY=true
KUBERNETES_NODE_NAME=n1
DRA_RESOURCE_DRIVER_NAME=tpu.google.com
TPU_DEVICE_0_RESOURCE_CLAIM=claim-uid
TPU_DEVICE_1_RESOURCE_CLAIM=claim-uid)");
}

TEST_CASE("notes say what is missing") {
  const auto notes = [](const Host& host) {
    const snapshot::Snapshot snapshot = scene_of(host).build();
    std::vector<std::string> said = environment_of(snapshot).notes;
    // That of a variable whose value nobody publishes is always there.
    CHECK(std::erase_if(said, [](const std::string& note) {
            return note.starts_with("VBAR_CONTROL_SERVICE_URL");
          }) == 1);
    return base::join(said, "; ");
  };
  CHECK(notes({"", published("tpu-v6e-slice", "v6e", "2x4", 8), 8, "", ""}).empty());
  CHECK(notes({"", published("tpu-v5p-slice", "v5p", "2x2x4", 4), 4, "", ""})
            .find("slice of 4 hosts") != std::string::npos);
  CHECK(notes({"", published("tpu7x", "tpu7x", "2x2x1", 4), 4, "", ""}) ==
        "The driver sets no bounds and no wrap for accelerator tpu7x");
  CHECK(notes({"", "tpuGen: {string: v6e}", 8, "", ""}) ==
        "The topology is not known: nothing is reported about what depends on it");
}

TEST_CASE(
    "without its node nothing is reported about resilient links, which a label may switch off") {
  Host host{"", published("tpu-v5p-slice", "v5p", "4x4x4", 4), 4, "", ""};
  const auto told = [&host] {
    const snapshot::Snapshot snapshot = scene_of(host).build();
    const TpuEnvironment environment = environment_of(snapshot);
    return base::join(environment.notes, "; ").find("ENABLE_ICI_RESILIENCY") != std::string::npos;
  };
  CHECK_FALSE(told());
  host.node = false;
  CHECK(told());
}

TEST_CASE("a claim for a part of a host is refused, and gets nothing") {
  const Host host{"", published("tpu-v6e-slice", "v6e", "2x4", 8), 8, "", "", 4};
  const snapshot::Snapshot snapshot = scene_of(host).build();
  const TpuEnvironment environment = environment_of(snapshot);
  CHECK(environment.variables.empty());
  CHECK(environment.refused ==
        "the claim has 4 of the 8 chips of its host, and the driver prepares all or none");
}

TEST_CASE("other devices have no such environment") {
  Scene scene;
  scene.node("n1").slice("n1", {"gpu-0"}).held("n1", "gpu-0");
  const snapshot::Snapshot snapshot = scene.build();
  const engine::Inventory inventory(snapshot);
  CHECK_FALSE(tpu_environment(snapshot, inventory, snapshot.all<api::ResourceClaim>().front()));
}

// "main TPU_HOST_BOUNDS=1,1,1!": the exclamation mark where it differs from the driver's.
std::string overrides(std::string_view containers,
                      std::string_view claims = "{name: tpus, resourceClaimName: c}",
                      std::string_view status = "", std::string_view topology = "2x2x4") {
  const Host host{"", published("tpu-v5p-slice", "v5p", topology, 4), 4, "", ""};
  Scene scene = scene_of(host);
  scene.pod("p", claims, containers, status);
  const snapshot::Snapshot snapshot = scene.build();
  const auto& claim = snapshot.all<api::ResourceClaim>().front();
  std::vector<std::string> parts;
  for (const api::Pod* pod : pods_with(snapshot, claim)) {
    for (const TpuOverride& one : tpu_overrides(environment_of(snapshot), claim, *pod)) {
      parts.push_back(base::format("{} {}={}{}{}", one.container, one.name, one.value.value_or("?"),
                                   one.from.empty() ? "" : " from " + one.from,
                                   one.differs() ? "!" : ""));
    }
  }
  return base::join(parts, ", ");
}

std::string container(std::string_view name, std::string_view env,
                      std::string_view claim = "{name: tpus}") {
  return base::format("{{name: {}, env: [{}], resources: {{claims: [{}]}}}}", name, env, claim);
}

const std::string kBounds = "{name: TPU_HOST_BOUNDS, value: \"1,1,1\"}";

TEST_CASE("containers that use the claim may set the same themselves") {
  CHECK(overrides("containers: [" + container("main", kBounds) + "]") ==
        "main TPU_HOST_BOUNDS=1,1,1!");
  CHECK(overrides("containers: [" +
                  container("main",
                            "{name: HOST_BOUNDS, value: \"1,1,4\"}, {name: OWN, value: "
                            "secret}") +
                  "]") == "main HOST_BOUNDS=1,1,4");
  CHECK(overrides("containers: [" + container("main", "{name: OWN, value: x}") + "]").empty());
  // Another container has no chips.
  CHECK(overrides("containers: [" + container("main", "") + ", " + container("log", kBounds, "") +
                  "]")
            .empty());
  CHECK(overrides("initContainers: [" + container("warm", kBounds) + "], containers: [" +
                  container("main", kBounds) + "]") ==
        "warm TPU_HOST_BOUNDS=1,1,1!, main TPU_HOST_BOUNDS=1,1,1!");
}

TEST_CASE("only a request with chips counts") {
  CHECK(overrides("containers: [" + container("main", kBounds, "{name: tpus, request: tpus}") +
                  "]") == "main TPU_HOST_BOUNDS=1,1,1!");
  CHECK(overrides("containers: [" + container("main", kBounds, "{name: tpus, request: nic}") + "]")
            .empty());
}

TEST_CASE("claims from templates and for extended resources are the pod's too") {
  const std::string main = "containers: [" + container("main", kBounds) + "]";
  CHECK(overrides(main, "{name: tpus, resourceClaimTemplateName: t}",
                  "resourceClaimStatuses: [{name: tpus, resourceClaimName: c}]") ==
        "main TPU_HOST_BOUNDS=1,1,1!");
  CHECK(overrides("containers: [" + container("main", kBounds, "") + "]", "",
                  "extendedResourceClaimStatus: {resourceClaimName: c, requestMappings: "
                  "[{containerName: main, resourceName: google.com/tpu, requestName: tpus}]}") ==
        "main TPU_HOST_BOUNDS=1,1,1!");
}

TEST_CASE("values from elsewhere are not known") {
  const auto one = [](std::string_view env) {
    return overrides("containers: [" + container("main", env) + "]");
  };
  CHECK(
      one("{name: TPU_WORKER_ID, valueFrom: {fieldRef: {fieldPath: \"metadata.labels['x']\"}}}") ==
      "main TPU_WORKER_ID=? from a field");
  CHECK(one("{name: TPU_HOST_BOUNDS, valueFrom: {secretKeyRef: {name: s, key: k}}}") ==
        "main TPU_HOST_BOUNDS=? from a Secret");
  CHECK(one("{name: TPU_HOST_BOUNDS, valueFrom: {configMapKeyRef: {name: s, key: k}}}") ==
        "main TPU_HOST_BOUNDS=? from a ConfigMap");
  CHECK(one("{name: TPU_HOST_BOUNDS, value: \"$(BOUNDS)\"}") == "main TPU_HOST_BOUNDS=$(BOUNDS)");
  // A recording leaves out what is not sure to be harmless.
  CHECK(one("{name: HOST_BOUNDS}") == "main HOST_BOUNDS=?");
  CHECK(one("{name: TPU_HOST_BOUNDS, value: a}, " + kBounds) == "main TPU_HOST_BOUNDS=1,1,1!");
}

TEST_CASE("the worker id of a slice of several hosts is the pod's, of one host the driver's") {
  const std::string main =
      "containers: [" + container("main", "{name: TPU_WORKER_ID, value: \"2\"}") + "]";
  CHECK(overrides(main) == "main TPU_WORKER_ID=2");
  CHECK(overrides(main, "{name: tpus, resourceClaimName: c}", "", "2x2x1") ==
        "main TPU_WORKER_ID=2!");
}

}  // namespace
}  // namespace dra::topology::tpu_environment_test

// tests/checks/lint/lint_test.cpp: what the API server takes and somebody trips over; and what is
// right, of which nothing may be said.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dra/base/text.h"
#include "dra/checks/manifest/manifest.h"
#include "dra/json/yaml.h"

namespace dra::checks::lint_test {
namespace {

struct Row {
  const char* name;
  std::string object;
  std::vector<std::string> want;  // "AlternativeDead spec.devices…"
};

std::string claim(const std::string& devices) {
  return "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: a}, spec: "
         "{devices: {" +
         devices + "}}}";
}

std::string choice(const std::string& alternatives) {
  return claim("requests: [{name: r, firstAvailable: [" + alternatives + "]}]");
}

std::string configured(const std::string& driver, const std::string& parameters) {
  return claim("config: [{opaque: {driver: " + driver + ", parameters: {" + parameters + "}}}]");
}

std::string deployment(const std::string& replicas, const std::string& pod) {
  return "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {" + replicas +
         "template: {spec: {" + pod + "}}}}";
}

std::vector<std::string> findings_of(const std::string& yaml) {
  std::vector<std::string> found;
  const auto documents = json::parse_yaml(yaml).take();
  const auto checked = ManifestChecker(snapshot::Server()).check(documents.front());
  for (const ManifestFinding& finding : checked.front().findings)
    found.push_back(base::format("{} {}", finding.code, finding.path));
  return found;
}

std::vector<Row> of_claims() {
  return {
      {"32 devices", claim("requests: [{name: r, exactly: {deviceClassName: c, count: 32}}]"), {}},
      {"33 devices in two requests",
       claim("requests: [{name: r, exactly: {deviceClassName: c, count: 30}}, {name: s, exactly: "
             "{deviceClassName: c, count: 3}}]"),
       {"CountTooLarge spec.devices.requests"}},
      {"the chips of a host in two requests",
       claim("requests: [{name: r, exactly: {deviceClassName: tpu.google.com, count: 3}}, {name: "
             "s, exactly: {deviceClassName: tpu.google.com}}]"),
       {}},
      {"chips that no host has",
       claim("requests: [{name: r, exactly: {deviceClassName: tpu.google.com, count: 3}}]"),
       {"PartialHost spec.devices.requests"}},
      {"the chips of several hosts",
       claim("requests: [{name: r, exactly: {deviceClassName: tpu.google.com, count: 16}}]"),
       {"PartialHost spec.devices.requests"}},
      {"all chips of a host",
       claim("requests: [{name: r, exactly: {deviceClassName: tpu.google.com, allocationMode: "
             "All}}]"),
       {}},
      {"33 devices, but only if the larger alternative is taken",
       choice("{name: a, deviceClassName: c, count: 32}, {name: b, deviceClassName: c, count: 1}"),
       {}},
      {"an alternative that nothing can hold",
       choice("{name: a, deviceClassName: c, count: 33}, {name: b, deviceClassName: c}"),
       {"AlternativeDead spec.devices.requests[0].firstAvailable[0]"}},
      {"a larger alternative behind a smaller one",
       choice("{name: a, deviceClassName: c}, {name: b, deviceClassName: c, count: 2}"),
       {"AlternativeDead spec.devices.requests[0].firstAvailable[1]"}},
      {"a smaller alternative behind a larger one",
       choice("{name: a, deviceClassName: c, count: 2}, {name: b, deviceClassName: c}"),
       {}},
      {"a narrower alternative behind a wider one",
       choice("{name: a, deviceClassName: c}, {name: b, deviceClassName: c, selectors: [{cel: "
              "{expression: 'true'}}]}"),
       {"AlternativeDead spec.devices.requests[0].firstAvailable[1]"}},
      {"alternatives of two classes",
       choice("{name: a, deviceClassName: c}, {name: b, deviceClassName: d}"),
       {}},
      {"an alternative that tolerates more",
       choice("{name: a, deviceClassName: c}, {name: b, deviceClassName: c, tolerations: "
              "[{operator: Exists}]}"),
       {}},
      {"an alternative for which a constraint is",
       claim("requests: [{name: r, firstAvailable: [{name: a, deviceClassName: c}, {name: b, "
             "deviceClassName: c}]}], constraints: [{requests: [r/a], matchAttribute: d/x}]"),
       {}},
      {"a selector of what cannot exist",
       claim("requests: [{name: r, exactly: {deviceClassName: c, selectors: [{cel: {expression: "
             "\"device.attributes['a.b/c'].d == 1\"}}]}}]"),
       {"SelectorPathUnknown spec.devices.requests[0].exactly.selectors[0].cel.expression"}},
  };
}

std::vector<Row> of_configurations() {
  const std::string gpu = "apiVersion: resource.nvidia.com/v1beta1, kind: GpuConfig";
  const std::string at = "spec.devices.config[0].opaque.parameters";
  return {
      {"parameters of a driver that is not known", configured("a.example.com", "b: 1"), {}},
      {"right ones", configured("gpu.nvidia.com", gpu), {}},
      {"such as need a gate",
       configured("gpu.nvidia.com", gpu + ", sharing: {strategy: MPS}"),
       {"OpaqueUnknown " + at + ".sharing.strategy"}},
      {"a kind that needs a gate, and a field that needs another",
       configured("gpu.nvidia.com",
                  "apiVersion: resource.nvidia.com/v1beta1, kind: "
                  "VfioDeviceConfig, iommu: {enableAPIDevice: true}"),
       {"OpaqueUnknown " + at + ".kind", "OpaqueUnknown " + at + ".iommu.enableAPIDevice"}},
      {"a field that is not known",
       configured("gpu.nvidia.com", gpu + ", sharring: {strategy: MPS}"),
       {"OpaqueUnknown spec.devices.config[0].opaque.parameters.sharring"}},
      {"another kind",
       configured("gpu.nvidia.com", "apiVersion: resource.nvidia.com/v1beta1, kind: TpuConfig"),
       {"OpaqueUnknown spec.devices.config[0].opaque.parameters"}},
      {"the parameters of the other strategy",
       configured("gpu.nvidia.com", gpu + ", sharing: {strategy: TimeSlicing, mpsConfig: {}}"),
       {"OpaqueUnknown " + at + ".sharing.strategy", "OpaqueUnknown " + at + ".sharing.mpsConfig"}},
      {"an interval that is none",
       configured("gpu.nvidia.com", gpu + ", sharing: {strategy: TimeSlicing, timeSlicingConfig: "
                                          "{interval: Longest}}"),
       {"OpaqueUnknown " + at + ".sharing.strategy",
        "OpaqueUnknown " + at + ".sharing.timeSlicingConfig.interval"}},
      {"a percentage beyond all, and a limit that is no quantity",
       configured("gpu.nvidia.com",
                  gpu + ", sharing: {strategy: MPS, mpsConfig: {defaultActiveThreadPercentage: "
                        "101, defaultPinnedDeviceMemoryLimit: 1 GB}}"),
       {"OpaqueUnknown " + at + ".sharing.strategy",
        "OpaqueUnknown " + at + ".sharing.mpsConfig.defaultActiveThreadPercentage",
        "OpaqueUnknown " + at + ".sharing.mpsConfig.defaultPinnedDeviceMemoryLimit"}},
      {"a field that is wanted",
       configured("compute-domain.nvidia.com",
                  "apiVersion: resource.nvidia.com/v1beta1, kind: ComputeDomainChannelConfig"),
       {"OpaqueUnknown " + at + ".domainID"}},
      {"a network, with neither version nor kind",
       configured(
           "dra.net",
           "interface: {name: eth1, mtu: 8896, addresses: [10.0.0.1/24]}, routes: "
           "[{destination: 0.0.0.0/0, gateway: 10.0.0.2}], ethtool: {features: {tso: true}}"),
       {}},
      {"a network with nearly a field, dhcp beside addresses, and a name that is too long",
       configured("dra.net",
                  "interface: {dhcp: true, addresses: [a], name: a-very-long-name}, routes: "
                  "[{dest: a}, {destinaton: b}]"),
       {"OpaqueUnknown " + at + ".interface.addresses", "OpaqueUnknown " + at + ".interface.name",
        "OpaqueUnknown " + at + ".routes[0].dest",
        "OpaqueUnknown " + at + ".routes[1].destinaton"}},
      {"a virtual function",
       configured("sriovnetwork.k8snetworkplumbingwg.io",
                  "apiVersion: sriovnetwork.k8snetworkplumbingwg.io/v1alpha1, kind: VfConfig, "
                  "ifName: net1, addVhostMount: yes please"),
       {"OpaqueUnknown " + at + ".addVhostMount"}},
      {"processors", configured("dra.cpu", "apiVersion: v1alpha1, cpuConfig: {cpuset: 2-5}"), {}},
      {"any for a driver that has none",
       configured("tpu.google.com", "a: 1"),
       {"OpaqueUnknown spec.devices.config[0].opaque"}},
  };
}

std::vector<Row> of_pods() {
  const std::string used = "containers: [{name: c, resources: {claims: [{name: g}]}}]";
  const std::string by_name = ", resourceClaims: [{name: g, resourceClaimName: x}]";
  const std::string by_template = ", resourceClaims: [{name: g, resourceClaimTemplateName: x}]";
  const std::string claims = "spec.template.spec.resourceClaims[0]";
  return {
      {"a claim of its own for each", deployment("replicas: 3, ", used + by_template), {}},
      {"one claim for one", deployment("replicas: 1, ", used + by_name), {}},
      {"one claim for an unknown number", deployment("", used + by_name), {}},
      {"one claim for three",
       deployment("replicas: 3, ", used + by_name),
       {"ClaimShared " + claims + ".resourceClaimName"}},
      {"a claim that nobody uses",
       deployment("", "containers: [{name: c}]" + by_template),
       {"ClaimUnused " + claims}},
      {"a claim that only an init container uses",
       deployment("",
                  "containers: [{name: c}], initContainers: [{name: i, resources: {claims: "
                  "[{name: g}]}}]" +
                      by_template),
       {}},
      {"what the driver sets",
       deployment("",
                  "containers: [{name: c, env: [{name: TPU_HOST_BOUNDS, value: '1,1,1'}], "
                  "resources: {claims: [{name: g}]}}]" +
                      by_template),
       {"EnvShadowed spec.template.spec.containers[0].env[0]"}},
      {"the same without a claim",
       deployment("", "containers: [{name: c, env: [{name: TPU_HOST_BOUNDS, value: '1,1,1'}]}]"),
       {}},
  };
}

std::vector<Row> of_any() {
  const std::string spec = "spec: {selectors: [{cel: {expression: device.driver == 'a.com'}}]}";
  const std::string old = "kind: DeviceClass, metadata: {name: a}, " + spec + "}";
  const std::string live =
      "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: a, uid: u, "
      "creationTimestamp: null}, " +
      spec + "}";
  return {
      {"the newest version", "{apiVersion: resource.k8s.io/v1, " + old, {}},
      {"an older version",
       "{apiVersion: resource.k8s.io/v1beta1, " + old,
       {"VersionNotServed apiVersion"}},
      {"pasted from a cluster", live, {"ServerField metadata.uid"}},
      {"a class of everything",
       "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: a}, spec: {}}",
       {"ClassMatchesAll spec"}},
  };
}

TEST_CASE("lint") {
  for (const auto& rows : {of_claims(), of_configurations(), of_pods(), of_any()}) {
    for (const Row& row : rows) {
      CAPTURE(std::string(row.name));
      CHECK(findings_of(row.object) == row.want);
    }
  }
}

}  // namespace
}  // namespace dra::checks::lint_test

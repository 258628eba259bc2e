// tests/checks/convert/plugin_resources_test.cpp: what resources of device plugins are to DRA.

#include "src/checks/convert/plugin_resources.h"

#include <doctest/doctest.h>

namespace dra::checks::plugin_resources_test {
namespace {

struct Row {
  const char* resource;
  const char* device_class;  // empty: none would do the same
  const char* value = "";
};

constexpr Row kRows[] = {
    {"nvidia.com/gpu", "gpu.nvidia.com"},
    {"nvidia.com/gpu.shared", ""},
    {"nvidia.com/mig-1g.5gb", "mig.nvidia.com", "1g.5gb"},
    {"nvidia.com/mig-1g.10gb.me", "mig.nvidia.com", "1g.10gb+me"},
    {"nvidia.com/mig-1g.10gb.me.all", "mig.nvidia.com", "1g.10gb+me.all"},
    {"nvidia.com/mig-1g.5gb.shared", ""},
    {"nvidia.com/mig-1g", ""},
    {"nvidia.com/mig-g.5gb", ""},
    {"nvidia.com/mig-1g.5gb.", ""},
    {"nvidia.com/mig-1g.5gb\"", ""},
    {"amd.com/gpu", "gpu.amd.com"},
    {"amd.com/cpx_nps4", "gpu.amd.com", "cpx_nps4"},
    {"amd.com/cpx_nps", ""},
    {"amd.com/_nps1", ""},
    {"amd.com/other", ""},
    {"google.com/tpu", "tpu.google.com"},
    {"gpu.intel.com/i915", "gpu.intel.com"},
    {"gpu.intel.com/xe", "gpu.intel.com"},
    {"gpu.intel.com/xe_monitoring", ""},
    {"habana.ai/gaudi", "gaudi.intel.com"},
    {"qat.intel.com/generic", "qat.intel.com"},
    {"qat.intel.com/cy", "qat.intel.com", "\"sym;asym\", \"asym;sym\""},
    {"qat.intel.com/dc", "qat.intel.com", "\"dc\""},
    {"qat.intel.com/else", ""},
    {"aws.amazon.com/neuron", "neuron.aws.com"},
    {"aws.amazon.com/neurondevice", "neuron.aws.com"},
    {"aws.amazon.com/neuroncore", ""},
    {"vpc.amazonaws.com/efa", "efa.networking.k8s.aws"},
    {"example.com/fpga", ""},
};

TEST_CASE("a resource has a class, or a reason why not") {
  for (const Row& row : kRows) {
    CAPTURE(row.resource);
    const Meaning meaning = meaning_of(row.resource, nullptr);
    CHECK((meaning.resource == nullptr) == std::string(row.device_class).empty());
    CHECK((meaning.resource == nullptr) == !meaning.reason.empty());
    if (meaning.resource == nullptr) continue;
    CHECK(meaning.resource->device_class == row.device_class);
    CHECK(meaning.value == row.value);
  }
}

struct LabelRow {
  const char* label;
  const char* value;
  const char* device_class;
  const char* profile = "";
};

constexpr LabelRow kLabels[] = {
    {"cloud.google.com/gke-accelerator", "nvidia-l4", "gpu.nvidia.com"},
    {"cloud.google.com/gke-gpu-partition-size", "1g.5gb", ""},
    {"cloud.google.com/gke-gpu-sharing-strategy", "time-sharing", ""},
    {"nvidia.com/gpu.product", "NVIDIA-L4", "gpu.nvidia.com"},
    {"nvidia.com/gpu.product", "NVIDIA-L4-SHARED", ""},
    {"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", "mig.nvidia.com", "1g.5gb"},
};

TEST_CASE("a node's labels say what nvidia.com/gpu is there") {
  for (const LabelRow& row : kLabels) {
    CAPTURE(row.value);
    const json::Value selector = json::Value::object({{row.label, row.value, {}}});
    const Meaning meaning = meaning_of("nvidia.com/gpu", &selector);
    CHECK((meaning.resource == nullptr ? "" : meaning.resource->device_class) == row.device_class);
    CHECK(meaning.value == row.profile);
    // Of other resources they say nothing.
    CHECK(meaning_of("amd.com/gpu", &selector).resource != nullptr);
  }
}

TEST_CASE("extended resources are those of other domains") {
  CHECK(is_extended_resource("nvidia.com/gpu"));
  for (const char* name : {"cpu", "hugepages-2Mi", "kubernetes.io/x", "requests.nvidia.com/gpu",
                           "deviceclass.resource.kubernetes.io/gpu.nvidia.com"}) {
    CAPTURE(name);
    CHECK_FALSE(is_extended_resource(name));
  }
}

}  // namespace
}  // namespace dra::checks::plugin_resources_test

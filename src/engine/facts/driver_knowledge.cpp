// src/engine/facts/driver_knowledge.cpp: the table of drivers. A driver is a row.

#include "dra/engine/facts/driver_knowledge.h"

#include <algorithm>
#include <string>

namespace dra::engine {
namespace {

constexpr DriverKnowledge kDrivers[] = {
    {.driver = "compute-domain.nvidia.com",
     .plugins = {"nvidia-dra-driver", "dra-driver-nvidia-gpu"}},
    {.driver = "dra.cpu", .plugins = {"dracpu", "dra-driver-cpu"}},
    {.driver = "dra.memory", .plugins = {"dramemory", "dra-driver-memory"}},
    {.driver = "dra.net", .plugins = {"dranet"}},
    {.driver = "gaudi.intel.com", .plugins = {"intel-gaudi-resource-driver"}},
    {.driver = "gpu.amd.com", .plugins = {"gpu-dra-driver", "amd-gpu-dra"}},
    {.driver = "gpu.example.com", .plugins = {"dra-example-driver"}},
    {.driver = "gpu.intel.com", .plugins = {"intel-gpu-resource-driver"}},
    {.driver = "gpu.nvidia.com", .plugins = {"nvidia-dra-driver", "dra-driver-nvidia-gpu"}},
    {.driver = "neuron.aws.com", .plugins = {"neuron-dra"}},
    {.driver = "qat.intel.com", .plugins = {"intel-qat-resource-driver"}},
    {.driver = "sriovnetwork.k8snetworkplumbingwg.io", .plugins = {"dra-driver-sriov"}},
    {.driver = "tpu.google.com",
     .plugins = {"dra-driver-google-tpu", "tpu-dra-driver", "tpu-kubelet-plugin"},
     .whole_hosts = true},
};

bool has(std::string_view text, std::string_view part) {
  return !part.empty() && text.find(part) != std::string_view::npos;
}

}  // namespace

const DriverKnowledge* knowledge_of(std::string_view driver) {
  const auto* found = std::ranges::find(kDrivers, driver, &DriverKnowledge::driver);
  return found == std::end(kDrivers) ? nullptr : found;
}

bool hands_out_hosts(std::string_view driver) {
  const DriverKnowledge* known = knowledge_of(driver);
  return known != nullptr && known->whole_hosts;
}

bool runs_plugin_of(const api::Pod& pod, std::string_view driver) {
  const api::OwnerReference* owner = api::controller_of(pod.meta);
  if (owner == nullptr || owner->kind != "DaemonSet") return false;
  const auto called = [&pod](std::string_view part) { return has(pod.meta.name, part); };
  const DriverKnowledge* known = knowledge_of(driver);
  if (known != nullptr && std::ranges::any_of(known->plugins, called)) return true;
  std::string name(driver);
  std::ranges::replace(name, '.', '-');
  return called(name) || std::ranges::any_of(pod.meta.labels, [&](const auto& label) {
           return label.value == driver || label.value == name;
         });
}

}  // namespace dra::engine

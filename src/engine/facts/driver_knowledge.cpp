// src/engine/facts/driver_knowledge.cpp: the table of drivers. A driver is a row.

#include "dra/engine/facts/driver_knowledge.h"

#include <algorithm>
#include <optional>
#include <string>

#include "dra/api/daemon_pod.h"

namespace dra::engine {
namespace {

constexpr DriverKnowledge kDrivers[] = {
    {.driver = "compute-domain.nvidia.com",
     .plugins = {"nvidia-dra-driver", "dra-driver-nvidia-gpu"}},
    {.driver = "dra.cpu", .plugins = {"dracpu", "dra-driver-cpu"}},
    {.driver = "dra.memory", .plugins = {"dramemory", "dra-driver-memory"}},
    {.driver = "dra.net", .noun = "NIC", .plugins = {"dranet"}, .serves_pods = true},
    {.driver = "gaudi.intel.com",
     .noun = "accelerator",
     .plugins = {"intel-gaudi-resource-driver"}},
    {.driver = "gpu.amd.com", .noun = "GPU", .plugins = {"gpu-dra-driver", "amd-gpu-dra"}},
    {.driver = "gpu.example.com", .noun = "GPU", .plugins = {"dra-example-driver"}},
    {.driver = "gpu.intel.com", .noun = "GPU", .plugins = {"intel-gpu-resource-driver"}},
    {.driver = "gpu.nvidia.com",
     .noun = "GPU",
     .plugins = {"nvidia-dra-driver", "dra-driver-nvidia-gpu"}},
    {.driver = "neuron.aws.com", .noun = "accelerator", .plugins = {"neuron-dra"}},
    {.driver = "qat.intel.com", .plugins = {"intel-qat-resource-driver"}},
    {.driver = "sriovnetwork.k8snetworkplumbingwg.io",
     .noun = "NIC",
     .plugins = {"dra-driver-sriov"},
     .serves_pods = true},
    {.driver = "tpu.google.com",
     .noun = "TPU",
     .plugins = {"dra-driver-google-tpu", "tpu-dra-driver", "tpu-kubelet-plugin"},
     .whole_hosts = true},
};

// Parts of the names of objects of drivers.
constexpr std::string_view kSignsOfDra[] = {"dra-", "-dra", "kubelet-plugin", "kubeletplugin",
                                            "resource-driver"};

bool has(std::string_view text, std::string_view part) {
  return !part.empty() && text.find(part) != std::string_view::npos;
}

// What the kubelet's plugin directories of the pod say: no value if it mounts none that is of one
// driver.
std::optional<bool> mounts_plugin_of(const api::Pod& pod, std::string_view driver) {
  constexpr std::string_view plugins = "/plugins/";
  std::optional<bool> mounts;
  for (const api::Volume& volume : pod.spec.volumes) {
    if (!volume.source.host_path) continue;
    const std::string_view path = volume.source.host_path->path;
    const std::size_t at = path.find(plugins);
    if (at == std::string_view::npos) continue;
    std::string_view name = path.substr(at + plugins.size());
    name = name.substr(0, name.find('/'));
    if (name.find('.') == std::string_view::npos) continue;
    mounts = mounts.value_or(false) || name == driver;
  }
  return mounts;
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

bool hands_to_containers(std::string_view driver) {
  const DriverKnowledge* known = knowledge_of(driver);
  return known != nullptr && !known->serves_pods;
}

std::string_view vendor_domain(std::string_view driver) {
  const std::size_t last = driver.rfind('.');
  const std::size_t before =
      last == std::string_view::npos || last == 0 ? last : driver.rfind('.', last - 1);
  return before == std::string_view::npos ? std::string_view() : driver.substr(before + 1);
}

// Whether another known driver is of the same vendor, so that the vendor's name does not tell which
// of them is meant.
bool has_sibling(const DriverKnowledge& known) {
  return std::ranges::any_of(kDrivers, [&known](const DriverKnowledge& other) {
    return other.driver != known.driver &&
           vendor_domain(other.driver) == vendor_domain(known.driver);
  });
}

bool is_named_for(const api::ObjectMeta& object, std::string_view driver) {
  const auto called = [&object](std::string_view part) { return has(object.name, part); };
  const DriverKnowledge* known = knowledge_of(driver);
  if (known != nullptr && std::ranges::any_of(known->plugins, called)) return true;
  std::string name(driver);
  std::ranges::replace(name, '.', '-');
  if (called(name) || std::ranges::any_of(object.labels, [&](const auto& label) {
        return label.value == driver || label.value == name;
      }))
    return true;
  if (known != nullptr && has_sibling(*known)) return false;
  std::string_view vendor = vendor_domain(driver);
  vendor = vendor.substr(0, vendor.find('.'));
  return called(vendor) && std::ranges::any_of(kSignsOfDra, called);
}

bool runs_plugin_of(const api::Pod& pod, std::string_view driver) {
  return api::daemon_set_of(pod) != nullptr &&
         mounts_plugin_of(pod, driver).value_or(is_named_for(pod.meta, driver));
}

}  // namespace dra::engine

// src/checks/convert/plugin_resources.cpp: the table of device plugin resources. A new driver is a
// row.
//
// Resource names are those of the vendors' device plugins, attributes those of their DRA drivers. A
// selector checks with has() for an attribute that some releases of the driver do not publish: an
// expression that fails would stop the pod.

#include "src/checks/convert/plugin_resources.h"

#include <algorithm>
#include <array>

#include "dra/base/ascii.h"
#include "dra/base/text.h"

namespace dra::checks {
namespace {

bool is_small(char c) { return c >= 'a' && c <= 'z'; }

std::size_t count_digits(std::string_view text) {
  const auto* end = std::ranges::find_if_not(text, base::is_digit);
  return static_cast<std::size_t>(end - text.begin());
}

// Removes a number and the word after it from the text; false if the text does not begin so.
bool take(std::string_view& text, std::string_view word) {
  const std::size_t digits = count_digits(text);
  if (digits == 0 || !text.substr(digits).starts_with(word)) return false;
  text.remove_prefix(digits + word.size());
  return true;
}

// "1g.5gb.me" is the profile 1g.5gb+me: resource names have no plus sign.
std::string mig_profile(std::string_view rest) {
  std::string_view left = rest;
  if (!take(left, "g.") || !take(left, "gb")) return {};
  std::string profile(rest.substr(0, rest.size() - left.size()));
  if (left.empty()) return profile;
  const bool words = left.size() > 1 && left[0] == '.' &&
                     std::ranges::all_of(left, [](char c) { return c == '.' || is_small(c); });
  return words ? profile + "+" + std::string(left.substr(1)) : std::string();
}

// "cpx_nps4": the partitioning of the chip and of its memory.
std::string amd_partition(std::string_view rest) {
  const std::size_t line = rest.find('_');
  if (line == 0 || line == std::string_view::npos) return {};
  std::string_view memory = rest.substr(line + 1);
  if (!memory.starts_with("nps")) return {};
  memory.remove_prefix(3);
  const bool right = std::ranges::all_of(rest.substr(0, line), is_small) && take(memory, "");
  return right && memory.empty() ? std::string(rest) : std::string();
}

// The driver publishes two services in either order.
std::string qat_services(std::string_view rest) {
  if (rest == "cy") return R"("sym;asym", "asym;sym")";
  if (rest == "sym-dc") return R"("sym;dc", "dc;sym")";
  if (rest == "asym-dc") return R"("asym;dc", "dc;asym")";
  const bool one = rest == "sym" || rest == "asym" || rest == "dc";
  return one ? base::format("\"{}\"", rest) : std::string();
}

constexpr PluginResource kResources[] = {
    {.name = "amd.com/gpu",
     .driver = "gpu.amd.com",
     .device_class = "gpu.amd.com",
     .noun = "gpu",
     .served_by_class = true,
     .ray_parameter = "num-gpus"},
    {.name = "amd.com/",
     .value = amd_partition,
     .example = "amd.com/cpx_nps4",
     .driver = "gpu.amd.com",
     .device_class = "gpu.amd.com",
     .noun = "gpu",
     .selector = R"("partitionProfile" in device.attributes["gpu.amd.com"] && )"
                 R"(device.attributes["gpu.amd.com"].partitionProfile == "{}")"},
    {.name = "aws.amazon.com/neuron",
     .driver = "neuron.aws.com",
     .device_class = "neuron.aws.com",
     .noun = "neuron",
     .selector = R"(!("resourceType" in device.attributes["neuron.aws.com"]) || )"
                 R"(device.attributes["neuron.aws.com"].resourceType == "neuron_device")",
     .taints = true},
    {.name = "aws.amazon.com/neurondevice",
     .driver = "neuron.aws.com",
     .device_class = "neuron.aws.com",
     .noun = "neuron",
     .selector = R"(!("resourceType" in device.attributes["neuron.aws.com"]) || )"
                 R"(device.attributes["neuron.aws.com"].resourceType == "neuron_device")"},
    {.name = "google.com/tpu",
     .driver = "tpu.google.com",
     .device_class = "tpu.google.com",
     .noun = "tpu",
     .selector = R"(!("chipCount" in device.attributes["tpu.google.com"]) || )"
                 R"(device.attributes["tpu.google.com"].chipCount == {})",
     .taints = true,
     .ray_parameter = "resources"},
    {.name = "gpu.intel.com/i915",
     .driver = "gpu.intel.com",
     .device_class = "gpu.intel.com",
     .noun = "gpu",
     .selector = R"(!("driver" in device.attributes["gpu.intel.com"]) || )"
                 R"(device.attributes["gpu.intel.com"].driver == "i915")"},
    {.name = "gpu.intel.com/xe",
     .driver = "gpu.intel.com",
     .device_class = "gpu.intel.com",
     .noun = "gpu",
     .selector = R"(!("driver" in device.attributes["gpu.intel.com"]) || )"
                 R"(device.attributes["gpu.intel.com"].driver == "xe")"},
    {.name = "habana.ai/gaudi",
     .driver = "gaudi.intel.com",
     .device_class = "gaudi.intel.com",
     .noun = "gaudi"},
    {.name = "nvidia.com/gpu",
     .driver = "gpu.nvidia.com",
     .device_class = "gpu.nvidia.com",
     .noun = "gpu",
     .served_by_class = true,
     .taints = true,
     .ray_parameter = "num-gpus"},
    {.name = "nvidia.com/mig-",
     .value = mig_profile,
     .example = "nvidia.com/mig-1g.5gb",
     .driver = "gpu.nvidia.com",
     .device_class = "mig.nvidia.com",
     .noun = "mig",
     .selector = R"(device.attributes["gpu.nvidia.com"].profile == "{}")",
     .ray_parameter = "num-gpus"},
    {.name = "qat.intel.com/generic",
     .driver = "qat.intel.com",
     .device_class = "qat.intel.com",
     .noun = "qat"},
    {.name = "qat.intel.com/",
     .value = qat_services,
     .example = "qat.intel.com/cy",
     .driver = "qat.intel.com",
     .device_class = "qat.intel.com",
     .noun = "qat",
     .selector = R"(device.attributes["qat.intel.com"].services in [{}])"},
    {.name = "vpc.amazonaws.com/efa",
     .driver = "dra.net",
     .device_class = "efa.networking.k8s.aws",
     .noun = "efa"},
};

// Resources whose devices a driver has in another form.
struct Unlike {
  std::string_view prefix;
  std::string_view suffix;
  std::string_view reason;
};
constexpr std::string_view kShared =
    "a claim of a template has its GPU alone; for one that pods share, name one ResourceClaim in "
    "all of them, with a GpuConfig for sharing";
constexpr Unlike kUnlike[] = {
    {"aws.amazon.com/neuroncore", "", "driver neuron.aws.com hands out whole devices, not cores"},
    {"gpu.intel.com/", "_monitoring",
     "who watches GPUs that others use needs a claim with adminAccess, in a namespace for that"},
    {"nvidia.com/", ".shared", kShared},
};

// Labels of nodes that tell which devices nvidia.com/gpu stands for.
struct Telling {
  std::string_view label;
  std::string_view suffix;  // of the label's value
  std::string_view reason;
};
constexpr std::string_view kGpu = "nvidia.com/gpu";
constexpr std::string_view kProduct = "nvidia.com/gpu.product";
constexpr std::string_view kMigProduct = "-MIG-";
constexpr Telling kTelling[] = {
    {"cloud.google.com/gke-gpu-partition-size", "",
     "GKE has no partitions of GPUs for DRA, which the nodeSelector asks for"},
    {"cloud.google.com/gke-gpu-sharing-strategy", "",
     "GKE has no shared GPUs for DRA, which the nodeSelector asks for"},
    {kProduct, "-SHARED", kShared},
};

Meaning by_row(std::string_view name) {
  for (const PluginResource& row : kResources) {
    if (row.value == nullptr && row.name == name) return {.resource = &row};
    if (row.value == nullptr || !name.starts_with(row.name)) continue;
    const std::string_view rest = name.substr(row.name.size());
    std::string value = row.value(rest);
    if (!value.empty())
      return {.resource = &row, .value = std::move(value), .variant = std::string(rest)};
  }
  return {.reason = "no DRA driver is known for it"};
}

}  // namespace

std::span<const PluginResource> plugin_resources() { return kResources; }

Meaning meaning_of(std::string_view resource, const json::Value* node_selector) {
  for (const Unlike& one : kUnlike) {
    if (resource.starts_with(one.prefix) && resource.ends_with(one.suffix))
      return {.reason = std::string(one.reason)};
  }
  if (resource != kGpu || node_selector == nullptr) return by_row(resource);
  for (const Telling& one : kTelling) {
    const std::string& said = node_selector->string_at(one.label);
    if (!said.empty() && said.ends_with(one.suffix)) return {.reason = std::string(one.reason)};
  }
  // With its strategy "single" the plugin offers MIG devices under this name, and the label of the
  // product says so.
  const std::string& product = node_selector->string_at(kProduct);
  const std::size_t mig = product.find(kMigProduct);
  if (mig == std::string::npos) return by_row(resource);
  return by_row("nvidia.com/mig-" + product.substr(mig + kMigProduct.size()));
}

bool is_extended_resource(std::string_view name) {
  return name.find('/') != std::string_view::npos &&
         name.find("kubernetes.io/") == std::string_view::npos && !name.starts_with("requests.");
}

}  // namespace dra::checks

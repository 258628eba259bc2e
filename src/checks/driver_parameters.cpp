// src/checks/driver_parameters.cpp: see driver_parameters.h. The rows are from the drivers' own
// configuration types: NVIDIA/k8s-dra-driver-gpu (api/nvidia.com/resource/v1beta1),
// ROCm/k8s-gpu-dra-driver (api/gpu.resource.amd.com), the Neuron driver of AWS.

#include "src/checks/driver_parameters.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "dra/base/text.h"

namespace dra::checks {
namespace {

struct Parameters {
  std::string_view driver;
  std::string_view api_version;
  std::string_view kind;
  std::string_view fields;  // beside apiVersion and kind
};
constexpr std::string_view kNvidia = "resource.nvidia.com/v1beta1";
constexpr std::array kKnown = {
    Parameters{"compute-domain.nvidia.com", kNvidia, "ComputeDomainChannelConfig",
               "domainID allocationMode"},
    Parameters{"compute-domain.nvidia.com", kNvidia, "ComputeDomainDaemonConfig", "domainID"},
    Parameters{"gpu.amd.com", "gpu.resource.amd.com/v1alpha1", "GpuConfig", ""},
    Parameters{"gpu.nvidia.com", kNvidia, "GpuConfig", "sharing"},
    Parameters{"gpu.nvidia.com", kNvidia, "MigDeviceConfig", "sharing"},
    Parameters{"gpu.nvidia.com", kNvidia, "VfioDeviceConfig", "iommu"},
    Parameters{"neuron.aws.com", "neuron.aws.com/v1", "NeuronConfig", "logicalNeuronCore"},
};
// Whatever stands there is not read.
constexpr std::array<std::string_view, 3> kIgnoring = {"gaudi.intel.com", "qat.intel.com",
                                                       "tpu.google.com"};

std::vector<const Parameters*> known_of(std::string_view driver) {
  std::vector<const Parameters*> known;
  for (const Parameters& one : kKnown) {
    if (one.driver == driver) known.push_back(&one);
  }
  return known;
}

std::string kinds_of(std::span<const Parameters* const> known) {
  std::vector<std::string> kinds;
  for (const Parameters* one : known)
    kinds.push_back(base::format("{} {}", one->api_version, one->kind));
  return base::join(kinds, ", ");
}

void check_fields_of(const Field& parameters, const Parameters& known) {
  const auto fields = base::split(known.fields, ' ');
  for (const auto& [name, unused] : parameters.entries()) {
    if (name == "apiVersion" || name == "kind") continue;
    if (std::ranges::find(fields, name) != fields.end()) continue;
    const std::string_view near = base::nearest(name, fields);
    parameters.child(name).warn(
        diag::Code::OpaqueUnknown,
        base::format("driver {} knows no field {} of {}, and refuses to prepare the claim",
                     known.driver, name, known.kind),
        known.fields.empty() ? std::string("leave it away: this kind has no fields")
        : near.empty()
            ? base::format("it has: {}",
                           base::join(std::vector<std::string>(fields.begin(), fields.end()), ", "))
            : base::format("did you mean {}?", near));
  }
}

}  // namespace

void check_driver_parameters(const Field& opaque) {
  const std::string_view driver = opaque.child("driver").text();
  const Field parameters = opaque.child("parameters");
  if (!parameters.present() || !parameters.value()->is(json::Kind::Object)) return;
  if (std::ranges::find(kIgnoring, driver) != kIgnoring.end()) {
    opaque.warn(diag::Code::OpaqueUnknown,
                base::format("driver {} takes no parameters, and ignores what stands here", driver),
                "leave the configuration away");
    return;
  }
  const auto known = known_of(driver);
  if (known.empty()) return;
  const std::string_view version = parameters.child("apiVersion").text();
  const std::string_view kind = parameters.child("kind").text();
  const auto found = std::ranges::find_if(known, [&](const Parameters* one) {
    return one->api_version == version && one->kind == kind;
  });
  if (found != known.end()) return check_fields_of(parameters, **found);
  parameters.warn(
      diag::Code::OpaqueUnknown,
      base::format("driver {} does not know parameters of {} {}, and refuses to prepare the claim",
                   driver, version.empty() ? std::string_view("no apiVersion") : version,
                   kind.empty() ? std::string_view("and no kind") : kind),
      base::format("it takes {}", kinds_of(known)));
}

}  // namespace dra::checks

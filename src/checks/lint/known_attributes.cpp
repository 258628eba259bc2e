// src/checks/lint/known_attributes.cpp: one table per driver, from the drivers' sources:
// kubernetes-sigs/dra-driver-google-tpu, NVIDIA/k8s-dra-driver-gpu, ROCm/k8s-gpu-dra-driver,
// intel-resource-drivers-for-kubernetes, kubernetes-sigs/dra-driver-cpu.

#include "dra/checks/lint/known_attributes.h"

#include <algorithm>
#include <array>

namespace dra::checks {
namespace {

using enum AttributeKind;

constexpr KnownAttribute kTpu[] = {
    {"accelerator", String}, {"brand", String},  {"chipCount", Int}, {"index", Int},
    {"topology", String},    {"tpuGen", String}, {"uuid", String},
};
constexpr std::string_view kTpuClasses[] = {"tpu.google.com"};

constexpr std::string_view kMigDriver = "mig.nvidia.com";
constexpr std::string_view kVfioDriver = "vfio.gpu.nvidia.com";
constexpr KnownAttribute kGpuAttributes[] = {
    {"addressingMode", String},
    {"architecture", String},
    {"brand", String},
    {"cudaComputeCapability", Version},
    {"cudaDriverVersion", Version},
    {"deviceID", String, kVfioDriver},
    {"driverVersion", Version},
    {"gpuModuleID", Int},
    {"index", Int},
    {"iommuFDEnabled", Bool, kVfioDriver},
    {"minor", Int},
    {"numa", Int, kVfioDriver},
    {"parentIndex", Int, kMigDriver},
    {"parentUUID", String, kMigDriver},
    {"partition1", Int},
    {"partition2", Int},
    {"partition4", Int},
    {"partition8", Int},
    {"pcieBusID", String},
    {"productName", String},
    {"profile", String, kMigDriver},
    {"type", String},
    {"uuid", String},
    {"vendorID", String, kVfioDriver},
};
constexpr std::string_view kGpuCapacities[] = {"addressableMemory", "copyEngines",     "decoders",
                                               "encoders",          "jpegEngines",     "memory",
                                               "ofaEngines",        "multiprocessors", "shares"};
constexpr std::string_view kGpuClasses[] = {"gpu.nvidia.com", kMigDriver, kVfioDriver};

constexpr KnownAttribute kAmd[] = {
    {"cardIndex", Int},         {"deviceID", String},         {"driverSrcVersion", String},
    {"driverVersion", Version}, {"family", String},           {"parentDeviceID", String},
    {"parentPciAddr", String},  {"partitionProfile", String}, {"pciAddr", String},
    {"productName", String},    {"renderIndex", Int},         {"type", String},
};
constexpr std::string_view kAmdCapacities[] = {"computeUnits", "memory", "simdUnits"};
constexpr std::string_view kAmdClasses[] = {"gpu.amd.com"};

constexpr KnownAttribute kIntel[] = {
    {"driver", String},  {"family", String}, {"health", String},
    {"model", String},   {"pciId", String},  {"pciAddress", String},
    {"pciRoot", String}, {"sriov", Bool},    {"type", String},
};
constexpr std::string_view kIntelCapacities[] = {"memory", "millicores"};
constexpr std::string_view kIntelClasses[] = {"gpu.intel.com", "gpu-vfio.intel.com"};

constexpr KnownAttribute kGaudi[] = {
    {"healthy", Bool}, {"model", String}, {"pciRoot", String}, {"serial", String}};
constexpr std::string_view kGaudiClasses[] = {"gaudi.intel.com"};

constexpr KnownAttribute kCpuAttributes[] = {
    {"cacheL3ID", Int}, {"coreID", Int},     {"coreType", String}, {"cpuID", Int},
    {"numCPUs", Int},   {"numaNodeID", Int}, {"smtEnabled", Bool}, {"socketID", Int},
};
constexpr std::string_view kCpuCapacities[] = {"cpu"};
constexpr std::string_view kCpuClasses[] = {"dra.cpu"};

constexpr std::array kDrivers = {
    KnownDriver{"dra.cpu", kCpuAttributes, kCpuCapacities, kCpuClasses},
    KnownDriver{"gaudi.intel.com", kGaudi, {}, kGaudiClasses},
    KnownDriver{"gpu.amd.com", kAmd, kAmdCapacities, kAmdClasses},
    KnownDriver{"gpu.intel.com", kIntel, kIntelCapacities, kIntelClasses},
    KnownDriver{"gpu.nvidia.com", kGpuAttributes, kGpuCapacities, kGpuClasses},
    KnownDriver{"tpu.google.com", kTpu, {}, kTpuClasses},
};

}  // namespace

const KnownDriver* known_driver(std::string_view name) {
  const auto* found = std::ranges::find(kDrivers, name, &KnownDriver::name);
  return found == kDrivers.end() ? nullptr : &*found;
}

std::vector<cel::KnownName> names_of_class(std::string_view device_class) {
  std::vector<cel::KnownName> names;
  for (const KnownDriver& driver : kDrivers) {
    if (std::ranges::find(driver.classes, device_class) == driver.classes.end()) continue;
    const std::string domain(driver.name);
    for (const KnownAttribute& attribute : driver.attributes)
      names.push_back({"attributes", domain, std::string(attribute.name)});
    for (const std::string_view capacity : driver.capacities)
      names.push_back({"capacity", domain, std::string(capacity)});
    for (const std::string_view standard : kStandardAttributes)
      names.push_back({"attributes", std::string(kStandardDomain), std::string(standard)});
  }
  return names;
}

}  // namespace dra::checks

// src/checks/lint/known_parameters.cpp: one table per kind of parameters, from the drivers'
// sources: NVIDIA/k8s-dra-driver-gpu (api/nvidia.com/resource/v1beta1), ROCm/k8s-gpu-dra-driver
// (api/gpu.resource.amd.com), k8snetworkplumbingwg/dra-driver-sriov (pkg/api/virtualfunction),
// kubernetes-sigs/dranet (pkg/apis), kubernetes-sigs/dra-driver-cpu, the Neuron driver of AWS.

#include "src/checks/lint/known_parameters.h"

#include <algorithm>
#include <array>

namespace dra::checks {
namespace {

constexpr std::string_view kNvidia = "resource.nvidia.com/v1beta1";
constexpr std::string_view kSriov = "sriovnetwork.k8snetworkplumbingwg.io";

constexpr KnownField kChannel[] = {
    {.path = "allocationMode", .holds = Holds::Text, .words = "Single All"},
    {.path = "domainID", .holds = Holds::Text, .required = true},
};
constexpr KnownField kDaemon[] = {
    {.path = "domainID", .holds = Holds::Text, .required = true},
};
// Parts of a GPU have no time slices: the rows for these, and what excludes them, come last.
constexpr KnownField kGpuFields[] = {
    {.path = "sharing", .holds = Holds::Object},
    {.path = "sharing.mpsConfig", .holds = Holds::Object},
    {.path = "sharing.mpsConfig.defaultActiveThreadPercentage",
     .holds = Holds::Number,
     .most = 100},
    {.path = "sharing.mpsConfig.defaultPerDevicePinnedMemoryLimit", .holds = Holds::Map},
    {.path = "sharing.mpsConfig.defaultPinnedDeviceMemoryLimit", .holds = Holds::Quantity},
    {.path = "sharing.mpsConfig.multiUser", .holds = Holds::Bool},
    {.path = "sharing.strategy", .holds = Holds::Text, .words = "TimeSlicing MPS"},
    {.path = "sharing.timeSlicingConfig", .holds = Holds::Object},
    {.path = "sharing.timeSlicingConfig.interval",
     .holds = Holds::Text,
     .words = "Default Short Medium Long"},
};
constexpr Exclusive kSharing[] = {
    {"sharing.mpsConfig", "sharing.strategy: TimeSlicing"},
    {"sharing.timeSlicingConfig", "sharing.strategy: MPS"},
};
constexpr auto kMigFields = std::span(kGpuFields).first(7);
constexpr auto kMigSharing = std::span(kSharing).first(1);
constexpr Gated kSharingGates[] = {
    {"sharing.strategy: MPS", "MPSSupport"},
    {"sharing.strategy: TimeSlicing", "TimeSlicingSettings"},
};
constexpr KnownField kVfioFields[] = {
    {.path = "iommu", .holds = Holds::Object},
    {.path = "iommu.backendPolicy", .holds = Holds::Text, .words = "LegacyOnly PreferIommuFD"},
    {.path = "iommu.enableAPIDevice", .holds = Holds::Bool},
};
constexpr Gated kVfioGates[] = {
    {"", "PassthroughSupport"},
    {"iommu.enableAPIDevice", "DeviceMetadata"},
};
constexpr KnownField kNeuron[] = {
    {.path = "logicalNeuronCore", .holds = Holds::Number, .least = 1, .most = 2}};
constexpr KnownField kVf[] = {
    {.path = "addVhostMount", .holds = Holds::Bool},
    {.path = "driver", .holds = Holds::Text},
    {.path = "ifName", .holds = Holds::Text},
    {.path = "netAttachDefName", .holds = Holds::Text},
    {.path = "netAttachDefNamespace", .holds = Holds::Text},
};
constexpr KnownField kCpuFields[] = {
    {.path = "cpuConfig", .holds = Holds::Object},
    {.path = "cpuConfig.cpuset", .holds = Holds::Text},
};
// Linux: IFNAMSIZ without the terminating zero.
constexpr std::int64_t kMaxInterfaceName = 15;
constexpr KnownField kNetwork[] = {
    {.path = "ethtool", .holds = Holds::Object},
    {.path = "ethtool.features", .holds = Holds::Map},
    {.path = "ethtool.privateFlags", .holds = Holds::Map},
    {.path = "interface", .holds = Holds::Object},
    {.path = "interface.acceptRA", .holds = Holds::Number, .most = 2},
    {.path = "interface.addrGenMode", .holds = Holds::Number, .most = 3},
    {.path = "interface.addresses", .holds = Holds::Texts},
    {.path = "interface.addressing", .holds = Holds::Text, .words = "Static DHCP SLAAC Unnumbered"},
    {.path = "interface.arpAnnounce", .holds = Holds::Number, .most = 2},
    {.path = "interface.arpIgnore", .holds = Holds::Number, .most = 8},
    {.path = "interface.dadTransmits", .holds = Holds::Number, .most = INT32_MAX},
    {.path = "interface.dhcp", .holds = Holds::Bool},
    {.path = "interface.disableEbpfPrograms", .holds = Holds::Bool},
    {.path = "interface.disableIPv6", .holds = Holds::Bool},
    {.path = "interface.forwarding", .holds = Holds::Bool},
    {.path = "interface.groIPv4MaxSize", .holds = Holds::Number, .most = INT32_MAX},
    {.path = "interface.groMaxSize", .holds = Holds::Number, .most = INT32_MAX},
    {.path = "interface.gsoIPv4MaxSize", .holds = Holds::Number, .most = INT32_MAX},
    {.path = "interface.gsoMaxSize", .holds = Holds::Number, .most = INT32_MAX},
    {.path = "interface.hardwareAddr", .holds = Holds::Text},
    {.path = "interface.ipvlan"},
    {.path = "interface.mtu", .holds = Holds::Number, .most = INT32_MAX},
    {.path = "interface.name", .holds = Holds::Text, .most = kMaxInterfaceName},
    {.path = "interface.routerSolicitationDelay", .holds = Holds::Number, .most = INT32_MAX},
    {.path = "interface.routerSolicitationInterval", .holds = Holds::Number, .most = INT32_MAX},
    {.path = "interface.type", .holds = Holds::Text, .words = "Passthrough IPVLAN"},
    {.path = "interface.vrf", .holds = Holds::Object},
    {.path = "interface.vrf.name", .holds = Holds::Text, .most = kMaxInterfaceName},
    {.path = "interface.vrf.table", .holds = Holds::Number, .most = INT32_MAX},
    {.path = "neighbors", .holds = Holds::Objects},
    {.path = "neighbors.destination", .holds = Holds::Text},
    {.path = "neighbors.hardwareAddr", .holds = Holds::Text},
    {.path = "profile"},
    {.path = "routes", .holds = Holds::Objects},
    {.path = "routes.destination", .holds = Holds::Text},
    {.path = "routes.gateway", .holds = Holds::Text},
    {.path = "routes.scope", .holds = Holds::Number, .most = 255},
    {.path = "routes.source", .holds = Holds::Text},
    {.path = "routes.table", .holds = Holds::Number, .most = INT32_MAX},
    {.path = "rules", .holds = Holds::Objects},
    {.path = "rules.destination", .holds = Holds::Text},
    {.path = "rules.priority", .holds = Holds::Number, .most = INT32_MAX},
    {.path = "rules.source", .holds = Holds::Text},
    {.path = "rules.table", .holds = Holds::Number, .most = INT32_MAX},
};
constexpr Exclusive kAddressing[] = {
    {"interface.addresses", "interface.dhcp"},
    {"rules", "interface.vrf"},
};

constexpr std::array kKnown = {
    KnownParameters{"compute-domain.nvidia.com", kNvidia, "ComputeDomainChannelConfig", kChannel},
    KnownParameters{"compute-domain.nvidia.com", kNvidia, "ComputeDomainDaemonConfig", kDaemon},
    KnownParameters{"dra.cpu", "v1alpha1", "", kCpuFields},
    KnownParameters{"dra.net", "", "", kNetwork, kAddressing},
    KnownParameters{"gpu.amd.com", "gpu.resource.amd.com/v1alpha1", "GpuConfig", {}},
    KnownParameters{"gpu.nvidia.com", kNvidia, "GpuConfig", kGpuFields, kSharing, kSharingGates},
    KnownParameters{"gpu.nvidia.com", kNvidia, "MigDeviceConfig", kMigFields, kMigSharing,
                    kSharingGates},
    KnownParameters{"gpu.nvidia.com", kNvidia, "VfioDeviceConfig", kVfioFields, {}, kVfioGates},
    KnownParameters{"neuron.aws.com", "neuron.aws.com/v1", "NeuronConfig", kNeuron},
    KnownParameters{kSriov, "sriovnetwork.k8snetworkplumbingwg.io/v1alpha1", "VfConfig", kVf},
};
constexpr std::array<std::string_view, 4> kIgnoring = {"dra.memory", "gaudi.intel.com",
                                                       "qat.intel.com", "tpu.google.com"};

}  // namespace

std::span<const KnownParameters> known_parameters() { return kKnown; }

bool ignores_parameters(std::string_view driver) {
  return std::ranges::find(kIgnoring, driver) != kIgnoring.end();
}

}  // namespace dra::checks

// cmd/man/man_examples.cpp: see man_examples.h.

#include "cmd/man/man_examples.h"

#include <algorithm>
#include <array>

namespace dra::cmd {
namespace {

constexpr std::string_view kOldClaim =
    "apiVersion: resource.k8s.io/v1beta1\n"
    "kind: ResourceClaim\n"
    "metadata: {name: gpu}\n"
    "spec:\n"
    "  devices:\n"
    "    requests:\n"
    "    - {name: gpu, deviceClassName: gpu.nvidia.com}\n";

constexpr std::string_view kWrongClaim =
    "apiVersion: resource.k8s.io/v1\n"
    "kind: ResourceClaim\n"
    "metadata: {name: gpu}\n"
    "spec:\n"
    "  devices:\n"
    "    requests:\n"
    "    - name: gpu\n"
    "      deviceClassName: gpu.nvidia.com\n";

// Sorted. Of the others, `report` writes a page, and `diff` and `snapshot` work with files.
constexpr std::array kShown{
    ShownExample{"claims", "claims -A --demo=mig"},
    ShownExample{"classes", "classes --demo=mig"},
    ShownExample{"completion", "completion bash"},
    ShownExample{"convert", "convert -f -", kOldClaim},
    ShownExample{"describe", "describe device gpu-3 --demo=alignment"},
    ShownExample{"devices", "devices --demo=crash"},
    ShownExample{"doctor", "doctor --demo=degraded"},
    ShownExample{"drivers", "drivers --demo=mig"},
    ShownExample{"eval", "eval 'device.driver==\"gpu.nvidia.com\"' --demo=crash"},
    ShownExample{"explain", "explain pod wants-whole-gpu -n mig-demo --demo=mig"},
    ShownExample{"get", "get claims -A --demo=mig"},
    ShownExample{"help", "help version"},
    ShownExample{"nodes", "nodes --demo=mig"},
    ShownExample{"options", "options"},
    ShownExample{"overview", "overview --demo=mig"},
    ShownExample{"plan", "plan -A --demo=mig"},
    ShownExample{"pods", "pods -A --demo=mig"},
    ShownExample{"pools", "pools --demo=mig"},
    ShownExample{"rbac", "rbac"},
    ShownExample{"schema", "schema"},
    ShownExample{"slices", "slices --demo=crash"},
    ShownExample{"taintrules", "taintrules --demo"},
    ShownExample{"templates", "templates -A --demo=crash"},
    ShownExample{"top", "top --demo=mig"},
    ShownExample{"topology", "topology --demo=mig"},
    ShownExample{"validate", "validate -f -", kWrongClaim},
    ShownExample{"version", "version --client"},
};

}  // namespace

std::optional<ShownExample> shown_example(std::string_view command) {
  const auto shown = std::ranges::find(kShown, command, &ShownExample::command);
  if (shown == kShown.end()) return std::nullopt;
  return *shown;
}

}  // namespace dra::cmd

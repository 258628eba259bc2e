// src/engine/facts/tpu_variables.cpp: see tpu_variables.h.

#include "dra/engine/facts/tpu_variables.h"

#include <algorithm>
#include <array>

namespace dra::engine {
namespace {

// VBAR_CONTROL_SERVICE_URL is left out: it holds the host's address, which is not in a snapshot.
constexpr std::array kVariables = {
    TpuVariableName{.name = "ALT", .newer = "TPU_TOPOLOGY_ALT"},
    TpuVariableName{.name = "CHIPS_PER_HOST_BOUNDS",
                    .newer = "TPU_CHIPS_PER_HOST_BOUNDS",
                    .says_how_chips_lie = true},
    TpuVariableName{.name = "DRA_RESOURCE_DRIVER_NAME"},
    TpuVariableName{.name = "ENABLE_ICI_RESILIENCY"},
    TpuVariableName{.name = "HOST_BOUNDS", .newer = "TPU_HOST_BOUNDS", .says_how_chips_lie = true},
    TpuVariableName{.name = "KUBERNETES_NODE_NAME"},
    TpuVariableName{.name = "TPU_ACCELERATOR_TYPE", .says_how_chips_lie = true},
    TpuVariableName{.name = "TPU_CHIPS_PER_HOST_BOUNDS", .says_how_chips_lie = true},
    TpuVariableName{.name = "TPU_HOST_BOUNDS", .says_how_chips_lie = true},
    TpuVariableName{.name = "TPU_SKIP_MDS_QUERY"},
    TpuVariableName{.name = "TPU_TOPOLOGY"},
    TpuVariableName{.name = "TPU_TOPOLOGY_ALT"},
    TpuVariableName{.name = "TPU_TOPOLOGY_WRAP", .says_how_chips_lie = true},
    TpuVariableName{.name = "TPU_WORKER_HOSTNAMES"},
    TpuVariableName{.name = "TPU_WORKER_ID"},
    TpuVariableName{.name = "WRAP", .newer = "TPU_TOPOLOGY_WRAP"},
};

}  // namespace

const TpuVariableName* tpu_variable(std::string_view name) {
  const auto* found = std::ranges::find(kVariables, name, &TpuVariableName::name);
  return found == kVariables.end() ? nullptr : found;
}

bool is_set_by_tpu_driver(std::string_view name) {
  const TpuVariableName* variable = tpu_variable(name);
  return variable != nullptr && variable->says_how_chips_lie;
}

}  // namespace dra::engine

// include/dra/engine/scheduler/host_parts.h
//
// Parts of TPU hosts that a subject would get. Their driver prepares all chips of a host or none,
// so the scheduler allocates a part, and the pod does not start with it.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/tpu_hosts.h"
#include "dra/engine/scheduler/node_result.h"

namespace dra::engine {

// What one claim would get of one host: at least one chip, and not all.
struct HostPart {
  const SubjectClaim* claim;
  std::string_view driver;
  TpuHost host;
  std::int64_t devices = 0;
};

// The parts in the allocation of a node that fits; empty for any other node.
std::vector<HostPart> host_parts(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                                 const NodeResult& node);

}  // namespace dra::engine

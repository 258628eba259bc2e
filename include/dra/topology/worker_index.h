// include/dra/topology/worker_index.h
//
// The worker numbers of a slice's hosts. They are not published, but the pods that hold the chips
// have numbers. These count only if the pods of one workload have each number from 0 to the last
// host exactly once: a workload of fewer pods than the slice has hosts numbers only a part of them.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"

namespace dra::topology {

// From TPU_WORKER_ID in the pod's environment; else from the label of its job or group; else from
// the end of its host name.
std::optional<std::int64_t> worker_number(const api::Pod& pod);

// A host, by name, and its pods that hold its chips.
struct HostPods {
  std::string_view node;
  std::vector<const api::Pod*> pods;
};

class Workers {
 public:
  // The snapshot must outlive it.
  explicit Workers(const snapshot::Snapshot& snapshot);

  // The numbers by node, for each host with a pod of the workload. A single host without one gets
  // the number that is left. Empty: the numbers are not known.
  std::map<std::string_view, std::int64_t> of(std::span<const HostPods> hosts,
                                              std::int64_t wanted) const;

 private:
  std::map<std::string, std::vector<const api::Pod*>> pods_;  // not ended, by workload
};

}  // namespace dra::topology

// include/dra/topology/worker_index.h
//
// Which host of a slice is which worker. Nobody publishes it: the pods that hold the chips know,
// because somebody has numbered them. A number counts only where the pods of one workload have
// numbers from 0 to the last host, each once: a workload of fewer pods than the slice has hosts
// numbers the hosts of a part of it.

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

// From TPU_WORKER_ID in its environment; else its job's or its group's label; else the number at
// the end of its host name.
std::optional<std::int64_t> worker_number(const api::Pod& pod);

// A host, by name, and the pods of it that hold its chips.
struct HostPods {
  std::string_view node;
  std::vector<const api::Pod*> pods;
};

class Workers {
 public:
  // The snapshot must outlive it.
  explicit Workers(const snapshot::Snapshot& snapshot);

  // By node. Empty where that is not known; else for each host with a pod of that workload. Of a
  // single host without one the number is the one that is left.
  std::map<std::string_view, std::int64_t> of(std::span<const HostPods> hosts,
                                              std::int64_t wanted) const;

 private:
  std::map<std::string, std::vector<const api::Pod*>> pods_;  // by workload; that have not ended
};

}  // namespace dra::topology

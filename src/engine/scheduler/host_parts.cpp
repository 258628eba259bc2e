// src/engine/scheduler/host_parts.cpp: counts the picked chips of each claim and pool.

#include "dra/engine/scheduler/host_parts.h"

#include <map>
#include <utility>

#include "dra/engine/facts/driver_knowledge.h"

namespace dra::engine {

std::vector<HostPart> host_parts(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                                 const NodeResult& node) {
  std::vector<HostPart> parts;
  if (!node.fits()) return parts;
  std::map<std::pair<const SubjectClaim*, const Pool*>, std::int64_t> taken;
  for (const PickedDevice& picked : node.allocation) {
    const DeviceId id = picked.id();
    if (hands_out_hosts(id.driver))
      ++taken[{picked.claim, inventory.find_pool(id.driver, id.pool)}];
  }
  for (const auto& [key, devices] : taken) {
    const auto [claim, pool] = key;
    if (pool == nullptr) continue;
    auto host = tpu_host_of(snapshot, *pool);
    if (host && devices < host->chips)
      parts.push_back({claim, pool->driver, *std::move(host), devices});
  }
  return parts;
}

}  // namespace dra::engine

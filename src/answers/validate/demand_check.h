// src/answers/validate/demand_check.h
//
// Compares the requests of a claim with the devices of a cluster: counts the devices that their
// selectors choose and the free ones among them, and explains why there are none.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dra/answers/validate/validation.h"
#include "dra/checks/fields/manifest_place.h"
#include "dra/engine/scheduler/demands.h"

namespace dra::answers {

class DemandCheck {
 public:
  // `now` has the claims of the cluster, `empty` has them released. All must outlive this.
  DemandCheck(const snapshot::Snapshot& snapshot, const engine::Inventory& now,
              const engine::Inventory& empty, const engine::Subject& subject);

  const engine::Demands& demands() const { return demands_; }

  // Adds findings. False if no device can ever serve the demand, or a selector fails for some.
  bool check(const api::DeviceDemand& demand, const checks::ManifestPlace& place,
             std::vector<checks::ManifestFinding>& findings) const;
  // No value if the class is not known.
  std::optional<RequestMatch> match(const api::NamedDemand& demand,
                                    const checks::ManifestPlace& place) const;
  // Sorted numbers of chips of the hosts that publish such chips, without duplicates. TPUs are
  // allocated by whole hosts. Empty for other devices.
  std::vector<std::int64_t> chips_of_hosts(const api::DeviceDemand& demand) const;

 private:
  bool check_taints(const api::DeviceDemand& demand, const checks::ManifestPlace& place,
                    std::vector<checks::ManifestFinding>& findings) const;

  const snapshot::Snapshot& snapshot_;
  const engine::Inventory& now_;
  engine::Demands demands_;
};

}  // namespace dra::answers

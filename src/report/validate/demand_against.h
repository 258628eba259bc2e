// src/report/validate/demand_against.h
//
// What the requests of a manifest's claim find in a cluster: which devices their selectors choose,
// how many of these are free, and why it is none.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dra/checks/fields/manifest_place.h"
#include "dra/engine/scheduler/demands.h"
#include "dra/report/validate/validation_against.h"

namespace dra::report {

class DemandsAgainst {
 public:
  // `now`: with whoever holds devices; `empty`: as if nobody did. All must outlive it.
  DemandsAgainst(const snapshot::Snapshot& snapshot, const engine::Inventory& now,
                 const engine::Inventory& empty, const engine::Subject& subject);

  const engine::Demands& demands() const { return demands_; }

  // Adds what is wrong. False where no device will ever do, or a selector fails for some.
  bool check(const api::DeviceDemand& demand, const checks::ManifestPlace& place,
             std::vector<checks::ManifestFinding>& findings) const;
  // No value where its class is not known.
  std::optional<RequestMet> met(const api::NamedDemand& demand,
                                const checks::ManifestPlace& place) const;
  // Where its devices are chips of TPUs, which are handed out by whole hosts: how many chips the
  // hosts that publish them have. Each number once, sorted; else empty.
  std::vector<std::int64_t> chips_of_hosts(const api::DeviceDemand& demand) const;

 private:
  bool check_taints(const api::DeviceDemand& demand, const checks::ManifestPlace& place,
                    std::vector<checks::ManifestFinding>& findings) const;

  const snapshot::Snapshot& snapshot_;
  const engine::Inventory& now_;
  engine::Demands demands_;
};

}  // namespace dra::report

// include/dra/answers/problems/overview.h
//
// The facts of an overview: the drivers with their devices, claims by state, pods that wait for
// devices, and problems. Pods and names point into the snapshot.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/problems/problems.h"
#include "dra/engine/selectors/driver_summary.h"

namespace dra::answers {

// Each claim counts once, in the first state that applies.
struct ClaimCounts {
  std::int64_t total = 0;
  std::int64_t deleting = 0;   // with a deletion timestamp, allocated or not
  std::int64_t pending = 0;    // not allocated
  std::int64_t reserved = 0;   // allocated and reserved
  std::int64_t allocated = 0;  // allocated and not reserved
};

struct Overview {
  std::string namespace_;  // namespace of claims, pods and problems; empty: all
  std::vector<engine::DriverSummary> drivers;
  std::optional<ClaimCounts> claims;                    // no value: not readable
  std::optional<std::vector<const api::Pod*>> waiting;  // the oldest first; no value: not readable
  snapshot::Server server;
  snapshot::Coverage coverage;
  std::vector<Problem> problems;  // the worst first
};

Overview overview_of(const ClusterInput& cluster, std::string_view ns,
                     diag::Detail detail = diag::Detail::Screen);

}  // namespace dra::answers

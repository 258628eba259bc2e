// src/answers/validate/cluster_check.h
//
// Compares a manifest with a cluster: finds missing references, selectors that match nothing, and
// claims that no node could serve.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/validate/validation.h"
#include "dra/engine/cluster/inventory.h"
#include "dra/engine/cluster/quotas.h"

namespace dra::answers {

struct ClusterFindings {
  std::vector<checks::ManifestFinding> findings = {};
  std::vector<RequestMatch> requests = {};
};

class ClusterCheck {
 public:
  // The snapshot must outlive this object. Kinds that it could not read give no findings. `flags`
  // of proposed commands ask about the same cluster, each with a leading space.
  ClusterCheck(const snapshot::Snapshot& snapshot, std::string_view flags);

  // Checks a claim or a claim template of a file; of other kinds only the version. Classes that the
  // files define (`defined`) count as existing. A claim takes quota from the objects that are
  // checked after it.
  ClusterFindings check(const checks::CheckedObject& object, std::string_view file,
                        const checks::DefinedNames& defined);

 private:
  std::optional<checks::ManifestFinding> check_version(const checks::CheckedObject& object) const;
  void check_quota(const checks::CheckedObject& object, const api::ClaimSpec& spec,
                   std::vector<checks::ManifestFinding>& findings);

  const snapshot::Snapshot& snapshot_;
  std::string flags_;
  engine::Inventory now_;
  engine::Inventory empty_;  // inventory with all claims released
  engine::Quotas quotas_;
};

}  // namespace dra::answers

// include/dra/engine/cluster/taints.h
//
// The taints of a device: those in its slice, then those of DeviceTaintRules, which act the same.
// Upstream: k8s.io/dynamic-resource-allocation/resourceslice/tracker, and
// resourceclaim.ToleratesTaint for tolerations.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/claim.h"
#include "dra/api/slice.h"
#include "dra/engine/cluster/usage.h"
#include "dra/engine/facts/features.h"

namespace dra::engine {

struct DeviceTaintOf {
  const api::DeviceTaint* taint;
  const api::DeviceTaintRule* rule;  // nullptr: from the slice
};

class Taints {
 public:
  Taints(const snapshot::Snapshot& snapshot, const Features& features,
         const Overrides& overrides = {});

  // Taints with an effect, in order; effect None and unknown effects are left out.
  std::vector<DeviceTaintOf> blocking(const DeviceId& id, const api::Device& device) const;
  // False: no device of the slice has a taint.
  bool may_be_on(const api::ResourceSlice& slice) const {
    return enabled_ && (slice.spec.model == nullptr || !rules_.empty());
  }

 private:
  std::vector<const api::DeviceTaintRule*> rules_;
  bool enabled_;
};

// "example.com/maintenance=planned:NoExecute", as kubectl writes taints.
std::string describe_taint(std::string_view key, std::string_view value, std::string_view effect);

bool selects(const api::DeviceTaintRule& rule, const DeviceId& id);
bool tolerates(const api::Toleration& toleration, const api::DeviceTaint& taint);
bool tolerates_all(std::span<const api::Toleration> tolerations,
                   std::span<const DeviceTaintOf> taints);

}  // namespace dra::engine

// include/dra/engine/cluster/refusal.h
//
// Why a controller could not create a claim or a pod, parsed from the message of its event: which
// quota, webhook or policy refused it, and with which words. Upstream's words:
// k8s.io/apiserver/pkg/admission/plugin, resourcequota, webhook/errors and policy/validating;
// k8s.io/kubernetes/pkg/controller/resourceclaim, which prefixes its own.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dra/diag/evidence.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct CreationFailure {
  std::string cause;                             // a clause: "quota tight is exhausted: ..."
  std::optional<diag::RefusalEvidence> refusal;  // if the API server refused
};

// Parses the event's message, the controller's prefix included.
CreationFailure creation_failure(std::string_view message);
// Likewise, with the figures of the quota as it is now: the event may be older than the quota.
CreationFailure creation_failure(const snapshot::Snapshot& snapshot, std::string_view ns,
                                 std::string_view message);

}  // namespace dra::engine

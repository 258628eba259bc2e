// src/engine/scheduler/refusal.h
//
// Why the claim controller could not create a claim, parsed from the message of its event: which
// quota, webhook or policy refused it, and with which words. Upstream's words:
// k8s.io/apiserver/pkg/admission/plugin, resourcequota, webhook/errors and policy/validating;
// k8s.io/kubernetes/pkg/controller/resourceclaim, which prefixes its own.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dra/diag/evidence.h"

namespace dra::engine {

struct CreationFailure {
  std::string cause;                             // a clause: "quota tight is exhausted: ..."
  std::optional<diag::RefusalEvidence> refusal;  // if the API server refused
};

// Parses the event's message, the controller's prefix included.
CreationFailure creation_failure(std::string_view message);

}  // namespace dra::engine

// src/engine/scheduler/refusal.h
//
// Why the claim controller could not create a claim, taken apart from the message of its event: who
// refused, a quota, a webhook or a policy, and what it says. Upstream words them:
// k8s.io/apiserver/pkg/admission/plugin, resourcequota, webhook/errors and policy/validating;
// k8s.io/kubernetes/pkg/controller/resourceclaim, which puts its own words before them.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dra/diag/evidence.h"

namespace dra::engine {

struct CreationFailure {
  std::string cause;                             // a clause: "quota tight is used up: ..."
  std::optional<diag::RefusalEvidence> refusal;  // if somebody refused
};

// Of the event's message, with the controller's words before it.
CreationFailure creation_failure(std::string_view message);

}  // namespace dra::engine

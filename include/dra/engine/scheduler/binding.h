// include/dra/engine/scheduler/binding.h
//
// Failures after all filters: the scheduler has chosen a node and cannot write its decision. It
// retries in vain and reports SchedulerError.
//
// Upstream: k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources, PreBind and
// bindClaim.

#pragma once

#include <optional>

#include "dra/diag/reason.h"
#include "dra/engine/facts/features.h"
#include "dra/engine/scheduler/pod_claims.h"

namespace dra::engine {

// Whether the claim is reserved for the subject's pod or its group; not for an older pod of the
// same name. Upstream: k8s.io/dynamic-resource-allocation/resourceclaim, IsReservedForPod.
bool is_reserved(const Subject& subject, const api::ResourceClaim& claim);

// For the subject as the node has to serve it. No value: it can be bound.
std::optional<diag::Reason> binding_failure(const Subject& subject, const Features& features);

}  // namespace dra::engine

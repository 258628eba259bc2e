// include/dra/checks/lint/lint.h
//
// What the API server takes, and the scheduler, the driver or the kubelet then trips over. Nothing
// that is right may be told here: where that depends on the cluster, it is a hint at most.

#pragma once

#include "dra/api/kinds.h"
#include "dra/checks/fields/field.h"

namespace dra::checks {

// Of any object: an old version; fields that the server sets.
void lint_object(const Field& object, const api::KindInfo& kind, std::string_view version);

void lint_claim(const Field& devices);
void lint_class(const Field& spec);
// Of a pod, or of a template for `pods` of them (1 where that is not said).
void lint_pod(const Field& spec, std::int64_t pods);

}  // namespace dra::checks

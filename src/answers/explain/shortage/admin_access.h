// src/answers/explain/shortage/admin_access.h

#pragma once

#include "src/answers/explain/cause_candidates.h"

namespace dra::answers {

// Adds a remedy to a cause that has none: the pod is one of a DaemonSet, which is mostly there to
// watch the devices of its node, and these are in use. A request with admin access gets them all
// the same. Upstream: k8s.io/dynamic-resource-allocation/structured, allocator.allocateDevice.
void offer_admin_access(const Grounds& grounds, Candidate& cause);

}  // namespace dra::answers

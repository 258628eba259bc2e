// include/dra/engine/running/standstill.h
//
// What a pod with a node waits for, by the states of its containers alone. That need not be a
// fault: an init container may run for hours, and a program may load for long before it is ready.
// What is certainly one is a finding of after_scheduling.h.
//
// Upstream: k8s.io/kubernetes/pkg/kubelet/status, GeneratePodReadyCondition.

#pragma once

#include <string>

#include "dra/api/pod.h"
#include "dra/base/time.h"

namespace dra::engine {

// "Its init container fetch has been running for 80m". Empty: the states of the containers tell
// nothing more than the pod's status.
std::string what_it_waits_for(const api::Pod& pod, base::Instant now);

}  // namespace dra::engine

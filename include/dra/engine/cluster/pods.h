// include/dra/engine/cluster/pods.h
//
// Pods as users of devices: which use claims, which wait for devices, and the status that kubectl
// shows.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/api/claim.h"
#include "dra/api/pod.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

bool uses_claims(const api::Pod& pod);

// A pod without a node that has not ended and is not being deleted.
bool waits_for_node(const api::Pod& pod);

// Pods that use claims and have no node yet, the oldest first. A pod without a time of creation
// stands before all others.
std::vector<const api::Pod*> waiting_pods(const snapshot::Snapshot& snapshot);

// The column STATUS of `kubectl get pods`, which the API server computes: "Pending", "Init:0/1",
// "CrashLoopBackOff", "Terminating". Upstream: k8s.io/kubernetes/pkg/printers/internalversion,
// printPod.
std::string pod_status(const api::Pod& pod);

// The pod that has reserved a claim of the namespace. nullptr: the consumer is no pod, or the pod
// is gone, be it that another one has its name.
const api::Pod* consuming_pod(const snapshot::Snapshot& snapshot, std::string_view ns,
                              const api::Consumer& consumer);

// Whether all its containers have ended; false for a pod without any.
bool have_ended(const api::Pod& pod);

// Whether the kubelet waits before it starts the container once more.
bool is_crash_looping(const api::ContainerStatus& container);

// What its containers wait for, else its phase: "CrashLoopBackOff, 3 restarts", "Running".
std::string container_state(const api::Pod& pod);
// Likewise, with how a container that crashes ended last: "CrashLoopBackOff, 31 restarts, OOMKilled
// (exit code 137)", and what it said.
std::string trouble_in_words(const api::Pod& pod);

}  // namespace dra::engine

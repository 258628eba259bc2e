// include/dra/engine/cluster/daemon_pods.h
//
// Pods of DaemonSets: each is for one node, which its controller writes into the pod's affinity.
// Upstream: k8s.io/kubernetes/pkg/controller/daemon/util, ReplaceDaemonSetPodNodeNameNodeAffinity.

#pragma once

#include <string_view>

#include "dra/api/pod.h"

namespace dra::engine {

// The only node that a pod of a DaemonSet is for, also before it is on it. Empty: it is of none, or
// the node is not known.
std::string_view node_of_daemon(const api::Pod& pod);

}  // namespace dra::engine

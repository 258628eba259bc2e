// src/engine/scheduler/declared_features.h
//
// Features of the kubelet that a pod needs and nodes declare in status.declaredFeatures.
// Upstream: k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodedeclaredfeatures;
// k8s.io/component-helpers/nodedeclaredfeatures/features, InferForScheduling of each.

#pragma once

#include <string_view>
#include <vector>

#include "dra/api/pod.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// Those that the scheduler of the server's release looks for. None while the gate
// NodeDeclaredFeatures is off.
std::vector<std::string_view> features_needed(const api::PodSpec& spec,
                                              const snapshot::Server& server);

}  // namespace dra::engine

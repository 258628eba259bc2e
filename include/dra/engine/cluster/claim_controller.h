// include/dra/engine/cluster/claim_controller.h
//
// The controller in kube-controller-manager that makes claims from templates and releases them. It
// can be switched off, while kube-controller-manager itself runs well.

#pragma once

#include <string>

#include "dra/api/pod.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// Both empty: the pod's command line does not switch the controller off, or is not known.
struct ClaimControllerOff {
  // "runs without its resourceclaim-controller (--controllers=*,-resourceclaim-controller of pod
  // kube-system/kube-controller-manager-cp-1)"
  std::string why = {};
  std::string way_out = {};  // "Take -resourceclaim-controller out of --controllers"
};

// `manager` is a pod of kube-controller-manager. Upstream: the controller needs the feature gate
// DynamicResourceAllocation (k8s.io/kubernetes/cmd/kube-controller-manager/app,
// newResourceClaimControllerDescriptor), which is off by default before v1.34.
ClaimControllerOff claim_controller_off(const api::Pod& manager, const snapshot::Server& server);

}  // namespace dra::engine

// include/dra/engine/cluster/components.h
//
// Programs of the control plane that act on pods and claims: schedulers and
// kube-controller-manager. They are visible where the cluster runs them as pods; managed clusters
// hide theirs.

#pragma once

#include <string>
#include <string_view>

#include "dra/api/pod.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// At most one pod is set; none: no pod of the component is visible.
struct Component {
  const api::Pod* ready = nullptr;
  const api::Pod* down =
      nullptr;  // where there are pods, and none is ready: the one that has failed most often
  // "its pod kube-system/kube-scheduler-cp-1 is not ready (CrashLoopBackOff, 9 restarts)", with the
  // newest warning about a pod whose containers run; empty: it is not known to be down.
  std::string trouble = {};
};

// The component whose pods a usual label names so (component, app, k8s-app, app.kubernetes.io/name,
// app.kubernetes.io/component), or which are pods of kube-system whose names begin with it. kubeadm
// labels its static pods `component: kube-scheduler`.
Component component_named(const snapshot::Snapshot& snapshot, std::string_view name);

// The scheduler that a pod names in spec.schedulerName. The default one, also as "", is
// kube-scheduler. Pods of another one are also found by their names, "volcano-scheduler-7f9x" for
// "volcano"; pods that it has to place are none of them.
Component scheduler_named(const snapshot::Snapshot& snapshot, std::string_view name);

// "kube-scheduler" for "default-scheduler" and "", else the name as it is.
std::string_view component_of(std::string_view scheduler);

// How often its containers were restarted, in all.
std::int64_t restarts_of(const api::Pod& pod);

inline constexpr std::string_view kControllerManager = "kube-controller-manager";

}  // namespace dra::engine

// src/engine/scheduler/nominated_pods.h
//
// Pods that are nominated for a node: they wait there for pods that were preempted for them, and
// the scheduler keeps the room. A pod of the same or a lower priority has to pass the filters of
// that node twice, with these pods on it and without.
//
// Upstream: k8s.io/kubernetes/pkg/scheduler/framework/runtime, RunFilterPluginsWithNominatedPods
// and addGENominatedPods, v1.34 to v1.37.

#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "dra/api/pod.h"
#include "dra/diag/reason.h"
#include "dra/engine/cluster/node_loads.h"
#include "dra/engine/scheduler/node_filters.h"

namespace dra::engine {

class NominatedPods {
 public:
  // Whether there are any that the pod has to yield to.
  static bool concern(const NodeLoads& loads, const api::Pod& pod);

  // All must outlive it. `affinity_runs`: whether the filter InterPodAffinity runs for the pod,
  // which is decided before these pods are added.
  NominatedPods(const snapshot::Snapshot& snapshot, const NodeLoads& loads, const api::Pod& pod,
                const OtherPodsReasons* elsewhere, bool affinity_runs);
  ~NominatedPods();

  // `now` has the reasons without these pods. Those that are only so with them come first, and say
  // so.
  std::vector<diag::Reason> add_to(std::vector<diag::Reason> now, const api::Node& node) const;

 private:
  struct OnNode;

  std::map<std::string_view, std::unique_ptr<OnNode>> by_node_;
};

}  // namespace dra::engine

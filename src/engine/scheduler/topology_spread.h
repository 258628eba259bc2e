// src/engine/scheduler/topology_spread.h
//
// The scheduler's filter PodTopologySpread: constraints with whenUnsatisfiable: DoNotSchedule. Pods
// are counted by domain once, for all nodes. The default constraints of the scheduler's
// configuration are assumed to be the system's, which exclude no node.
//
// Upstream: k8s.io/kubernetes/pkg/scheduler/framework/plugins/podtopologyspread, Filter, of v1.34
// to v1.37.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/base/function_ref.h"
#include "dra/diag/reason.h"
#include "dra/engine/cluster/node_loads.h"
#include "src/engine/scheduler/domains.h"

namespace dra::engine {

class TopologySpreadFilter {
 public:
  // `is_selected`: whether the pod's node selector and required node affinity choose a node. All
  // but that must outlive the filter.
  TopologySpreadFilter(const snapshot::Snapshot& snapshot, const NodeLoads& loads,
                       const api::Pod& pod, base::FunctionRef<bool(const api::Node&)> is_selected);

  // At most one reason. Where something could not be read, only what is certain.
  void check(const api::Node& node, std::vector<diag::Reason>& reasons) const;

  // What decides and could not be read, as parts of a sentence.
  std::vector<std::string> not_read() const;

 private:
  struct Constraint {
    const api::TopologySpreadConstraint* from;
    std::unordered_set<const api::Node*> nodes = {};  // that count
    Domains domains = {};                             // theirs, also those without pods
    std::int64_t fewest = 0;     // pods in a domain; too few domains count as one without pods
    bool counts_itself = false;  // the pod matches the selector
    bool readable = true;
  };

  void add_nodes(base::FunctionRef<bool(const api::Node&)> is_selected);
  void count(const api::Pod& other);
  bool is_in_all(const api::Node& node) const;
  std::string words_against(const Constraint& constraint, std::string_view value,
                            std::int64_t pods) const;

  const snapshot::Snapshot& snapshot_;
  const api::Pod& pod_;
  bool pods_known_;
  std::vector<Constraint> constraints_;
};

}  // namespace dra::engine

// src/engine/scheduler/pod_affinity.h
//
// The scheduler's filter InterPodAffinity: required affinity and anti-affinity of the pod, and
// required anti-affinity of the pods that are on nodes. Pods are counted by domain once, for all
// nodes.
//
// Upstream: k8s.io/kubernetes/pkg/scheduler/framework/plugins/interpodaffinity, Filter, of v1.34 to
// v1.37. The gate InterPodAffinityHostnameFastPath of v1.37 is off by default; with it, pods on
// nodes without the label kubernetes.io/hostname count for the first pod of a group.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/cluster_objects.h"
#include "dra/diag/reason.h"
#include "dra/engine/cluster/node_loads.h"
#include "src/engine/scheduler/affinity_term.h"
#include "src/engine/scheduler/domains.h"

namespace dra::engine {

class PodAffinityFilter {
 public:
  // All of them must outlive it.
  PodAffinityFilter(const snapshot::Snapshot& snapshot, const NodeLoads& loads,
                    const api::Pod& pod);

  // At most one reason each for affinity, anti-affinity, and anti-affinity of other pods. Where
  // something could not be read, only what is certain.
  void check(const api::Node& node, std::vector<diag::Reason>& reasons) const;

  // Whether the filter runs at all. The scheduler decides so before it counts pods that are
  // nominated for a node, so that these keep nothing away where it does not.
  bool runs() const;

  // What decides and could not be read, as parts of a sentence.
  std::vector<std::string> not_read() const;

 private:
  struct Term {
    const api::PodAffinityTerm* term;
    Domains domains = {};  // of pods that match
    std::string elsewhere = {};
  };

  void count(const api::Pod& other);
  void count_for_affinity(const api::Pod& other, const api::Node& node);
  void count_for_anti_affinity(const api::Pod& other, const api::Node& node);
  void count_repelling(const api::Pod& other);
  void say_elsewhere();
  std::string wanted_words(const api::PodAffinityTerm& term) const;
  bool is_first_of_its_group() const;
  void check_affinity(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  void check_anti_affinity(const api::Node& node, std::vector<diag::Reason>& reasons) const;
  void check_repelling(const api::Node& node, std::vector<diag::Reason>& reasons) const;

  const snapshot::Snapshot& snapshot_;
  const api::Pod& pod_;
  NamespaceRule rule_;  // of the pod's own terms
  std::vector<Term> to_pods_;
  std::vector<Term> against_pods_;
  std::map<std::string_view, Domains> repelled_;  // by topology key
  bool pods_known_;
  // The least that is known of any pod.
  TermMatch affinity_ = TermMatch::No;
  TermMatch anti_affinity_ = TermMatch::No;
  TermMatch repelling_ = TermMatch::No;
  TermMatch own_ = TermMatch::No;  // whether the pod matches its own affinity
};

}  // namespace dra::engine

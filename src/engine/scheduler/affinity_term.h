// src/engine/scheduler/affinity_term.h
//
// Whether a required term of a pod's affinity, or anti-affinity, means another pod.
//
// Upstream: k8s.io/kube-scheduler/framework, AffinityTerm.Matches; and, for matchLabelKeys and
// mismatchLabelKeys, k8s.io/kubernetes/pkg/registry/core/pod,
// applyMatchLabelKeysAndMismatchLabelKeys: the API server adds conditions to the selector when the
// pod is created. Those of a pod that is not created yet are added here.

#pragma once

#include <cstdint>
#include <string>

#include "dra/api/pod.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// In the order of what is less known.
enum class TermMatch : std::uint8_t {
  No,
  Yes,
  NamespaceNotRead,  // its labels decide
  SelectorNotRead,   // it has an operator that is not known
};

// What namespaceSelector selects.
enum class NamespaceRule : std::uint8_t {
  ByLabels,
  // The same, and all namespaces if it selects labels of which there are none, as notIn does: what
  // releases before v1.37 do with the terms of the pod that is to be placed
  // (mergeAffinityTermNamespacesIfNotEmpty replaces the selector of a copy).
  NoLabelsMeansAll,
};

// `owner` has the term.
TermMatch match_of(const snapshot::Snapshot& snapshot, const api::PodAffinityTerm& term,
                   const api::Pod& owner, const api::Pod& pod,
                   NamespaceRule rule = NamespaceRule::ByLabels);

// "that matches app=web in namespace ml"; empty where every pod of its namespace is meant.
std::string words_of(const api::PodAffinityTerm& term, const api::Pod& owner);

}  // namespace dra::engine

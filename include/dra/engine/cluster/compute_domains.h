// include/dra/engine/cluster/compute_domains.h
//
// ComputeDomains that are not whole. The driver prepares the channel of a pod once the nodes of its
// domain are ready: as many as spec.numNodes says, or if that is 0 the pod's own. A node joins when
// a pod with a channel comes to it and the domain's daemon runs there.
//
// Upstream: sigs.k8s.io/dra-driver-nvidia-gpu/cmd/compute-domain-kubelet-plugin,
// AssertComputeDomainReady.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/pod.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

struct IncompleteDomain {
  const api::ComputeDomain* domain;
  std::int64_t ready = 0;                          // nodes
  std::vector<std::string_view> not_ready = {};    // nodes that have joined
  std::vector<std::string_view> absent = {};       // nodes of its pods that have not joined
  std::vector<const api::Pod*> without_node = {};  // its pods
};

// The domain whose channel template this is, in its namespace, as long as fewer nodes are ready
// than it is for. No value: it has all, or no domain is known.
std::optional<IncompleteDomain> incomplete_domain(const snapshot::Snapshot& snapshot,
                                                  std::string_view ns,
                                                  std::string_view template_name);

// The domain for which the driver's controller makes the template: of this namespace, else of
// another one, which does not help the pods here. nullptr: none is known.
const api::ComputeDomain* domain_of_template(const snapshot::Snapshot& snapshot,
                                             std::string_view ns, std::string_view template_name);

// "ComputeDomain ml/nccl has 1 of 2 nodes ready: node b is not ready, node c has not joined"
std::string words_of(const IncompleteDomain& domain);

}  // namespace dra::engine

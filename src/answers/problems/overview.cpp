// src/answers/problems/overview.cpp: collects the facts of an overview.

#include "dra/answers/problems/overview.h"

#include "dra/api/claim.h"
#include "dra/api/pod.h"
#include "dra/engine/cluster/pods.h"
#include "dra/topology/missing_devices.h"

namespace dra::answers {
namespace {

bool is_in(const api::ObjectMeta& meta, std::string_view ns) {
  return ns.empty() || meta.namespace_ == ns;
}

ClaimCounts count_claims(const snapshot::Snapshot& snapshot, std::string_view ns) {
  ClaimCounts counts;
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>()) {
    if (!is_in(claim.meta, ns)) continue;
    ++counts.total;
    if (claim.meta.deleted) {
      ++counts.deleting;
    } else if (!claim.allocated()) {
      ++counts.pending;
    } else if (!claim.status.reserved_for.empty()) {
      ++counts.reserved;
    } else {
      ++counts.allocated;
    }
  }
  return counts;
}

}  // namespace

Overview overview_of(const ClusterInput& cluster, std::string_view ns, diag::Detail detail) {
  Overview overview{.namespace_ = std::string(ns),
                    .drivers = engine::summarize_drivers(
                        cluster.snapshot, cluster.inventory,
                        topology::missing_devices(cluster.snapshot, cluster.inventory)),
                    .server = cluster.snapshot.server(),
                    .coverage = cluster.snapshot.coverage(),
                    .problems = find_problems(cluster, ns, detail)};
  const snapshot::Coverage& coverage = overview.coverage;
  if (coverage.saw(api::Kind::Claim, ns)) overview.claims = count_claims(cluster.snapshot, ns);
  if (coverage.saw(api::Kind::Pod, ns)) {
    overview.waiting = engine::waiting_pods(cluster.snapshot);
    std::erase_if(*overview.waiting, [ns](const api::Pod* pod) { return !is_in(pod->meta, ns); });
  }
  return overview;
}

}  // namespace dra::answers

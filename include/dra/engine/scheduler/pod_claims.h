// include/dra/engine/scheduler/pod_claims.h
//
// A pod's claims, resolved as the scheduler does before it looks at any node, and everything that
// stops the pod already there.
//
// Most of these causes leave no event and no condition: the scheduler's PreEnqueue step simply
// keeps the pod out of its queue. The scheduler stops at the first; here all are found. Upstream:
// k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources, PreEnqueue and PreFilter;
// k8s.io/dynamic-resource-allocation/resourceclaim, Name and IsForPod.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/diag/reason.h"
#include "dra/engine/cluster/extended_resources.h"
#include "dra/engine/cluster/pod_groups.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// Unknown: it could not be read.
enum class ClaimState { Pending, Allocated, Missing, Unknown, NotCreated, Deleting };
std::string_view name_of(ClaimState state);  // "pending", as in reports

struct SubjectClaim {
  std::string namespace_;
  std::string name;                 // of the claim; empty while it is not created
  std::string_view pod_claim = {};  // the pod's name for it
  std::string_view template_name = {};
  const api::ResourceClaim* claim = nullptr;
  const api::ClaimSpec* spec = nullptr;  // the claim's, or the template's for one not yet created
  ClaimState state = ClaimState::Missing;
  std::string_view pod_group = {};  // that the claim was made for, instead of the pod
  // The special claim, for what the pod asks for as extended resources; and those of them that the
  // node which is looked at serves by its device plugin.
  const ExtendedClaim* extended = nullptr;
  std::vector<std::string_view> by_plugin = {};

  bool hypothetical() const { return claim == nullptr && spec != nullptr; }
  bool allocated() const { return claim != nullptr && claim->allocated(); }
  // What is still to be allocated; nullptr if nothing is, or if that is not known.
  const api::ClaimSpec* unmet() const { return allocated() ? nullptr : spec; }
  // Device plugins serve all that the special claim is for.
  bool left_to_plugins() const;
  // Whether the request is one of those that DRA has to serve.
  bool asks(const api::DeviceRequest& request) const;
  // The extended resource that a request of the special claim is for; empty of other claims.
  std::string_view resource_of(const api::DeviceRequest& request) const;
  // "namespace/name", or the pod's own name for what has no name yet.
  std::string label() const;
};

struct Subject {
  const api::Pod* pod = nullptr;  // none when claims were named
  std::vector<SubjectClaim> claims;
  std::vector<diag::Reason> blockers;
  std::unique_ptr<const ExtendedClaim> extended = {};  // what the special claim refers to
  std::optional<PodGroup> group = {};                  // whose claims the pod may use

  bool allocated() const;        // every claim is, or there is nothing left of it
  bool left_to_plugins() const;  // there is nothing but a special claim of which nothing is left
  // The special claim asks for nothing and stands beside others. The scheduler makes it all the
  // same, and cannot bind the pod then (patchPodExtendedResourceClaimStatus).
  bool has_empty_claim() const;
};

// The requests of what still has to be allocated, in the order in which the scheduler takes them.
template <class F>
void for_each_unmet(const Subject& subject, F on_request) {
  for (const SubjectClaim& claim : subject.claims) {
    if (claim.unmet() == nullptr) continue;
    for (const api::DeviceRequest& request : claim.unmet()->devices.requests) {
      if (claim.asks(request)) on_request(claim, request);
    }
  }
}

// The demands of what still has to be allocated, by what reasons call them. The subject must
// outlive this object.
class UnmetDemands {
 public:
  explicit UnmetDemands(const Subject& subject);

  // nullptr: the reason is about no demand, or about one that is met.
  const api::DeviceDemand* of(const diag::Reason& reason) const;

 private:
  std::map<std::pair<std::string, std::string>, const api::DeviceDemand*> asked_;
};

Subject subject_of_pod(const snapshot::Snapshot& snapshot, const api::Pod& pod);
// The named claims together, in that order, as one pod would use them.
Subject subject_of_claims(const snapshot::Snapshot& snapshot, std::string_view ns,
                          const std::vector<std::string>& names);

}  // namespace dra::engine

// include/dra/engine/scheduler/pod_claims.h
//
// A pod's claims, resolved as the scheduler does before it looks at any node, and everything that
// stops the pod at that point.
//
// Most of these causes leave no event and no condition: the scheduler's PreEnqueue step just keeps
// the pod out of its queue. The scheduler stops at the first cause; here all are found. Upstream:
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

// Unknown: claims could not be read.
enum class ClaimState { Pending, Allocated, Missing, Unknown, NotCreated, Deleting };
std::string_view name_of(ClaimState state);  // "pending", as in reports

struct SubjectClaim {
  std::string namespace_;
  std::string name;                 // the claim's; empty before it is created
  std::string_view pod_claim = {};  // the pod's name for it
  std::string_view template_name = {};
  const api::ResourceClaim* claim = nullptr;
  const api::ClaimSpec* spec = nullptr;  // the claim's, or the template's before it is created
  ClaimState state = ClaimState::Missing;
  std::string_view pod_group = {};  // the group that owns the claim, if not the pod
  // Of a claim that is being deleted: the pods that have reserved it and do not exist any more.
  std::vector<std::string> gone_users = {};
  // Where its template does not exist: the domain that brings it, of this or another namespace.
  const api::ComputeDomain* domain = nullptr;
  // For the special claim: the extended resources that it is for, and those of them that the
  // current node's device plugin serves.
  const ExtendedClaim* extended = nullptr;
  std::vector<std::string_view> by_plugin = {};

  bool hypothetical() const { return claim == nullptr && spec != nullptr; }
  bool allocated() const { return claim != nullptr && claim->allocated(); }
  // The spec that is still to be allocated; nullptr: none, or not known.
  const api::ClaimSpec* unmet() const { return allocated() ? nullptr : spec; }
  // Device plugins serve everything that the special claim is for.
  bool left_to_plugins() const;
  // Whether DRA has to serve the request.
  bool asks(const api::DeviceRequest& request) const;
  // The extended resource of a request of the special claim; empty for other claims.
  std::string_view resource_of(const api::DeviceRequest& request) const;
  // "namespace/name", or the pod's own name for a claim without one.
  std::string label() const;
};

struct Subject {
  const api::Pod* pod = nullptr;  // nullptr: the subject is claims
  std::vector<SubjectClaim> claims;
  std::vector<diag::Reason> blockers;
  std::unique_ptr<const ExtendedClaim> extended = {};  // what the special claim points to
  std::optional<PodGroup> group = {};                  // whose claims the pod may use

  bool allocated() const;        // every claim is allocated or left to plugins
  bool left_to_plugins() const;  // the only claim is a special one, left to plugins
  // There are other claims beside a special one that asks for nothing. The scheduler creates that
  // all the same, and then cannot bind the pod (patchPodExtendedResourceClaimStatus).
  bool has_empty_claim() const;
};

// Visits the requests that are still to be allocated, in the scheduler's order.
template <class F>
void for_each_unmet(const Subject& subject, F on_request) {
  for (const SubjectClaim& claim : subject.claims) {
    if (claim.unmet() == nullptr) continue;
    for (const api::DeviceRequest& request : claim.unmet()->devices.requests) {
      if (claim.asks(request)) on_request(claim, request);
    }
  }
}

// Finds the demand that a reason names, among those still to be allocated. The subject must outlive
// this object.
class UnmetDemands {
 public:
  explicit UnmetDemands(const Subject& subject);

  // nullptr: the reason names no demand, or one that is allocated.
  const api::DeviceDemand* of(const diag::Reason& reason) const;
  // The same by names: of the claim, as Reason::claim, and of the request.
  const api::DeviceDemand* of(const std::string& claim, const std::string& request) const;

 private:
  std::map<std::pair<std::string, std::string>, const api::DeviceDemand*> asked_;
};

Subject subject_of_pod(const snapshot::Snapshot& snapshot, const api::Pod& pod);
// The named claims in that order, as if one pod used them.
Subject subject_of_claims(const snapshot::Snapshot& snapshot, std::string_view ns,
                          const std::vector<std::string>& names);

}  // namespace dra::engine

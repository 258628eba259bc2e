// include/dra/engine/cluster/extended_resources.h
//
// Extended resources that DRA serves. A container asks for "example.com/gpu: 2" as it would of a
// device plugin, a device class names that resource, and the scheduler makes a claim for the pod:
// the special claim, one for all such resources, after the pod's own claims.
//
// The requests of that claim depend on the node. A resource that the node's device plugin provides
// is counted like memory; of the others, DRA serves those that a class names.
//
// Upstream: k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources,
// extendeddynamicresources.go;
// k8s.io/dynamic-resource-allocation/deviceclass/extendedresourcecache;
// pkg/scheduler/util.IsDRAExtendedResourceName.

#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/claim.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// Upstream's name for the special claim until it exists.
inline constexpr std::string_view kSpecialClaim = "<extended-resources>";

// Whether DRA may serve a resource of that name: it has a domain other than Kubernetes' own, or is
// derived from the name of a device class.
bool is_extended_resource(std::string_view resource);

// Which class serves an extended resource. A class may name one resource; if several name the same,
// the newest serves it. Every class also serves "deviceclass.resource.kubernetes.io/CLASS".
class ResourceClasses {
 public:
  // The classes must outlive it.
  explicit ResourceClasses(const std::vector<api::DeviceClass>& classes);

  // nullptr: no class serves it.
  const api::DeviceClass* of(std::string_view resource) const;
  // False where the answer depends on when the scheduler started: a class that it noticed after
  // another one with the same resource does not even serve the resource of its own name. of()
  // assumes that it does.
  bool certain(std::string_view resource) const;

 private:
  struct Served {
    std::map<std::string_view, const api::DeviceClass*> named;
    std::map<std::string_view, const api::DeviceClass*> by_own_name;

    void add(const api::DeviceClass& device_class);
    const api::DeviceClass* of(std::string_view resource) const;
  };
  Served started_before_;  // as the classes were created
  Served started_after_;   // as they are listed
};

// The extended resources that a pod asks for, without those of amount zero; sorted.
std::vector<std::string> extended_resources_of(const snapshot::Server& server, const api::Pod& pod);

// The special claim on a node whose device plugins serve none of the pod's resources.
struct ExtendedClaim {
  api::ClaimSpec spec;
  std::vector<std::string> of_request;  // by request: its resource
  std::vector<std::string> resources;   // those that a class serves, sorted
  std::deque<std::string> text;         // names in the spec
};

// nullptr if the scheduler makes no such claim: the feature is off, or no visible class serves any
// of the pod's resources.
std::unique_ptr<const ExtendedClaim> extended_claim_of(const snapshot::Snapshot& snapshot,
                                                       const api::Pod& pod);

// Whether the scheduler made the claim for extended resources, so that no template or user decides
// what is in it.
bool is_for_extended_resources(const api::ResourceClaim& claim);

// The special claim that an earlier attempt made for the pod; the scheduler finds it by annotation
// and owner. nullptr: none.
const api::ResourceClaim* left_over_claim(const snapshot::Snapshot& snapshot, const api::Pod& pod);

// The pod's extended resources that no device class serves and no node offers. Empty if nodes or
// classes could not be read.
std::vector<std::string> resources_nowhere(const snapshot::Snapshot& snapshot, const api::Pod& pod);

// Whether the scheduler leaves the extended resource to the node's device plugin, and not to DRA:
// the node has some of it. In v1.34 it is enough that the node lists it, as a kubelet goes on to do
// with 0 once the plugin is gone. Upstream:
// k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources/fit.go,
// shouldDelegateResourceToDRA, and fitsRequest in v1.34.
bool is_of_plugin(const snapshot::Server& server, const api::Node& node, std::string_view resource);

// Those of the resources of which that holds.
std::vector<std::string_view> served_by_plugin(const snapshot::Server& server,
                                               const api::Node& node,
                                               const std::vector<std::string>& resources);

}  // namespace dra::engine

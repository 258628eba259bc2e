// include/dra/engine/cluster/extended_resources.h
//
// Extended resources that DRA serves. A container asks for "example.com/gpu: 2" as it would of a
// device plugin, a device class has taken that name, and the scheduler makes a claim for the pod:
// the special claim, one for all such resources, which stands behind the pod's own.
//
// What that claim asks for depends on the node. A resource of which the node has an amount is its
// device plugin's, and counted like memory; of the others, those that a class serves are DRA's.
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

#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// How upstream calls the special claim until it exists.
inline constexpr std::string_view kSpecialClaim = "<extended-resources>";

// Whether a resource of that name may be served by DRA: it has a domain, and that is not
// Kubernetes' own, unless the name is made of a device class's.
bool is_extended_resource(std::string_view resource);

// Which class serves an extended resource. It may name one, and of several classes that name the
// same the newest has it; and each serves "deviceclass.resource.kubernetes.io/CLASS".
class ResourceClasses {
 public:
  // These must outlive it.
  explicit ResourceClasses(const std::vector<api::DeviceClass>& classes);

  // nullptr: no class does.
  const api::DeviceClass* of(std::string_view resource) const;
  // False where it depends on when the scheduler has started: a class that came to its notice when
  // another already had the resource that it names does not even serve the resource of its own
  // name. of() then takes it to be served.
  bool certain(std::string_view resource) const;

 private:
  struct Served {
    std::map<std::string_view, const api::DeviceClass*> named;
    std::map<std::string_view, const api::DeviceClass*> by_own_name;

    void add(const api::DeviceClass& device_class);
    const api::DeviceClass* of(std::string_view resource) const;
  };
  Served started_before_;  // as the classes were made
  Served started_after_;   // as they are listed
};

// The extended resources that a pod asks for, with an amount that is not zero; sorted.
std::vector<std::string> extended_resources_of(const snapshot::Server& server, const api::Pod& pod);

// What the special claim asks for on a node that serves none of the pod's resources itself.
struct ExtendedClaim {
  api::ClaimSpec spec;
  std::vector<std::string> of_request;  // the resource that it is for
  std::vector<std::string> resources;   // that a class serves, sorted
  std::deque<std::string> text;         // names in the spec
};

// nullptr where the scheduler makes no such claim: the feature is off, or no class serves what the
// pod asks for, as far as classes could be read.
std::unique_ptr<const ExtendedClaim> extended_claim_of(const snapshot::Snapshot& snapshot,
                                                       const api::Pod& pod);

// The special claim of an earlier attempt for the pod, which the scheduler finds by its annotation
// and its owner; nullptr if there is none.
const api::ResourceClaim* left_over_claim(const snapshot::Snapshot& snapshot, const api::Pod& pod);

// Those of the resources of which the node has an amount.
std::vector<std::string_view> served_by_plugin(const api::Node& node,
                                               const std::vector<std::string>& resources);

}  // namespace dra::engine

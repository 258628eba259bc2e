// src/snapshot/evident_kinds.cpp: one function for each kind.

#include "src/snapshot/evident_kinds.h"

#include <algorithm>

#include "dra/api/claim.h"
#include "dra/api/daemon_pod.h"
#include "dra/api/device_class.h"
#include "dra/api/kinds.h"
#include "dra/api/pod.h"
#include "dra/api/slice.h"
#include "dra/api/taint_rule.h"
#include "dra/api/workload.h"

namespace dra::snapshot {
namespace {

template <class T>
const std::vector<T>& all(const ObjectLists& objects) {
  return std::get<std::vector<T>>(objects);
}

template <class T, class F>
bool any(const ObjectLists& objects, F is_it) {
  return std::ranges::any_of(all<T>(objects), is_it);
}

bool is_deleted(const api::ObjectMeta& meta) { return meta.deleted.has_value(); }

// The claims of a pod whose containers run have a finalizer.
bool runs_with_claims(const api::Pod& pod) {
  return !pod.spec.claims.empty() && pod.status.phase == "Running" && !is_deleted(pod.meta) &&
         std::ranges::any_of(pod.status.containers, &api::ContainerStatus::ready);
}

// The scheduler has come to the devices, so it found claims and classes.
// k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources, Filter.
bool waits_for_devices(const api::Pod& pod) {
  const auto* scheduled = api::condition_of(pod.status.conditions, "PodScheduled");
  return !pod.spec.claims.empty() && scheduled != nullptr && scheduled->status == "False" &&
         scheduled->message.find("cannot allocate all claims") != std::string_view::npos;
}

bool claims_are_evident(const ObjectLists& objects) {
  return any<api::Pod>(objects, runs_with_claims) || any<api::Pod>(objects, waits_for_devices);
}

bool is_allocated(const api::ResourceClaim& claim) {
  return claim.allocated() && !claim.status.allocation->devices.results.empty() &&
         !is_deleted(claim.meta);
}

// With the classes of a driver that was removed, its slices are gone, too.
bool classes_are_evident(const ObjectLists& objects) {
  return any<api::Pod>(objects, waits_for_devices) ||
         (!all<api::ResourceSlice>(objects).empty() &&
          any<api::ResourceClaim>(objects, is_allocated));
}

// Pods without their node are removed, and so are its slices.
bool nodes_are_evident(const ObjectLists& objects) {
  return any<api::Pod>(objects, [](const api::Pod& pod) { return !pod.spec.node_name.empty(); }) ||
         any<api::ResourceSlice>(objects, [](const api::ResourceSlice& slice) {
           return !slice.spec.node_name.empty();
         });
}

bool pods_are_evident(const ObjectLists& objects) {
  return any<api::ResourceClaim>(objects, [](const api::ResourceClaim& claim) {
    const auto is_pod = [](const api::Consumer& consumer) {
      return consumer.api_group.empty() && consumer.resource == "pods";
    };
    return std::ranges::any_of(claim.status.reserved_for, is_pod);
  });
}

// The kubelet removes the slices of a driver that is down, also while its devices are in use. A
// driver whose classes are gone may be gone as well.
bool slices_are_evident(const ObjectLists& objects) {
  const bool driver_is_down =
      any<api::Workload>(objects,
                         [](const api::Workload& one) {
                           return one.origin.kind == api::info_of(api::Kind::DaemonSet).name &&
                                  one.status.current_nodes == 0;
                         }) ||
      any<api::Pod>(objects, [](const api::Pod& pod) {
        return api::daemon_set_of(pod) != nullptr && !api::is_true(pod.status.conditions, "Ready");
      });
  return !driver_is_down && !all<api::DeviceClass>(objects).empty() &&
         any<api::ResourceClaim>(objects, is_allocated);
}

}  // namespace

std::vector<api::Kind> evident_kinds(const ObjectLists& objects) {
  std::vector<api::Kind> kinds;
  if (claims_are_evident(objects)) kinds.push_back(api::Kind::Claim);
  if (classes_are_evident(objects)) kinds.push_back(api::Kind::Class);
  if (nodes_are_evident(objects)) kinds.push_back(api::Kind::Node);
  if (pods_are_evident(objects)) kinds.push_back(api::Kind::Pod);
  if (slices_are_evident(objects)) kinds.push_back(api::Kind::Slice);
  return kinds;
}

bool has_dra(const ObjectLists& objects) {
  return !all<api::ResourceClaim>(objects).empty() || !all<api::DeviceClass>(objects).empty() ||
         !all<api::ResourceSlice>(objects).empty() ||
         !all<api::ResourceClaimTemplate>(objects).empty() ||
         !all<api::DeviceTaintRule>(objects).empty();
}

}  // namespace dra::snapshot

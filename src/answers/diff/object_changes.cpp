// src/answers/diff/object_changes.cpp: finds the facts about a changed object, kind by kind.
// add_facts() compares an object that exists in both states, facts_of() describes one that exists
// in one of them. If neither finds anything, the parts of the objects' text are compared.

#include "src/answers/diff/object_changes.h"

#include <algorithm>
#include <optional>

#include "dra/api/cluster_objects.h"
#include "dra/api/device_class.h"
#include "dra/api/pod.h"
#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/cluster/taints.h"

namespace dra::answers {
namespace {

using snapshot::Difference;
using Facts = std::vector<ChangeFact>;
using NameList = std::vector<std::string_view>;

// Names that are not in the other list.
NameList missing_in(const NameList& other, const NameList& names) {
  NameList missing;
  for (const std::string_view name : names) {
    if (std::ranges::find(other, name) == other.end()) missing.push_back(name);
  }
  return missing;
}

std::string describe(const api::DeviceTaint& taint) {
  return engine::describe_taint(taint.key, taint.value, taint.effect);
}

std::vector<std::string> consumers_of(const api::ResourceClaim& claim) {
  std::vector<std::string> names;
  for (const api::Consumer& consumer : claim.status.reserved_for)
    names.push_back(consumer.is_pod() ? std::string(consumer.name)
                                      : base::format("{}/{}", consumer.resource, consumer.name));
  return names;
}

std::vector<std::string> devices_of(const api::ResourceClaim& claim) {
  std::vector<std::string> ids;
  for (const auto& result : claim.status.allocation->devices.results)
    ids.push_back(base::format("{}/{}/{}", result.driver, result.pool, result.device));
  std::ranges::sort(ids);
  return ids;
}

// Names with UIDs, because a pod that was created again under its name is another consumer.
std::vector<std::string> reservations_of(const api::ResourceClaim& claim) {
  std::vector<std::string> names;
  for (const api::Consumer& consumer : claim.status.reserved_for)
    names.push_back(base::format("{}/{}", consumer.name, consumer.uid));
  return names;
}

void add_facts(const api::ResourceClaim& was, const api::ResourceClaim& is, Facts& facts) {
  if (is.allocated() && !was.allocated()) {
    facts.emplace_back(ClaimAllocated{consumers_of(is)});
  } else if (was.allocated() && !is.allocated()) {
    facts.emplace_back(ClaimDeallocated{consumers_of(was)});
  } else if (was.allocated() && devices_of(was) != devices_of(is)) {
    facts.emplace_back(ClaimDevicesChanged{.before = std::ssize(devices_of(was)),
                                           .after = std::ssize(devices_of(is)),
                                           .consumers = consumers_of(is)});
  } else if (reservations_of(was) != reservations_of(is)) {
    facts.emplace_back(ReservationsChanged{consumers_of(was), consumers_of(is)});
  }
}

void add_devices(SliceDevicesChanged::What what, NameList devices, Facts& facts) {
  if (!devices.empty()) facts.emplace_back(SliceDevicesChanged{what, std::move(devices)});
}

// Taints that the driver has set, for devices that exist in both slices.
void add_device_taints(const api::SliceSpec& was, const api::SliceSpec& is, Facts& facts) {
  NameList tainted;
  NameList cleared;
  for (const api::Device& device : is.devices) {
    const auto old = std::ranges::find(was.devices, device.name, &api::Device::name);
    if (old == was.devices.end()) continue;
    if (device.taints.size() > old->taints.size()) tainted.push_back(device.name);
    if (device.taints.size() < old->taints.size()) cleared.push_back(device.name);
  }
  add_devices(SliceDevicesChanged::What::TaintAdded, std::move(tainted), facts);
  add_devices(SliceDevicesChanged::What::TaintRemoved, std::move(cleared), facts);
}

void add_facts(const api::ResourceSlice& was, const api::ResourceSlice& is, Facts& facts) {
  NameList old;
  NameList now;
  for (const api::Device& device : was.spec.devices)
    old.push_back(device.name);
  for (const api::Device& device : is.spec.devices)
    now.push_back(device.name);
  add_devices(SliceDevicesChanged::What::Added, missing_in(old, now), facts);
  add_devices(SliceDevicesChanged::What::Removed, missing_in(now, old), facts);
  add_device_taints(was.spec, is.spec, facts);
  const api::PoolRef& pool_before = was.spec.pool;
  const api::PoolRef& pool_after = is.spec.pool;
  if (pool_before.generation != pool_after.generation)
    facts.emplace_back(GenerationChanged{pool_before.generation, pool_after.generation});
  if (pool_before.slice_count != pool_after.slice_count)
    facts.emplace_back(SliceCountChanged{pool_before.slice_count, pool_after.slice_count});
}

std::vector<std::string> taints_of(const api::Node& node) {
  std::vector<std::string> all;
  for (const api::NodeTaint& taint : node.spec.taints)
    all.push_back(engine::describe_taint(taint.key, taint.value, taint.effect));
  return all;
}

void add_status(std::string before, std::string after, Facts& facts) {
  if (before != after) facts.emplace_back(StatusChanged{std::move(before), std::move(after)});
}

void add_facts(const api::Node& was, const api::Node& is, Facts& facts) {
  add_status(engine::node_status(was), engine::node_status(is), facts);
  const auto old = taints_of(was);
  const auto now = taints_of(is);
  for (const std::string& taint : now) {
    if (std::ranges::find(old, taint) == old.end()) facts.emplace_back(NodeTaintAdded{taint});
  }
  for (const std::string& taint : old) {
    if (std::ranges::find(now, taint) == now.end()) facts.emplace_back(NodeTaintRemoved{taint});
  }
}

void add_facts(const api::Pod& was, const api::Pod& is, Facts& facts) {
  if (was.spec.node_name != is.spec.node_name) {
    if (is.spec.node_name.empty()) {
      facts.emplace_back(PodUnbound{was.spec.node_name});
    } else {
      facts.emplace_back(PodBound{is.spec.node_name});
    }
  }
  if (!is.meta.deleted) add_status(engine::pod_status(was), engine::pod_status(is), facts);
}

void add_facts(const api::DeviceTaintRule& was, const api::DeviceTaintRule& is, Facts& facts) {
  std::string before = describe(was.spec.taint);
  std::string after = describe(is.spec.taint);
  if (before != after) facts.emplace_back(RuleTaintChanged{std::move(before), std::move(after)});
}

void add_facts(const api::Event& was, const api::Event& is, Facts& facts) {
  facts.emplace_back(EventText{is.reason, is.message, was.message == is.message});
}

template <class T>
void add_facts(const T&, const T&, Facts&) {}

template <class T>
Facts facts_of(const T& was, const T& is) {
  Facts facts;
  const api::ObjectMeta& old = was.meta;
  const api::ObjectMeta& now = is.meta;
  if (!old.uid.empty() && !now.uid.empty() && old.uid != now.uid)
    facts.emplace_back(std::in_place_type<ObjectReplaced>);
  if (now.deleted && !old.deleted) facts.emplace_back(std::in_place_type<DeletionStarted>);
  add_facts(was, is, facts);
  if (!facts.empty()) return facts;
  NameList parts = snapshot::changed_parts(was.origin, is.origin);
  if (!parts.empty()) facts.emplace_back(PartsChanged{std::move(parts)});
  return facts;
}

// The facts about an object that was added or removed.
Facts facts_of(const api::ResourceClaim& claim) {
  if (!claim.allocated()) return {};
  return {ClaimAllocated{consumers_of(claim)}};
}
Facts facts_of(const api::ResourceSlice& slice) {
  return {SliceSize{std::ssize(slice.spec.devices)}};
}
Facts facts_of(const api::DeviceTaintRule& rule) { return {RuleTaint{describe(rule.spec.taint)}}; }
Facts facts_of(const api::Event& event) { return {EventText{event.reason, event.message}}; }
template <class T>
Facts facts_of(const T&) {
  return {};
}

template <class T>
Facts facts_between(const snapshot::Snapshot& before, const snapshot::Snapshot& after,
                    const Difference& object) {
  const T* was = before.find<T>(object.namespace_, object.name);
  const T* is = after.find<T>(object.namespace_, object.name);
  if (was == nullptr && is == nullptr) return {};
  if (was == nullptr) return facts_of(*is);
  return is == nullptr ? facts_of(*was) : facts_of(*was, *is);
}

Facts facts_by_kind(const snapshot::Snapshot& before, const snapshot::Snapshot& after,
                    const Difference& object) {
  switch (object.kind) {
    case api::Kind::Claim:
      return facts_between<api::ResourceClaim>(before, after, object);
    case api::Kind::Class:
      return facts_between<api::DeviceClass>(before, after, object);
    case api::Kind::Event:
      return facts_between<api::Event>(before, after, object);
    case api::Kind::Node:
      return facts_between<api::Node>(before, after, object);
    case api::Kind::Pod:
      return facts_between<api::Pod>(before, after, object);
    case api::Kind::Slice:
      return facts_between<api::ResourceSlice>(before, after, object);
    case api::Kind::TaintRule:
      return facts_between<api::DeviceTaintRule>(before, after, object);
    case api::Kind::Template:
      return facts_between<api::ResourceClaimTemplate>(before, after, object);
    default:
      return {};
  }
}

}  // namespace

std::vector<ObjectChange> object_changes(const snapshot::Snapshot& before,
                                         const snapshot::Snapshot& after,
                                         std::span<const Difference> objects) {
  std::vector<ObjectChange> changes;
  changes.reserve(objects.size());
  for (const Difference& object : objects)
    changes.push_back({object, facts_by_kind(before, after, object)});
  return changes;
}

bool only_events_gone(const std::vector<ObjectChange>& changes) {
  return !changes.empty() && std::ranges::all_of(changes, [](const ObjectChange& one) {
    return one.object.kind == api::Kind::Event && one.object.fate == snapshot::Fate::Removed;
  });
}

}  // namespace dra::answers

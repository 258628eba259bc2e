// src/engine/scheduler/volumes/volume_filter.cpp: the plugins one after the other, in the
// scheduler's order.

#include "src/engine/scheduler/volumes/volume_filter.h"

#include <algorithm>
#include <array>

#include "dra/base/text.h"
#include "dra/engine/facts/full_name.h"
#include "src/engine/scheduler/domains.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

constexpr std::string_view kReadWriteOncePod = "ReadWriteOncePod";
constexpr std::string_view kZone = "topology.kubernetes.io/zone";
constexpr std::string_view kRegion = "topology.kubernetes.io/region";
constexpr std::string_view kOldZone = "failure-domain.beta.kubernetes.io/zone";
constexpr std::string_view kOldRegion = "failure-domain.beta.kubernetes.io/region";
constexpr std::array kZoneLabels = {kOldZone, kOldRegion, kZone, kRegion};

std::string_view today(std::string_view key) {
  if (key == kOldZone) return kZone;
  return key == kOldRegion ? kRegion : key;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Zones of a volume that is in several have "__" between them. An empty one spoils the label.
std::vector<std::string> zones_of(std::string_view label) {
  std::vector<std::string> zones;
  while (true) {
    const std::size_t end = label.find("__");
    const std::string_view zone = trimmed(label.substr(0, end));
    if (zone.empty()) return {};
    zones.emplace_back(zone);
    if (end == std::string_view::npos) return zones;
    label.remove_prefix(end + 2);
  }
}

bool share_one(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  return std::ranges::any_of(
      a, [&b](std::string_view one) { return std::ranges::find(b, one) != b.end(); });
}

// The disk that two volumes share though one of them writes to it; empty: none.
std::string conflict_of(const api::VolumeSource& a, const api::VolumeSource& b) {
  if (a.gce_disk && b.gce_disk && a.gce_disk->name == b.gce_disk->name &&
      !(a.gce_disk->read_only && b.gce_disk->read_only))
    return base::format("GCE disk {}", a.gce_disk->name);
  if (a.aws_disk && b.aws_disk && a.aws_disk->id == b.aws_disk->id)
    return base::format("EBS volume {}", a.aws_disk->id);
  if (a.iscsi && b.iscsi && a.iscsi->iqn == b.iscsi->iqn &&
      !(a.iscsi->read_only && b.iscsi->read_only))
    return base::format("iSCSI disk {}", a.iscsi->iqn);
  if (a.rbd && b.rbd && a.rbd->pool == b.rbd->pool && a.rbd->image == b.rbd->image &&
      share_one(a.rbd->monitors, b.rbd->monitors) && !(a.rbd->read_only && b.rbd->read_only))
    return base::format("RBD image {}/{}", a.rbd->pool, a.rbd->image);
  return {};
}

bool is_for_one_pod(const api::Volume& volume) {
  const api::VolumeSource& source = volume.source;
  return source.gce_disk || source.aws_disk || source.iscsi || source.rbd;
}

bool is_own(const api::Pod& other, const api::Pod& pod) {
  return other.meta.name == pod.meta.name && other.meta.namespace_ == pod.meta.namespace_;
}

// Whether a driver that makes one of the volumes publishes how much is left.
bool asks_for_capacity(const snapshot::Snapshot& snapshot,
                       const std::vector<PodVolumeClaim>& claims) {
  return std::ranges::any_of(claims, [&snapshot](const PodVolumeClaim& claim) {
    const auto* storage = snapshot.find<api::StorageClass>(claim.class_name);
    const auto* driver =
        storage == nullptr ? nullptr : snapshot.find<api::CsiDriver>(storage->provisioner);
    return driver != nullptr && driver->spec.storage_capacity;
  });
}

// "zone a" where nodes are named by one value of one label.
std::string one_place(const api::NodeSelector& selector) {
  if (selector.terms.size() != 1 || !selector.terms.front().fields.empty()) return {};
  const auto& expressions = selector.terms.front().expressions;
  if (expressions.size() != 1 || expressions.front().op != "In" ||
      expressions.front().values.size() != 1)
    return {};
  return where_words(expressions.front().key, expressions.front().values.front());
}

// "; the node is in zone b"; empty where it does not help.
std::string own_place(const api::Node& node, std::string_view key) {
  if (key != kZone && key != kRegion) return {};
  const std::string_view* value = api::find(node.meta.labels, key);
  return value == nullptr ? base::format("; the node has no label {}", key)
                          : base::format("; the node is {}", where_words(key, *value));
}

}  // namespace

VolumeFilter::VolumeFilter(const snapshot::Snapshot& snapshot, const NodeLoads& loads,
                           const api::Pod& pod)
    : snapshot_(snapshot),
      pod_(pod),
      has_claims_(has_volume_claims(pod.spec)),
      pods_known_(loads.saw_pods()) {
  const auto saw = [&](std::initializer_list<api::Kind> kinds) {
    bool all = true;
    for (const api::Kind kind : kinds) {
      if (snapshot.coverage().saw(kind)) continue;
      all = false;
      if (std::ranges::find(unread_, kind) == unread_.end()) unread_.push_back(kind);
    }
    return all;
  };
  claims_known_ = !has_claims_ || saw({api::Kind::PersistentVolumeClaim,
                                       api::Kind::PersistentVolume, api::Kind::StorageClass});
  const bool limits_known =
      !has_attached_volumes(pod.spec) ||
      saw({api::Kind::PersistentVolumeClaim, api::Kind::PersistentVolume, api::Kind::StorageClass,
           api::Kind::CsiNode, api::Kind::CsiDriver, api::Kind::VolumeAttachment});
  if (!claims_known_) return;
  volumes_ = volumes_of(snapshot, pod);
  if (pods_known_) {
    find_single_users(loads);
    if (limits_known && has_attached_volumes(pod.spec))
      limits_ = std::make_unique<const VolumeLimits>(snapshot, loads, pod);
  }
  for (const PodVolumeClaim& claim : volumes_.bound)
    add_bound(claim);
  if (volumes_.waiting.empty()) return;
  const bool capacity_known =
      saw({api::Kind::CsiDriver}) &&
      (!asks_for_capacity(snapshot, volumes_.waiting) || saw({api::Kind::StorageCapacity}));
  supply_ = std::make_unique<const VolumeSupply>(snapshot, volumes_.waiting, capacity_known);
}

void VolumeFilter::add_bound(const PodVolumeClaim& claim) {
  Bound bound{.claim = &claim,
              .volume = snapshot_.find<api::PersistentVolume>(claim.spec->volume_name)};
  if (bound.volume != nullptr && bound.volume->spec.affinity.required)
    bound.nodes.emplace(*bound.volume->spec.affinity.required);
  if (bound.volume != nullptr && !claim.ephemeral) {
    for (const std::string_view key : kZoneLabels) {
      const std::string_view* label = api::find(bound.volume->meta.labels, key);
      if (label == nullptr) continue;
      auto zones = zones_of(*label);
      if (!zones.empty()) bound.zones.push_back({key, std::move(zones)});
    }
  }
  bound_.push_back(std::move(bound));
}

// Pods whose volumes this pod cannot share: on any node those that use a claim of one pod, on the
// same node those with the same disk.
void VolumeFilter::find_single_users(const NodeLoads& loads) {
  std::vector<std::string_view> alone;  // claims
  bool disks = false;
  for (const api::Volume& volume : pod_.spec.volumes) {
    disks = disks || is_for_one_pod(volume);
    if (!volume.source.claim) continue;
    const auto* claim = snapshot_.find<api::PersistentVolumeClaim>(pod_.meta.namespace_,
                                                                   volume.source.claim->claim);
    if (claim != nullptr && std::ranges::find(claim->spec.access_modes, kReadWriteOncePod) !=
                                claim->spec.access_modes.end())
      alone.push_back(claim->meta.name);
  }
  if (alone.empty() && !disks) return;
  for (const api::Pod* other : loads.placed()) {
    if (is_own(*other, pod_)) continue;
    if (disks && std::ranges::any_of(other->spec.volumes, is_for_one_pod))
      disk_users_[other->spec.node_name].push_back(other);
    if (single_use_ || other->meta.namespace_ != pod_.meta.namespace_) continue;
    for (const api::Volume& volume : other->spec.volumes) {
      if (!volume.source.claim ||
          std::ranges::find(alone, volume.source.claim->claim) == alone.end() ||
          snapshot_.find<api::Node>(other->spec.node_name) == nullptr)
        continue;
      single_use_ =
          Reason{.code = Code::VolumeInUse,
                 .message = base::format("PersistentVolumeClaim {} is for one pod at a time "
                                         "(ReadWriteOncePod), and pod {} on node {} uses it",
                                         volume.source.claim->claim, full_name(other->meta),
                                         other->spec.node_name)};
      break;
    }
  }
}

void VolumeFilter::check(const api::Node& node, bool with_pods_elsewhere,
                         std::vector<Reason>& reasons) const {
  if (!claims_known_) return;
  if (volumes_.refusal) {
    reasons.push_back(*volumes_.refusal);
    return;
  }
  check_disks(node, reasons);
  if (single_use_ && with_pods_elsewhere) reasons.push_back(*single_use_);
  if (limits_ != nullptr) limits_->check(node, reasons);
  if (!needs_translation()) check_bound(node, reasons);
  if (supply_ != nullptr) supply_->check(node, reasons);
  check_zones(node, reasons);
}

void VolumeFilter::check_disks(const api::Node& node, std::vector<Reason>& reasons) const {
  const auto users = disk_users_.find(node.meta.name);
  if (users == disk_users_.end()) return;
  for (const api::Volume& volume : pod_.spec.volumes) {
    for (const api::Pod* other : users->second) {
      for (const api::Volume& theirs : other->spec.volumes) {
        const std::string disk = conflict_of(volume.source, theirs.source);
        if (disk.empty()) continue;
        reasons.push_back(
            {.code = Code::DiskInUse,
             .message = base::format("pod {} on the node uses {}", full_name(other->meta), disk)});
        return;
      }
    }
  }
}

void VolumeFilter::check_bound(const api::Node& node, std::vector<Reason>& reasons) const {
  api::Node labels_only;  // a volume knows the node by its labels alone
  labels_only.meta.labels = node.meta.labels;
  for (const Bound& bound : bound_) {
    if (bound.volume == nullptr) {
      reasons.push_back(
          {.code = Code::VolumeLost,
           .message = base::format("PersistentVolumeClaim {} is bound to "
                                   "PersistentVolume {}, which does not exist",
                                   bound.claim->name, bound.claim->spec->volume_name)});
      return;
    }
    if (!bound.nodes) continue;
    const auto matched = bound.nodes->matches(labels_only);
    if (matched.ok() && matched.value()) continue;
    const api::NodeSelector& selector = *bound.volume->spec.affinity.required;
    const std::string place = one_place(selector);
    const std::string words =
        place.empty()
            ? base::format("is for nodes with {}", describe(selector))
            : base::format("is {}{}", place,
                           own_place(node, selector.terms.front().expressions.front().key));
    reasons.push_back(
        {.code = Code::VolumeElsewhere,
         .message = base::format("the data of PersistentVolumeClaim {} (PersistentVolume {}) {}",
                                 bound.claim->name, bound.volume->meta.name, words)});
    return;
  }
}

// A node without any of these labels is in all zones.
void VolumeFilter::check_zones(const api::Node& node, std::vector<Reason>& reasons) const {
  const bool told = std::ranges::any_of(
      reasons, [](const Reason& reason) { return reason.code == Code::VolumeElsewhere; });
  const bool labelled = std::ranges::any_of(kZoneLabels, [&node](std::string_view key) {
    return api::find(node.meta.labels, key) != nullptr;
  });
  if (told || !labelled) return;
  for (const Bound& bound : bound_) {
    for (const Zone& zone : bound.zones) {
      const std::string_view* value = api::find(node.meta.labels, zone.key);
      if (value == nullptr) value = api::find(node.meta.labels, today(zone.key));
      if (value != nullptr && std::ranges::find(zone.values, *value) != zone.values.end()) continue;
      const std::string_view key = today(zone.key);
      reasons.push_back(
          {.code = Code::VolumeElsewhere,
           .message = base::format(
               "the data of PersistentVolumeClaim {} (PersistentVolume {}) is {}{}",
               bound.claim->name, bound.volume->meta.name,
               where_words(key, base::join(zone.values, " and ")), own_place(node, key))});
      return;
    }
  }
}

// The scheduler rewrites the labels of volumes of clouds that were made before CSI.
bool VolumeFilter::needs_translation() const {
  return std::ranges::any_of(bound_, [this](const Bound& bound) {
    if (bound.volume == nullptr) return false;
    const std::string_view plugin = in_tree_plugin(bound.volume->spec.source);
    return !plugin.empty() &&
           std::ranges::any_of(snapshot_.all<api::CsiNode>(), [plugin](const api::CsiNode& node) {
             return is_migrated(node, plugin);
           });
  });
}

std::vector<std::string> VolumeFilter::not_read() const {
  std::vector<std::string> parts;
  std::vector<std::string> resources;
  for (const api::Kind kind : unread_)
    resources.emplace_back(api::info_of(kind).resource);
  if (!resources.empty())
    parts.push_back(base::format("volumes ({} cannot be read)", base::join(resources, ", ")));
  if (!claims_known_) return parts;
  if (needs_translation()) parts.emplace_back("volumes that were made before CSI");
  if (!volumes_.made_at_once.empty())
    parts.push_back(base::format("where the volume of {} will be made", volumes_.made_at_once));
  return parts;
}

}  // namespace dra::engine

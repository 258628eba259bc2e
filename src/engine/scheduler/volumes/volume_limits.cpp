// src/engine/scheduler/volumes/volume_limits.cpp: volumes are equal if driver and handle are. A
// volume that is still to be made has its claim as handle.

#include "src/engine/scheduler/volumes/volume_limits.h"

#include <algorithm>
#include <array>

#include "dra/api/storage.h"
#include "dra/base/text.h"
#include "dra/engine/facts/features.h"
#include "src/engine/scheduler/volumes/pod_volumes.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

constexpr std::string_view kMigrated = "storage.alpha.kubernetes.io/migrated-plugins";
constexpr std::string_view kGceDisk = "kubernetes.io/gce-pd";
constexpr std::string_view kAwsDisk = "kubernetes.io/aws-ebs";
constexpr std::string_view kAzureDisk = "kubernetes.io/azure-disk";
constexpr std::string_view kCinder = "kubernetes.io/cinder";
constexpr std::string_view kPortworx = "kubernetes.io/portworx-volume";

struct Successor {
  std::string_view in_tree;
  std::string_view driver;
};
// Upstream: k8s.io/csi-translation-lib/plugins, and isCSIMigrationOn for those without a driver
// here, which are not counted.
constexpr std::array<Successor, 7> kSuccessors = {{
    {kAwsDisk, "ebs.csi.aws.com"},
    {kAzureDisk, "disk.csi.azure.com"},
    {"kubernetes.io/azure-file", ""},
    {kCinder, "cinder.csi.openstack.org"},
    {kGceDisk, "pd.csi.storage.gke.io"},
    {kPortworx, "pxd.portworx.com"},
    {"kubernetes.io/vsphere-volume", ""},
}};

const Successor* successor_of(std::string_view in_tree) {
  const auto found = std::ranges::find(kSuccessors, in_tree, &Successor::in_tree);
  return found == kSuccessors.end() ? nullptr : &*found;
}

struct Disk {
  std::string_view in_tree;
  std::string_view id;
};
// Of a pod's volume or a PersistentVolume. No plugin: it is none that was replaced.
template <class Source>
Disk disk_of(const Source& source) {
  if (source.gce_disk) return {kGceDisk, source.gce_disk->name};
  if (source.aws_disk) return {kAwsDisk, source.aws_disk->id};
  if (source.azure_disk) return {kAzureDisk, source.azure_disk->uri};
  if (source.cinder) return {kCinder, source.cinder->id};
  if (source.portworx) return {kPortworx, source.portworx->id};
  return {};
}

std::string key_of(std::string_view driver, std::string_view handle) {
  return base::format("{}/{}", driver, handle);
}

bool is_same(const api::Pod& a, const api::Pod& b) {
  return a.meta.name == b.meta.name && a.meta.namespace_ == b.meta.namespace_;
}

}  // namespace

bool is_migrated(const api::CsiNode& node, std::string_view in_tree) {
  const std::string_view* plugins = api::find(node.meta.annotations, kMigrated);
  if (plugins == nullptr) return false;
  const auto names = base::split(*plugins, ',');
  return std::ranges::find(names, in_tree) != names.end();
}

std::string_view in_tree_plugin(const api::PersistentVolumeSource& source) {
  return disk_of(source).in_tree;
}

VolumeLimits::VolumeLimits(const snapshot::Snapshot& snapshot, const NodeLoads& loads,
                           const api::Pod& pod)
    : snapshot_(snapshot),
      pod_(pod),
      minor_(minor_release(snapshot.server())),
      asks_for_drivers_(features_of(snapshot.server()).on(Gate::VolumeLimitScaling)) {
  for (const api::Pod* other : loads.placed()) {
    if (!other->spec.volumes.empty() && !is_same(*other, pod))
      pods_[other->spec.node_name].push_back(other);
  }
  for (const api::VolumeAttachment& one : snapshot.all<api::VolumeAttachment>())
    attachments_[one.spec.node].push_back(&one);
}

bool VolumeLimits::counts(const api::CsiNode* node, std::string_view in_tree) const {
  constexpr int without_annotation = 36;
  return node != nullptr &&
         (in_tree != kPortworx || minor_ >= without_annotation || is_migrated(*node, in_tree));
}

void VolumeLimits::add_disks(const api::VolumeSource& source, const api::CsiNode* node,
                             Volumes& volumes) const {
  const Disk disk = disk_of(source);
  if (disk.in_tree.empty() || !counts(node, disk.in_tree)) return;
  const std::string_view driver = successor_of(disk.in_tree)->driver;
  volumes.emplace(key_of(driver, disk.id), driver);
}

// A claim in the namespace of the pod.
void VolumeLimits::add_of_class(std::string_view class_name, const std::string& claim,
                                const api::CsiNode* node, Volumes& volumes) const {
  const auto* storage = snapshot_.find<api::StorageClass>(class_name);
  if (storage == nullptr) return;
  std::string_view driver = storage->provisioner;
  if (const Successor* successor = successor_of(driver)) {
    if (successor->driver.empty() || !counts(node, driver)) return;
    driver = successor->driver;
  }
  if (!driver.empty()) volumes.emplace(key_of(driver, "claim " + claim), driver);
}

// What a claim of a pod on the node has lost is not counted.
void VolumeLimits::add_claim(const api::Pod& pod, const api::Volume& volume,
                             const api::CsiNode* node, Volumes& volumes) const {
  const std::string name = claim_name_of(pod, volume);
  const auto* claim = snapshot_.find<api::PersistentVolumeClaim>(pod.meta.namespace_, name);
  const std::string full = base::format("{}/{}", pod.meta.namespace_, name);
  if (claim == nullptr && !volume.source.ephemeral) return;
  if (claim == nullptr) {
    if (&pod == &pod_)
      add_of_class(volume.source.ephemeral->claim_template.spec.class_name, full, node, volumes);
    return;
  }
  const auto* bound = snapshot_.find<api::PersistentVolume>(claim->spec.volume_name);
  if (bound == nullptr) return add_of_class(class_of(*claim), full, node, volumes);
  const api::PersistentVolumeSource& source = bound->spec.source;
  if (source.csi) {
    const bool counted = !source.csi->driver.empty() && !source.csi->handle.empty();
    if (counted)
      volumes.emplace(key_of(source.csi->driver, source.csi->handle), source.csi->driver);
    return;
  }
  const Disk disk = disk_of(source);
  if (disk.in_tree.empty() || !counts(node, disk.in_tree)) return;
  const std::string_view driver = successor_of(disk.in_tree)->driver;
  volumes.emplace(key_of(driver, disk.id), driver);
}

void VolumeLimits::add(const api::Pod& pod, const api::CsiNode* node, Volumes& volumes) const {
  for (const api::Volume& volume : pod.spec.volumes) {
    if (volume.source.claim || volume.source.ephemeral) {
      add_claim(pod, volume, node, volumes);
    } else {
      add_disks(volume.source, node, volumes);
    }
  }
}

// v1.35 asked for every driver that has a CSIDriver; later ones only for those that want it.
bool VolumeLimits::misses_driver(std::string_view driver, const api::CsiNode* node) const {
  constexpr int opt_in = 36;
  const auto* known = snapshot_.find<api::CsiDriver>(driver);
  if (known == nullptr || (minor_ >= opt_in && !known->spec.needs_driver_on_node)) return false;
  return node == nullptr ||
         std::ranges::find(node->spec.drivers, driver, &api::CsiNodeDriver::name) ==
             node->spec.drivers.end();
}

void VolumeLimits::check(const api::Node& node, std::vector<Reason>& reasons) const {
  const auto* csi = snapshot_.find<api::CsiNode>(node.meta.name);
  Volumes wanted;
  add(pod_, csi, wanted);
  if (asks_for_drivers_) {
    for (const auto& [key, driver] : wanted) {
      if (!misses_driver(driver, csi)) continue;
      reasons.push_back(
          {.code = Code::VolumeDriverMissing,
           .message = base::format("CSI driver {} is not installed on the node", driver)});
      return;
    }
  }
  if (csi != nullptr && !wanted.empty()) compare(*csi, std::move(wanted), reasons);
}

void VolumeLimits::compare(const api::CsiNode& node, Volumes wanted,
                           std::vector<Reason>& reasons) const {
  std::map<std::string_view, std::int64_t> limits;
  for (const api::CsiNodeDriver& driver : node.spec.drivers) {
    if (driver.allocatable && driver.allocatable->count)
      limits[driver.name] = *driver.allocatable->count;
  }
  if (limits.empty()) return;
  Volumes attached;
  if (const auto pods = pods_.find(node.meta.name); pods != pods_.end()) {
    for (const api::Pod* pod : pods->second)
      add(*pod, &node, attached);
  }
  std::map<std::string_view, std::int64_t> there;
  std::map<std::string_view, std::int64_t> more;
  for (const auto& [key, driver] : attached) {
    wanted.erase(key);
    ++there[driver];
  }
  Volumes by_attachment;
  if (const auto all = attachments_.find(node.meta.name); all != attachments_.end()) {
    for (const api::VolumeAttachment* one : all->second) {
      const auto& name = one->spec.source.volume;
      const auto* volume = name ? snapshot_.find<api::PersistentVolume>(*name) : nullptr;
      if (one->spec.attacher.empty() || volume == nullptr || !volume->spec.source.csi) continue;
      by_attachment.emplace(key_of(one->spec.attacher, volume->spec.source.csi->handle),
                            one->spec.attacher);
    }
  }
  for (const auto& [key, driver] : by_attachment)
    there[driver] += attached.contains(key) ? 0 : 1;
  for (const auto& [key, driver] : wanted)
    ++more[driver];
  for (const auto& [driver, count] : more) {
    const auto limit = limits.find(driver);
    if (limit == limits.end() || there[driver] + count <= limit->second) continue;
    reasons.push_back(
        {.code = Code::VolumeLimit,
         .message = base::format("the node takes {} of CSI driver {}, {} {} attached or promised, "
                                 "and the pod needs {} more",
                                 base::plural(limit->second, "volume"), driver, there[driver],
                                 there[driver] == 1 ? "is" : "are", count)});
    return;
  }
}

}  // namespace dra::engine

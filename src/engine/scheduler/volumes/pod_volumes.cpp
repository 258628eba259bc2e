// src/engine/scheduler/volumes/pod_volumes.cpp: one pass for claims that are missing, one for those
// that cannot be used, and one that divides the others.

#include "src/engine/scheduler/volumes/pod_volumes.h"

#include <algorithm>

#include "dra/base/text.h"
#include "dra/snapshot/template_pods.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

constexpr std::string_view kClassAnnotation = "volume.beta.kubernetes.io/storage-class";
constexpr std::string_view kDefaultClass = "storageclass.kubernetes.io/is-default-class";
constexpr std::string_view kBindCompleted = "pv.kubernetes.io/bind-completed";
constexpr std::string_view kWaits = "WaitForFirstConsumer";

std::string_view annotated(const api::ObjectMeta& meta, std::string_view class_name) {
  const std::string_view* name = api::find(meta.annotations, kClassAnnotation);
  return name == nullptr ? class_name : *name;
}

// The API server gives a claim without a class the newest default class.
std::string_view default_class(const snapshot::Snapshot& snapshot) {
  const api::StorageClass* newest = nullptr;
  for (const api::StorageClass& one : snapshot.all<api::StorageClass>()) {
    const std::string_view* is_default = api::find(one.meta.annotations, kDefaultClass);
    if (is_default == nullptr || *is_default != "true") continue;
    if (newest == nullptr || one.meta.created > newest->meta.created) newest = &one;
  }
  return newest == nullptr ? std::string_view() : newest->meta.name;
}

bool is_fully_bound(const api::PersistentVolumeClaim& claim) {
  return !claim.spec.volume_name.empty() &&
         api::find(claim.meta.annotations, kBindCompleted) != nullptr;
}

class Divider {
 public:
  Divider(const snapshot::Snapshot& snapshot, const api::Pod& pod)
      : snapshot_(snapshot), pod_(pod) {}

  PodVolumes divide() {
    for (const api::Volume& volume : pod_.spec.volumes) {
      if (volume.source.claim && find(volume.source.claim->claim) == nullptr)
        refuse(missing(volume.source.claim->claim));
    }
    for (const api::Volume& volume : pod_.spec.volumes)
      check_usable(volume);
    for (const api::Volume& volume : pod_.spec.volumes) {
      if (!out_.refusal) add(volume);
    }
    check_volumes();
    return std::move(out_);
  }

 private:
  const api::PersistentVolumeClaim* find(std::string_view name) const {
    return snapshot_.find<api::PersistentVolumeClaim>(pod_.meta.namespace_, name);
  }

  // The first one is upstream's.
  void refuse(Reason reason) {
    if (!out_.refusal) out_.refusal = std::move(reason);
  }

  Reason missing(std::string_view claim) const {
    return {.code = Code::VolumeClaimMissing,
            .message = base::format("PersistentVolumeClaim {} does not exist in namespace {}",
                                    claim, pod_.meta.namespace_)};
  }

  void check_usable(const api::Volume& volume) {
    const std::string name = claim_name_of(pod_, volume);
    if (name.empty() || out_.refusal) return;
    const bool ephemeral = volume.source.ephemeral.has_value();
    const auto* claim = find(name);
    if (claim == nullptr) {
      if (ephemeral && !snapshot::is_planned(pod_))
        refuse({.code = Code::VolumeClaimMissing,
                .message = base::format(
                    "PersistentVolumeClaim {} of the ephemeral volume {} has not been created yet",
                    name, volume.name)});
      return;
    }
    if (claim->status.phase == "Lost") {
      refuse(lost(name, claim->spec.volume_name));
    } else if (claim->meta.deleted) {
      refuse({.code = Code::VolumeClaimMissing,
              .message = base::format("PersistentVolumeClaim {} is being deleted", name)});
    } else if (ephemeral && !is_for_pod(*claim, pod_)) {
      refuse({.code = Code::VolumeClaimMissing,
              .message = base::format(
                  "PersistentVolumeClaim {} exists, but it was not created for the pod's ephemeral "
                  "volume {}",
                  name, volume.name)});
    }
  }

  static Reason lost(std::string_view claim, std::string_view volume) {
    return {.code = Code::VolumeLost,
            .message = base::format(
                "PersistentVolumeClaim {} is bound to PersistentVolume {}, which does not exist",
                claim, volume)};
  }

  void add(const api::Volume& volume) {
    PodVolumeClaim one{.name = claim_name_of(pod_, volume),
                       .ephemeral = volume.source.ephemeral.has_value()};
    if (one.name.empty()) return;
    one.claim = find(one.name);
    one.spec =
        one.claim != nullptr ? &one.claim->spec : &volume.source.ephemeral->claim_template.spec;
    one.class_name = one.claim != nullptr ? class_of(*one.claim) : one.spec->class_name;
    if (one.claim == nullptr && one.class_name.empty()) one.class_name = default_class(snapshot_);
    if (one.claim != nullptr && is_fully_bound(*one.claim)) {
      out_.bound.push_back(std::move(one));
      return;
    }
    const auto* storage = snapshot_.find<api::StorageClass>(one.class_name);
    const bool waits = storage != nullptr && storage->binding_mode == kWaits;
    if (waits && one.spec->volume_name.empty()) {
      out_.waiting.push_back(std::move(one));
    } else if (one.claim != nullptr) {
      refuse({.code = Code::VolumeClaimUnbound, .message = why_unbound(one, storage)});
    } else {
      out_.made_at_once = std::move(one.name);
    }
  }

  static std::string why_unbound(const PodVolumeClaim& one, const api::StorageClass* storage) {
    const std::string start = base::format("PersistentVolumeClaim {} is not bound: ", one.name);
    if (!one.spec->volume_name.empty())
      return start + base::format("it names PersistentVolume {}, which is not bound to it yet",
                                  one.spec->volume_name);
    if (one.class_name.empty())
      return start + "it has no StorageClass, and no PersistentVolume without one was bound to it";
    if (storage == nullptr)
      return start + base::format("StorageClass {} does not exist", one.class_name);
    return start +
           base::format(
               "StorageClass {} binds at once (volumeBindingMode Immediate), and {} has not "
               "made a volume",
               one.class_name, storage->provisioner);
  }

  // Only for ephemeral volumes the scheduler looks for the bound volume node by node.
  void check_volumes() {
    if (out_.refusal) return;
    for (const PodVolumeClaim& one : out_.bound) {
      if (one.ephemeral) continue;
      if (snapshot_.find<api::PersistentVolume>(one.spec->volume_name) == nullptr)
        refuse(lost(one.name, one.spec->volume_name));
    }
  }

  const snapshot::Snapshot& snapshot_;
  const api::Pod& pod_;
  PodVolumes out_;
};

}  // namespace

std::string_view class_of(const api::PersistentVolumeClaim& claim) {
  return annotated(claim.meta, claim.spec.class_name);
}

std::string_view class_of(const api::PersistentVolume& volume) {
  return annotated(volume.meta, volume.spec.class_name);
}

bool has_volume_claims(const api::PodSpec& spec) {
  return std::ranges::any_of(spec.volumes, [](const api::Volume& volume) {
    return volume.source.claim || volume.source.ephemeral;
  });
}

bool has_volumes_for_filters(const api::PodSpec& spec) {
  return std::ranges::any_of(spec.volumes, &api::Volume::depends_on_node);
}

bool has_attached_volumes(const api::PodSpec& spec) {
  return std::ranges::any_of(spec.volumes, &api::Volume::is_attached);
}

std::string claim_name_of(const api::Pod& pod, const api::Volume& volume) {
  if (volume.source.claim) return std::string(volume.source.claim->claim);
  return volume.source.ephemeral ? base::format("{}-{}", pod.meta.name, volume.name)
                                 : std::string();
}

bool is_for_pod(const api::PersistentVolumeClaim& claim, const api::Pod& pod) {
  const api::OwnerReference* owner = api::controller_of(claim.meta);
  return owner != nullptr && owner->uid == pod.meta.uid;
}

PodVolumes volumes_of(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  return Divider(snapshot, pod).divide();
}

}  // namespace dra::engine

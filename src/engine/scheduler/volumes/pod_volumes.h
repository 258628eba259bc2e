// src/engine/scheduler/volumes/pod_volumes.h
//
// The PersistentVolumeClaims of a pod, divided as the scheduler divides them: bound, waiting for
// the scheduler to choose a node, and those because of which it does not look at nodes at all.
//
// Upstream: k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumebinding, podHasPVCs and
// GetPodVolumeClaims; volumezone, getPVbyPod; k8s.io/component-helpers/storage/ephemeral.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/pod.h"
#include "dra/diag/reason.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// A claim of one volume of the pod; two volumes may name one claim.
struct PodVolumeClaim {
  std::string name;
  const api::VolumeClaimSpec* spec = nullptr;
  // nullptr: it is made with the pod, which does not exist yet.
  const api::PersistentVolumeClaim* claim = nullptr;
  std::string_view class_name = {};  // empty: none
  bool ephemeral = false;
};

struct PodVolumes {
  std::vector<PodVolumeClaim> bound;
  std::vector<PodVolumeClaim> waiting;  // for the pod: WaitForFirstConsumer
  // A volume that is made at once, for a node that cannot be known: its claim's name. Empty: none.
  std::string made_at_once;
  // Keeps the scheduler from all nodes.
  std::optional<diag::Reason> refusal;
};

// Whether the pod has volumes at which filters of nodes look.
bool has_volumes_for_filters(const api::PodSpec& spec);
bool has_volume_claims(const api::PodSpec& spec);
// Whether some of them count against the limits of CSI drivers.
bool has_attached_volumes(const api::PodSpec& spec);

// Claims, volumes and classes must have been read.
PodVolumes volumes_of(const snapshot::Snapshot& snapshot, const api::Pod& pod);

// The name of the claim of a volume; empty: it has none.
std::string claim_name_of(const api::Pod& pod, const api::Volume& volume);

// The class, which an old annotation may name. Empty: none.
std::string_view class_of(const api::PersistentVolumeClaim& claim);
std::string_view class_of(const api::PersistentVolume& volume);

bool is_for_pod(const api::PersistentVolumeClaim& claim, const api::Pod& pod);

}  // namespace dra::engine

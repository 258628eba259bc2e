// include/dra/engine/cluster/holder_state.h
//
// The state of the consumers of an allocated claim: whether its devices can become free by
// themselves. The claim controller takes away the reservations of pods that have ended or are gone,
// with the last of them frees the claim; one that no consumer has reserved it frees only when it is
// deleted. Upstream:
// k8s.io/kubernetes/pkg/controller/resourceclaim, syncClaim.

#pragma once

#include <cstdint>
#include <string>

#include "dra/api/claim.h"
#include "dra/api/pod.h"
#include "dra/base/time.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

enum class HolderState : std::uint8_t {
  Runs,      // a pod is there; also if pods could not be read
  Crashes,   // a container of each of its pods crashes again and again
  Deleting,  // its pods are being deleted
  Stuck,     // likewise, and the kubelet does not let them go, or is itself gone
  Gone,      // its pods have ended or are not there any more
  Unused,    // no consumer has reserved it
  NotAPod,   // some consumer is no pod: the controller never takes that reservation away
};

struct HolderFacts {
  HolderState state = HolderState::Runs;
  std::int64_t restarts = 0;  // of Crashes
  std::string consumer = {};  // of NotAPod: "trainers.example.com t1"
  bool ended = false;         // of Gone: a pod is still there
  bool replaced = false;      // of Gone: another pod has the name of one that is not
  // Of Crashes: its Job or a deadline ends the pod. Of Unused: the claim is being deleted.
  bool ends = false;

  // The devices stay in use until someone acts.
  bool is_for_good() const {
    const bool may_end = state == HolderState::Crashes || state == HolderState::Unused;
    return state == HolderState::Stuck || state == HolderState::NotAPod || (may_end && !ends);
  }
};

// Pods end within their grace period of thirty seconds, and the claim controller takes their
// reservations away at once; what takes longer is stuck.
inline constexpr base::Duration kReleaseTakes = base::Duration::seconds(60);

// Whether the claim is reserved for a pod that is not there any more. Needs pods: without them each
// is gone.
bool is_gone(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim,
             const api::Consumer& consumer);
// The pod that has the name of one that is gone, with another uid. nullptr: there is none.
const api::Pod* namesake_of(const snapshot::Snapshot& snapshot, std::string_view ns,
                            const api::Consumer& consumer);
// " (the pod of that name that is there now has another uid)". Empty: there is none.
std::string words_for_namesake(const snapshot::Snapshot& snapshot, std::string_view ns,
                               const api::Consumer& consumer);
// When the last container ended; no value: some has not, or has no time, or there is none.
api::Time ended_at(const api::Pod& pod);
// The pod has ended, and the claim controller has had the time to take its reservation away.
bool ended_long_ago(const api::Pod& pod, base::Instant now);

HolderFacts holder_facts(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim);

}  // namespace dra::engine

// include/dra/engine/facts/known_bugs.h
//
// Bugs of Kubernetes components that look like a fault of something else, and the releases that
// have them. What a bug shows in a cluster is checked where that is looked at; this is the table of
// what is wrong, where, and which release fixes it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dra/snapshot/snapshot.h"

namespace dra::engine {

enum class Bug : std::uint8_t {
  AdminAccessTakesCounters,   // a device in use is refused to who may have admin access
  CountersStayReserved,       // a node with free counters is refused
  CountersTakenAgain,         // a device that has room for a share is refused
  DeviceAllocatedTwice,       // to two claims
  ExtendedResourceStays,      // a pod with a tainted device by an extended resource
  GangSharesClaim,            // pods of a gang with one claim that is not allocated
  IdleConnection,             // a driver that works is not registered any more
  PartitionsOverlap,          // counters are given out that are in use
  PreparedClaimBesideOthers,  // a pod with a claim that is prepared already
  RulesNotFollowed,           // the scheduler crashes, or does not see taint rules
  ScoreOfAllocatedClaim,      // a pod with a claim that is allocated already
  TolerationLost,             // a pod that tolerates a taint is evicted
};

// "a bug of kube-scheduler v1.34 before v1.34.4 (kubernetes/kubernetes issue 136269): ...". Empty:
// that version does not have it. A version without a patch number may have it.
std::string words_of(Bug bug, std::string_view version);
// Likewise of the control plane; of the version that is assumed where nothing is known, the minor
// number counts.
std::string words_of(Bug bug, const snapshot::Server& server);

// The bug that a message of kube-scheduler is a sign of.
std::optional<Bug> bug_in(std::string_view message);

}  // namespace dra::engine

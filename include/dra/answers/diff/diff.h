// include/dra/answers/diff/diff.h
//
// `kubectl dra diff`: what happened to a cluster between two states: the objects that differ; the
// devices that came, went or changed hands; and the subjects whose verdict changed, with the
// changes that decided. Subjects are the pods and claims that wait for devices in one of the two
// states, and the pods that have devices and do not run with them in one of them.
//
// Kinds that could not be read in both states are left out: not visible is not gone.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/answers/diff/comparison.h"
#include "dra/engine/cluster/inventory.h"

namespace dra::answers {

enum class DeviceFate { Came, Went, ChangedHands, StateChanged };
std::string_view name_of(DeviceFate fate);  // "changedHands"

// A device in one of the states. Admin access holds nothing.
struct DeviceSide {
  engine::DeviceState state;
  std::vector<std::string> claims;  // that hold it: namespace/name
  std::vector<std::string> pods;    // that have reserved these
};
struct DeviceChange {
  engine::DeviceId id;
  DeviceFate fate;
  std::optional<DeviceSide> before;  // no value: it came
  std::optional<DeviceSide> after;   // no value: it went
};

// Subjects with the same answer, which is not the answer from before, and why.
struct VerdictChange {
  std::vector<SubjectName> subjects;  // at least one
  StateAnswer before;                 // of the first
  StateAnswer after;
  // The fewest changes that make the answer what it is now. Of a subject that got devices: the
  // changes that let it fit, and only if there are none, its own. Empty: no object decided, or it
  // was not found in time.
  std::vector<ObjectChange> decisive;
  bool decided_by_itself = false;  // these are the subject's own; each of the others has its own
  // The others have the same trouble, and these changes were proven for the first alone.
  bool decisive_of_first = false;
  bool words_differ = false;  // the answers name the subject's own pod, node or devices
  bool bounded = false;

  // See Comparison::rests_on_expired_events.
  bool rests_on_expired_events() const;
};

struct ReleaseChange {
  std::string before;
  std::string after;
};

// Texts are those of the snapshots, which must outlive it.
struct Diff {
  std::vector<ObjectChange> changes;
  std::vector<DeviceChange> devices;       // by ID
  std::vector<VerdictChange> verdicts;     // those of most subjects first
  std::vector<SubjectName> not_looked_at;  // too many different ones wait
  std::optional<ReleaseChange> release;    // the server's, where it is another one
  snapshot::Coverage coverage_before;
  snapshot::Coverage coverage_after;

  bool nothing() const {
    return changes.empty() && devices.empty() && verdicts.empty() && !release;
  }
};

// With a namespace: of namespaced objects only those in it.
Diff diff_of(const snapshot::Snapshot& before, const snapshot::Snapshot& after,
             std::string_view ns);

// An answer about the first of the subjects, without its name: "does not fit on any of 3 nodes:
// every device is in use." Empty: it is not there.
std::string predicate_of(const VerdictChange& verdict, const StateAnswer& answer);

}  // namespace dra::answers

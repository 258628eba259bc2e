// include/dra/answers/diff/diff.h
//
// `kubectl dra diff`: the differences between two states of a cluster. These are the objects that
// differ; the devices that came, went or changed hands; and the subjects whose verdict changed,
// with the changes that decided. Subjects are pods and claims that wait for devices in either
// state, and pods that have devices and do not run with them in either state.
//
// Kinds that either state could not read are ignored: not visible is not gone.

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

// A device in one of the states. Claims with admin access do not count as holders.
struct DeviceSide {
  engine::DeviceState state;
  std::vector<std::string> claims;  // claims that hold it: namespace/name
  std::vector<std::string> pods;    // pods that have reserved these claims
};
struct DeviceChange {
  engine::DeviceId id;
  DeviceFate fate;
  std::optional<DeviceSide> before;  // no value: it came
  std::optional<DeviceSide> after;   // no value: it went
};

// Subjects with the same change of answer, and the changes that decided it.
struct VerdictChange {
  std::vector<SubjectName> subjects;  // at least one
  StateAnswer before;                 // answer about the first subject
  StateAnswer after;
  // Changes that lead to the new answer, all of which are needed. For a subject that got devices
  // they are the changes that let it fit; its own changes count only if no others suffice. Empty:
  // no object decided, or the search hit its limit.
  std::vector<ObjectChange> decisive;
  // `decisive` holds the subject's own changes; each other subject has its own.
  bool decided_by_itself = false;
  // The other subjects have the same trouble, but `decisive` is proven for the first one only.
  bool decisive_of_first = false;
  bool words_differ = false;  // the answers name the pod, node or devices of one subject
  bool bounded = false;

  // The same question as Comparison::rests_on_expired_events.
  bool rests_on_expired_events() const;
};

struct ReleaseChange {
  std::string before;
  std::string after;
};

// Texts point into the snapshots, which must outlive the diff.
struct Diff {
  std::vector<ObjectChange> changes;
  std::vector<DeviceChange> devices;       // by ID
  std::vector<VerdictChange> verdicts;     // sorted by number of subjects, the most first
  std::vector<SubjectName> not_looked_at;  // subjects beyond the limit of explained groups
  std::optional<ReleaseChange> release;    // set if the server's release differs
  snapshot::Coverage coverage_before;
  snapshot::Coverage coverage_after;

  bool nothing() const {
    return changes.empty() && devices.empty() && verdicts.empty() && !release;
  }
};

// With a namespace, namespaced objects outside it are ignored.
Diff diff_of(const snapshot::Snapshot& before, const snapshot::Snapshot& after,
             std::string_view ns);

// The answer about the first subject as a predicate, without the subject's name: "does not fit on
// any of 3 nodes: every device is in use." Empty: the subject does not exist in that state.
std::string predicate_of(const VerdictChange& verdict, const StateAnswer& answer);

}  // namespace dra::answers

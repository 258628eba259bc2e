// include/dra/report/diff/diff.h
//
// `kubectl dra diff`: what became of a cluster between two states: the objects that differ, the
// devices that came, went or changed hands, and for whom that made a difference: the pods and
// claims that wait for devices in one of the two, and the pods that do not run with what they have
// in one of them, with the changes that decided.
//
// Of what could not be read in both states nothing is said: not visible is not gone.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/engine/cluster/inventory.h"
#include "dra/report/diff/comparison.h"

namespace dra::report {

enum class DeviceFate { Came, Went, ChangedHands, StateChanged };
std::string_view name_of(DeviceFate fate);  // "changedHands"

// How a device stands in one of the states. Admin access holds nothing.
struct DeviceSide {
  engine::DeviceState state;
  std::vector<std::string> claims;  // namespace/name of those that hold it
  std::vector<std::string> pods;    // of those that have reserved these
};
struct DeviceChange {
  engine::DeviceId id;
  DeviceFate fate;
  std::optional<DeviceSide> before;  // of one that came, none
  std::optional<DeviceSide> after;   // of one that went, none
};

// Subjects of which the same is to be said, and why that is not the same any more.
struct VerdictChange {
  std::vector<SubjectName> subjects;  // at least one
  StateAnswer before;                 // of the first
  StateAnswer after;
  // The fewest changes that make the answer what it is now. For what got devices: that let it fit,
  // and only if there are none, its own. Empty: no object did, or it was not found in time.
  std::vector<snapshot::Difference> decisive;
  bool of_its_own = false;  // these are the subject's own; of each of the others they are theirs
  bool of_the_first =
      false;  // the others have the same trouble; what decided is of the first alone
  bool words_differ = false;  // so are the words of the answers, which name it, its node or devices
  bool bounded = false;

  // See Comparison::untold.
  bool untold() const;
};

// Texts are the snapshots', which must outlive it.
struct Diff {
  std::vector<snapshot::Difference> changes;
  std::vector<DeviceChange> devices;         // by ID
  std::vector<VerdictChange> verdicts;       // those of most subjects first
  std::vector<SubjectName> not_looked_at;    // too many different ones wait
  std::optional<std::string> server_before;  // its release, where that is another one

  bool nothing() const {
    return changes.empty() && devices.empty() && verdicts.empty() && !server_before;
  }
};

// With a namespace: of what has one only what is there.
Diff diff_of(const snapshot::Snapshot& before, const snapshot::Snapshot& after,
             std::string_view ns);

json::Value to_json(const Diff& diff, const snapshot::Snapshot& before,
                    const snapshot::Snapshot& after);

// `wide`: nothing is folded or left out.
view::Document to_view(const Diff& diff, const snapshot::Snapshot& before,
                       const snapshot::Snapshot& after, bool wide);

}  // namespace dra::report

// src/answers/diff/diff.cpp: assembles a Diff from changed objects (snapshot/state_between),
// devices (device_changes.cpp) and verdicts (diff_verdicts.cpp).

#include "dra/answers/diff/diff.h"

#include "src/answers/diff/diff_parts.h"
#include "src/answers/diff/object_changes.h"
#include "src/answers/diff/visible_changes.h"

namespace dra::answers {

std::string_view name_of(DeviceFate fate) {
  switch (fate) {
    case DeviceFate::Came:
      return "came";
    case DeviceFate::Went:
      return "went";
    case DeviceFate::ChangedHands:
      return "changedHands";
    case DeviceFate::StateChanged:
      return "stateChanged";
  }
  return "";
}

Diff diff_of(const snapshot::Snapshot& before, const snapshot::Snapshot& after,
             std::string_view ns) {
  Diff diff;
  diff.coverage_before = before.coverage();
  diff.coverage_after = after.coverage();
  if (before.server().version != after.server().version)
    diff.release = ReleaseChange{before.server().version, after.server().version};
  const ClusterState earlier(before);
  const ClusterState later(after);
  diff.devices = device_changes(earlier, later);
  std::vector<snapshot::Difference> changes = visible_changes(before, after);
  // Verdicts need the changes of all namespaces, because a change in another one may have decided.
  add_verdicts(earlier, later, changes, ns, diff);
  if (!ns.empty())
    std::erase_if(changes, [ns](const snapshot::Difference& one) {
      return !one.namespace_.empty() && one.namespace_ != ns;
    });
  diff.changes = object_changes(before, after, changes);
  return diff;
}

}  // namespace dra::answers

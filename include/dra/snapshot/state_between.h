// include/dra/snapshot/state_between.h
//
// Compares two states of a cluster, and makes states between them, which show which of the changes
// made a difference.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "dra/api/meta.h"
#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

enum class Fate : std::uint8_t { Added, Removed, Changed };

// An object that differs between two states. Texts point into the snapshots.
struct Difference {
  api::Kind kind;
  std::string_view namespace_;
  std::string_view name;
  Fate fate;

  friend bool operator==(const Difference&, const Difference&) = default;
};

// Differences of the kinds that decide who gets devices, in their order. Fields that only a server
// counts and notes (resourceVersion, managedFields, the status that a kubelet repeats every minute)
// are ignored.
std::vector<Difference> differences(const Snapshot& before, const Snapshot& after);

// Differences of the events that answers depend on: that a pod's devices could not be prepared, or
// a claim could not be created. Other events only report what objects show as well. The time of an
// event counts as a difference. Empty if a state could not read events.
std::vector<Difference> event_differences(const Snapshot& before, const Snapshot& after);

// The parts of an object that differ in its text: "spec", "status", "labels", "annotations".
std::vector<std::string_view> changed_parts(const api::Origin& before, const api::Origin& after);

// The earlier state with these objects taken from the later one, and with the later server's rules.
// Other events than those of event_differences() are dropped.
Snapshot state_between(const Snapshot& before, const Snapshot& after,
                       std::span<const Difference> taken);

}  // namespace dra::snapshot

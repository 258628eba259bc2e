// include/dra/snapshot/state_between.h
//
// Two states of a cluster: how they differ, and the states between them, which show which of the
// changes made a difference.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

enum class Fate : std::uint8_t { Added, Removed, Changed };

// An object that is not the same in both. Texts are those of the snapshots.
struct Difference {
  api::Kind kind;
  std::string_view namespace_;
  std::string_view name;
  Fate fate;

  friend bool operator==(const Difference&, const Difference&) = default;
};

// Of the kinds that decide who gets devices, in their order. What only a server counts and notes
// (resourceVersion, managedFields, what a node's kubelet repeats every minute) makes no difference.
std::vector<Difference> differences(const Snapshot& before, const Snapshot& after);

// Of events, which tell of what happens and mostly do not make it happen, those that an answer is
// made of: that the devices of a pod could not be prepared, or a claim not be created. Here it
// makes a difference when they were seen. Nothing where events could not be read in both states.
std::vector<Difference> event_differences(const Snapshot& before, const Snapshot& after);

// The parts of an object that differ in its text: "spec", "status", "labels", "annotations".
std::vector<std::string_view> changed_parts(const api::Origin& before, const api::Origin& after);

// The state before, but with these objects as they are after; with the server's rules of after. Of
// events only those that may be a difference.
Snapshot state_between(const Snapshot& before, const Snapshot& after,
                       std::span<const Difference> taken);

}  // namespace dra::snapshot

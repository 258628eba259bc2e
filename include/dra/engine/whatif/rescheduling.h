// include/dra/engine/whatif/rescheduling.h
//
// Where pods that have devices could go if each of them had to start once more. A pod is taken for
// one that still waits: it has no node, and its own devices are free. All others keep theirs.
//
// Most pods fit on the node that they are on, and one node is decided by a part of the cluster. So
// that is asked first, for all pods of a node together.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// Pods that the scheduler has placed and that hold devices, by namespace and name: of a namespace,
// or of all if it is empty. Those that have ended, or are being deleted, are not among them, nor
// those that a kubelet runs from a file.
std::vector<const api::Pod*> pods_with_devices(const snapshot::Snapshot& snapshot,
                                               std::string_view ns);

// For each of these pods, whether it certainly fits on its own node again, and starts there. False
// where it does not, where that is not known, where pods on other nodes may have a say, and for a
// nullptr.
std::vector<bool> fit_where_they_are(const snapshot::Snapshot& snapshot,
                                     std::span<const api::Pod* const> pods);

}  // namespace dra::engine

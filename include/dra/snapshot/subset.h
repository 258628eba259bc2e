// include/dra/snapshot/subset.h
//
// Makes a snapshot of some nodes of a cluster, with everything that decides allocations on them. A
// hundred simulations on one node then do not cost a hundred of the whole cluster.

#pragma once

#include <set>
#include <string_view>

#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

// Texts point into the caller's memory.
struct SubsetScope {
  std::set<std::string_view> nodes;
  // Pods and claims of this namespace are kept wherever they are: `names` of them, or all.
  std::string_view namespace_;
  std::set<std::string_view> names = {};
  bool whole_namespace = false;
};

// Contains the nodes; every slice of each pool of which one of them may see a device; claims that
// hold devices of these pools; pods on the nodes and nominated for them; classes, taint rules and
// templates; no events. Nothing that the nodes could use is missing, so the allocator decides as in
// the whole cluster.
Snapshot subset_of(const Snapshot& whole, const SubsetScope& wanted);

}  // namespace dra::snapshot

// include/dra/snapshot/subset.h
//
// Some nodes of a cluster as a snapshot of their own, with everything that decides what can be
// allocated on them. A hundred simulations on one node then do not cost a hundred of the whole
// cluster.

#pragma once

#include <set>
#include <string_view>

#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

// Texts are the caller's.
struct SubsetScope {
  std::set<std::string_view> nodes;
  // Pods and claims that are kept wherever they are, of one namespace; or all of it.
  std::string_view namespace_;
  std::set<std::string_view> names = {};
  bool whole_namespace = false;
};

// The nodes; every slice of each pool of which one of them may see something; the claims that hold
// devices of these pools; the pods on the nodes; classes, taint rules and templates. No events.
// Nothing of what any of the nodes could use is left out, so that the allocator does there what it
// does in the whole.
Snapshot subset_of(const Snapshot& whole, const SubsetScope& wanted);

}  // namespace dra::snapshot

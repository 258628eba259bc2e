// include/dra/snapshot/pretend.h
//
// What if: changes of a snapshot before anything is computed from it. All that follows, who holds
// what and what nodes carry, is then that of the changed cluster.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/snapshot/snapshot.h"

namespace dra::snapshot {

// As if the pod still waited: it has no node, has reserved no claim, and its claims that nobody
// else has reserved are not allocated. Nothing happens if it is not there.
void pretend_pending(Snapshot& snapshot, std::string_view ns, std::string_view pod);

// As if the claims were not allocated, whoever has reserved them.
void pretend_unallocated(Snapshot& snapshot, std::string_view ns,
                         const std::vector<std::string>& claims);

}  // namespace dra::snapshot

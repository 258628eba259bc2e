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

// As if somebody had deleted them; with a pod goes what was made for it alone, and what nobody else
// has reserved is not allocated any more. Nothing happens to what is not there.
void remove_pod(Snapshot& snapshot, std::string_view ns, std::string_view pod);
void remove_claim(Snapshot& snapshot, std::string_view ns, std::string_view claim);

// As if the slices that a pool lacks had come, without devices. False: there is no such pool.
bool complete_pool(Snapshot& snapshot, std::string_view driver, std::string_view pool);

// As if so many nodes like that one had just joined, named NODE-like-1 and so on: with its labels,
// with what its slices publish in pools of their own, and the pods of its daemon sets; but cordoned
// by nobody, without the taints that tell of a state, and with nothing else on them. Nothing
// happens if it is not there.
void add_nodes_like(Snapshot& snapshot, std::string_view node, std::int64_t count);
std::string name_of_node_like(std::string_view node, std::int64_t number);  // from 1

}  // namespace dra::snapshot

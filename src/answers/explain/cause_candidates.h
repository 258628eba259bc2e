// src/answers/explain/cause_candidates.h
//
// Causes of a misfit that stand in other objects than the devices: a driver that publishes nothing,
// nodes that share the name of a pool, the only node with devices being out. cause.cpp orders them.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dra/diag/remedy.h"
#include "src/answers/explain/cause.h"

namespace dra::answers {

struct Candidate {
  diag::Code code;
  std::string text;
  diag::Remedy remedy = {};
};

// Both add to the cause of a misfit who holds the devices, and what to do, unless it has a remedy:
// claims that nothing has released, where the number of devices is what lacks (see
// unreleased_holders.h); and the old pods of the pod's Deployment, so that a rollout waits for
// itself.
void name_unreleased(const Grounds& grounds, Candidate& cause);
void name_old_pods(const Grounds& grounds, Candidate& cause);
// Adds to the cause a field of the subject's claims that the API server has dropped, if any
// (dropped_fields.cpp).
void name_dropped(const Grounds& grounds, Candidate& cause);

// Whether the reason is about a pool that cannot be used.
bool is_of_pool(const diag::Reason& reason);

// The reason against devices that match, if they are too few for another reason than being in use;
// else nullptr.
const diag::Reason* against_devices(const engine::NodeResult& node, const diag::Reason& shortage);

// The drivers that a request's classes name publish no device in the whole cluster.
std::optional<Candidate> nothing_published(const Grounds& grounds);
// Devices count as in use because another node publishes a pool of the same name.
std::optional<Candidate> pool_name_shared(const Grounds& grounds);
// Some nodes have what is asked for, and are out for another reason; the others have not.
std::optional<Candidate> only_nodes_are_out(const Grounds& grounds);
// All devices that would do are held by claims that keep them until someone acts. `in_use` are the
// words for devices that are all in use; empty: they are not.
std::optional<Candidate> held_till_someone_acts(const Grounds& grounds,
                                                const diag::Reason& shortage,
                                                std::string_view in_use);
// The command that takes back the claim's reservation and its devices.
std::string command_to_free(const api::ResourceClaim& claim);
// What is against the devices of a shortage that all nodes share, with the shortage's message.
std::optional<Candidate> against_all_devices(const Grounds& grounds, const diag::Reason& shortage);

}  // namespace dra::answers

// include/dra/report/phrases/advice_commands.h
//
// The commands that carry out a piece of advice, to be pasted one after the other.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "dra/answers/explain/change_facts.h"
#include "dra/engine/whatif/advice.h"
#include "dra/snapshot/snapshot.h"

namespace dra::report {

// Empty: no command does all of it, as for a node to add, a pod that a DaemonSet creates again, or
// an object that is still a file. A claim's spec cannot be changed, so it is replaced by a claim
// with the change; so are templates.
std::vector<std::string> commands_for(const engine::Advice& advice,
                                      std::span<const answers::ChangeFacts> facts,
                                      const engine::Subject& subject,
                                      const snapshot::Server& server);

}  // namespace dra::report

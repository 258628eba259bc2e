// src/answers/explain/gang_decision.h: of a pod of a gang, what its gang decides: it fits if enough
// pods of the gang do, and it does.

#pragma once

#include <optional>
#include <string>

#include "dra/engine/scheduler/verdict.h"
#include "dra/engine/whatif/gang.h"
#include "src/answers/explain/survey.h"

namespace dra::answers {

// Changes a decision that is open for the gang alone, and what is not simulated. No value: it is
// not open, or for something else as well.
std::optional<engine::Gang> decide_gang(const Cluster& cluster, const engine::Subject& subject,
                                        Survey& survey, engine::Decision& decision);

// Why a gang is not bound: "2 of the 3 pods that gang train needs fit together; pod train-2 does
// not: no node has room for it"; or what decides whether it is.
std::string why_not_bound(const engine::Gang& gang);

}  // namespace dra::answers

// src/answers/explain/help.h: conflicts and advice for a subject that fits nowhere.

#pragma once

#include <optional>
#include <vector>

#include "dra/answers/explain/explanation.h"
#include "src/answers/explain/survey.h"

namespace dra::answers {

// The subject as a name, to be found again in another snapshot.
engine::Wanted wanted_of(const std::vector<SubjectName>& subjects, const engine::Subject& subject);

// Help for a subject that does not fit on these nodes: advice, and what is in conflict if every
// detail is asked for. No value if `nodes` are not all nodes, or the pod is not in the snapshot.
std::optional<Help> help_of(const Cluster& cluster, const engine::Wanted& wanted,
                            const engine::Subject& subject,
                            const std::vector<engine::NodeResult>& nodes, Detail detail);

}  // namespace dra::answers

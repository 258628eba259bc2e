// src/answers/explain/shortage/in_use_or_tainted.h

#pragma once

#include <optional>

#include "src/answers/explain/cause_candidates.h"

namespace dra::answers {

// The subject wants one device, several nodes have such devices, some of these are in use, and all
// others are tainted.
std::optional<Candidate> in_use_or_tainted(const Grounds& grounds);

}  // namespace dra::answers

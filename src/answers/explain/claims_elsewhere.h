// src/answers/explain/claims_elsewhere.h: a subject with claims that are allocated for other nodes.

#pragma once

#include "src/answers/explain/cause_candidates.h"

namespace dra::answers {

// Some of the subject's claims are allocated, and on no node can all of them be used.
Candidate allocated_elsewhere(const Grounds& grounds);

}  // namespace dra::answers

// src/report/explain/workload_words.h
//
// Words how many more pods of a workload fit.

#pragma once

#include <string>

#include "dra/report/explain/workload_explanation.h"

namespace dra::report {

// "3 more pods fit: 2 on node-a, 1 on node-b". Nodes beyond `most` are counted, not named.
std::string room_of(const WorkloadExplanation& explanation, const RoleFit& role, std::size_t most);

}  // namespace dra::report

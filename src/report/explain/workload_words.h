// src/report/explain/workload_words.h
//
// What is said of a workload: its first line, and how many more of its pods fit.

#pragma once

#include <string>

#include "dra/report/explain/workload_explanation.h"

namespace dra::report {

// Whether more pods of the role wait, or are wanted, than there is room for.
bool has_no_room(const WorkloadExplanation& explanation, const RoleFit& role);

// One sentence: verdict, cause, who.
std::string summary_of(const WorkloadExplanation& explanation);

// "3 more pods fit: 2 on node-a, 1 on node-b". Nodes beyond `most` are only counted.
std::string room_of(const WorkloadExplanation& explanation, const RoleFit& role, std::size_t most);

}  // namespace dra::report

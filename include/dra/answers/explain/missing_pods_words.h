// include/dra/answers/explain/missing_pods_words.h
//
// Words about pods that a workload wants and that are not created, and what to do.

#pragma once

#include <string>

#include "dra/diag/remedy.h"
#include "dra/engine/cluster/missing_pods.h"

namespace dra::answers {

// "the API server refuses them: ..."
std::string words_of(const engine::MissingPods& missing);
diag::Remedy remedy_of(const engine::MissingPods& missing);

}  // namespace dra::answers

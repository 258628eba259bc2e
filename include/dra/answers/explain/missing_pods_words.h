// include/dra/answers/explain/missing_pods_words.h
//
// Words about pods that a workload wants and that are not created, and what to do.

#pragma once

#include <string>
#include <string_view>

#include "dra/diag/remedy.h"
#include "dra/engine/cluster/missing_pods.h"

namespace dra::answers {

// "the API server refuses them: ..."
std::string words_of(const engine::MissingPods& missing);
diag::Remedy remedy_of(const engine::MissingPods& missing);

// What the API server's words ask for when it refuses a pod. Upstream: admission plugins of
// k8s.io/apiserver and k8s.io/kubernetes/plugin/pkg/admission.
std::string_view what_to_change(std::string_view message);
// Likewise of Kueue's words. Upstream: sigs.k8s.io/kueue, pkg/dra.
std::string_view what_kueue_asks_for(std::string_view message);

}  // namespace dra::answers

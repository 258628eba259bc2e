// src/report/explain/explanation_preemption.h: what kube-scheduler's preemption would do for a pod
// that fits nowhere.

#pragma once

#include <string>

#include "dra/json/value.h"
#include "dra/report/explain/explanation.h"

namespace dra::report {

// A sentence; empty if there is nothing to say.
std::string preemption_words(const Explanation& explanation);

json::Value preemption_json(const engine::Preemption& preemption);

}  // namespace dra::report

// src/report/explain/explanation_gang.h: the gang of a pod, as JSON and as a line of the view.

#pragma once

#include <string>

#include "dra/engine/whatif/gang.h"
#include "dra/json/value.h"

namespace dra::report {

json::Value gang_json(const engine::Gang& gang);

// "needs 3 pods: train-0 on n1; train-1 on one of n1, n2; train-2 on none".
std::string gang_words(const engine::Gang& gang, bool wide);

}  // namespace dra::report

// src/answers/explain/pods_before.h: pods of a plan that take what a later one could have, in words
// (pod_plan.cpp).

#pragma once

#include <string>

#include "dra/engine/whatif/plan.h"

namespace dra::answers {

// "pods ml/a, ml/b and 2 more": those before it, of which there is at least one; without their
// namespace where all have one.
std::string pods_before(const engine::PlanStep& step, bool with_namespace);

}  // namespace dra::answers

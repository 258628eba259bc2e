// src/answers/problems/one_problem.h

#pragma once

#include "dra/engine/running/after_scheduling.h"

namespace dra::answers {

// Whether what keeps two pods from running is one problem: a driver or a kubelet that fails on a
// node, whatever number of pods is affected, a kubelet that refuses pods for one reason, a node
// that is not ready, or an object that several pods depend on.
bool is_one_problem(const engine::AfterFinding& a, const engine::AfterFinding& b);

// Where all pods have to be deleted, adds those of the other finding.
void add_pods_to_delete(const engine::AfterFinding& of, engine::AfterFinding& to);

}  // namespace dra::answers

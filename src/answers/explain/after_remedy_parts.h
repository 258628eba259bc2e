// src/answers/explain/container_remedy.h: what to do about the containers of a pod, and about a pod
// that has ended or does not go away.

#pragma once

#include <string>

#include "dra/engine/running/after_scheduling.h"

namespace dra::answers {

std::string remedy_of_containers(const engine::AfterFinding& found);

}  // namespace dra::answers

// src/engine/scheduler/unsimulated.cpp: see unsimulated.h.

#include "src/engine/scheduler/unsimulated.h"

#include "dra/base/text.h"

namespace dra::engine {

std::vector<std::string> unsimulated_parts(const api::Pod& pod, const NodeLoads& loads) {
  std::vector<std::string> parts;
  if (!loads.gap().empty())
    parts.push_back(base::format("what other pods request ({})", loads.gap()));
  if (pod.spec.group) parts.push_back(base::format("the pod group {}", pod.spec.group->pod_group));
  return parts;
}

}  // namespace dra::engine

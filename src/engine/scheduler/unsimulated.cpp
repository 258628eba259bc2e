// src/engine/scheduler/unsimulated.cpp: see unsimulated.h.

#include "src/engine/scheduler/unsimulated.h"

#include <utility>

#include "dra/base/text.h"
#include "dra/engine/cluster/scheduling_group.h"

namespace dra::engine {

std::vector<std::string> unsimulated_parts(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                                           const NodeLoads& loads) {
  std::vector<std::string> parts;
  if (!loads.gap().empty())
    parts.push_back(base::format("what other pods request ({})", loads.gap()));
  if (!pod.spec.group) return parts;
  std::string group = not_filtered(scheduling_group_of(snapshot, pod));
  if (!group.empty()) parts.push_back(std::move(group));
  return parts;
}

}  // namespace dra::engine

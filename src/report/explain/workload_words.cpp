// src/report/explain/workload_words.cpp: words the number of pods that fit, with the nodes that
// take them.

#include "src/report/explain/workload_words.h"

#include "dra/base/text.h"

namespace dra::report {
std::string room_of(const WorkloadExplanation& explanation, const RoleFit& role, std::size_t most) {
  const engine::PodCapacity& fit = role.fit;
  if (!fit.known) return base::format("not known how many fit: {}", fit.unknown_because);
  const std::string_view more = explanation.made ? "" : " more";
  std::string count = base::format("{}{}{} {}", fit.complete ? "" : "at least ", fit.fit, more,
                                   fit.fit == 1 ? "fits" : "fit");
  if (fit.fit == 0) count = explanation.made ? "none fits" : "no more fit";
  if (has_no_room(explanation, role) && role.together > 1)
    count = base::format("{} pods of one index group needed at once, {}", role.together, count);
  std::vector<std::string> where;
  std::int64_t rest = 0;
  for (const auto& [node, pods] : fit.nodes) {
    if (where.size() < most) {
      where.push_back(base::format("{} on {}", pods, node));
    } else {
      rest += pods;
    }
  }
  if (rest > 0)
    where.push_back(base::format("{} on {} other nodes", rest, fit.nodes.size() - most));
  return where.empty() ? count : base::format("{}: {}", count, base::join(where, ", "));
}

}  // namespace dra::report

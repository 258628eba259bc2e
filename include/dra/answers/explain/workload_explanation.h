// include/dra/answers/explain/workload_explanation.h
//
// `kubectl dra explain KIND NAME` of what makes pods: how many of them run, why the others wait,
// and how many more would fit. Where there is no pod yet, the pods that its templates would make
// are looked at instead (snapshot/template_pods.h).
//
// The verdict is the worst of its pods'. Pods that fit each by itself, but not all of them, do not
// fit.

#pragma once

#include <string>
#include <vector>

#include "dra/answers/explain/pods_by_cause.h"
#include "dra/engine/whatif/pod_capacity.h"

namespace dra::answers {

// Of one template.
struct RoleFit {
  std::string name;           // empty where there is only one
  std::int64_t wanted = 0;    // pods at one time
  std::int64_t together = 1;  // that only work together, as hosts of one slice
  engine::PodCapacity fit;
};

// Of several pods that wait for the same, how many fit if an advice for one of them is followed.
struct PodsThen {
  std::int64_t wanted = 0;
  std::int64_t fit = 0;   // of these
  bool at_least = false;  // there may be more
};

struct WorkloadExplanation {
  SubjectName subject;
  Verdict verdict = Verdict::Undetermined;
  std::string summary;
  std::int64_t running = 0;  // they have a node
  std::int64_t waiting = 0;  // for one
  bool made = false;         // no pod exists: the causes are those of its templates' pods
  std::vector<PodsOfCause> causes;
  std::int64_t not_looked_at = 0;  // waiting pods
  std::vector<RoleFit> roles;
  std::string told;  // the template of the first cause's first pod, where there are several
  // For each piece of advice for that pod: how many pods fit then, where that can be said.
  std::vector<std::optional<PodsThen>> pods_then = {};
};

// Whether more pods of the role wait, or are wanted, than there is room for.
bool has_no_room(const WorkloadExplanation& explanation, const RoleFit& role);

// The pods of the workload are those in the snapshot, made ones included.
WorkloadExplanation explain_workload(const snapshot::Snapshot& snapshot,
                                     const api::Workload& workload, std::vector<RoleFit> roles);

}  // namespace dra::answers

// include/dra/answers/explain/workload_explanation.h
//
// `kubectl dra explain KIND NAME` for a workload: how many of its pods run, why the others wait,
// and how many more would fit. For a workload without pods, the pods that its templates would make
// are explained instead (snapshot/template_pods.h).
//
// The verdict is the worst verdict of its pods. If each pod fits alone but not all fit together,
// the verdict is DoesNotFit.

#pragma once

#include <string>
#include <vector>

#include "dra/answers/explain/pods_by_cause.h"
#include "dra/engine/cluster/missing_pods.h"
#include "dra/engine/whatif/pod_capacity.h"

namespace dra::answers {

// How many pods of one template fit.
struct RoleFit {
  std::string name;         // empty if the workload has one template
  std::int64_t wanted = 0;  // wanted pods at one time
  // Size of a group of pods that only work together, as hosts of one slice.
  std::int64_t together = 1;
  engine::PodCapacity fit;
};

// How many of several pods with one cause fit after the advice for the first one.
struct PodsThen {
  std::int64_t wanted = 0;
  std::int64_t fit = 0;   // of the wanted pods
  bool at_least = false;  // the search hit its limit: more may fit
};

struct WorkloadExplanation {
  SubjectName subject;
  Verdict verdict = Verdict::Undetermined;
  std::string summary;
  std::int64_t running = 0;  // pods that have a node
  std::int64_t waiting = 0;  // pods that wait for a node
  // Pods that have a node and do not run properly, by cause.
  std::vector<PodsOfCause> unwell = {};
  bool complete = false;  // a Job or JobSet whose pods have done their work
  bool made = false;      // no pod exists: `causes` are about pods made from the templates
  // Why pods that are wanted are not created. The verdict is Blocked if there are none.
  std::optional<engine::MissingPods> missing = {};
  std::vector<PodsOfCause> causes;
  std::int64_t not_looked_at = 0;  // waiting pods that were not explained
  std::vector<RoleFit> roles;
  std::string role;  // template of the first cause's first pod, if there are several templates
  // For each piece of advice for that pod, how many pods fit then; no value: not computed.
  std::vector<std::optional<PodsThen>> pods_then = {};
  snapshot::Coverage coverage = {};

  std::int64_t not_running() const;  // pods of `unwell`
};

// More pods of the role wait, or are wanted, than fit.
bool has_no_room(const WorkloadExplanation& explanation, const RoleFit& role);

// The pods must be in the snapshot, also those that are made from a template.
WorkloadExplanation explain_workload(const snapshot::Snapshot& snapshot,
                                     const api::Workload& workload, std::vector<RoleFit> roles);

}  // namespace dra::answers

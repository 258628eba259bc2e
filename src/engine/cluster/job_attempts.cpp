// src/engine/cluster/job_attempts.cpp: see job_attempts.h.

#include "dra/engine/cluster/job_attempts.h"

#include <algorithm>
#include <charconv>

#include "dra/api/workload.h"
#include "dra/base/text.h"
#include "dra/engine/facts/full_name.h"

namespace dra::engine {
namespace {

constexpr std::int64_t kDefaultLimit = 6;  // of v1.Job without a limit per index
constexpr std::string_view kFailuresOfIndex = "batch.kubernetes.io/job-index-failure-count";

const api::Workload* job_of(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  const api::OwnerReference* owner = api::controller_of(pod.meta);
  if (owner == nullptr || owner->kind != "Job") return nullptr;
  const auto* job = snapshot.find_workload(owner->kind, pod.meta.namespace_, owner->name);
  return job != nullptr && job->meta.uid == owner->uid ? job : nullptr;
}

// The first rule that matches decides; a rule about exit codes may match before, too, but none is
// known yet.
bool ignores_evictions(const api::JobSpec& job) {
  if (!job.failure_policy) return false;
  const auto is_of_evictions = [](const api::PodFailureRule& rule) {
    return std::ranges::any_of(rule.conditions, [](const api::PodConditionPattern& one) {
      return one.type == "DisruptionTarget" && (one.status.empty() || one.status == "True");
    });
  };
  const auto& rules = job.failure_policy->rules;
  const auto first = std::ranges::find_if(rules, is_of_evictions);
  return first != rules.end() && first->action == "Ignore";
}

// Zero where it is not said.
std::int64_t failures_of_index(const api::Pod& pod) {
  const std::string_view* text = api::find(pod.meta.annotations, kFailuresOfIndex);
  std::int64_t count = 0;
  if (text != nullptr) std::from_chars(text->data(), text->data() + text->size(), count);
  return count;
}

}  // namespace

std::optional<std::string> ends_job(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                                    Removal removal) {
  const api::Workload* job = job_of(snapshot, pod);
  if (job == nullptr) return std::nullopt;
  const api::JobSpec& spec = job->spec.job;
  if (removal == Removal::Eviction && ignores_evictions(spec)) return std::nullopt;
  const std::string name = full_name(job->meta);
  if (spec.limit_per_index && failures_of_index(pod) >= *spec.limit_per_index)
    return base::format("its index of Job {}, which has no attempt left (backoffLimitPerIndex {})",
                        name, *spec.limit_per_index);
  if (spec.limit_per_index && !spec.backoff_limit) return std::nullopt;
  const std::int64_t limit = spec.backoff_limit.value_or(kDefaultLimit);
  if (job->status.failed < limit) return std::nullopt;
  return base::format("Job {}, which has no attempt left (backoffLimit {})", name, limit);
}

}  // namespace dra::engine

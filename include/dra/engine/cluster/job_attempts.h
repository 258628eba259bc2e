// include/dra/engine/cluster/job_attempts.h
//
// Whether a Job survives that one of its pods is deleted: that pod counts as failed, and the Job
// fails for good once more pods have failed than its backoffLimit, or an index once more have than
// its backoffLimitPerIndex. A podFailurePolicy can ignore evictions, but no plain deletions: those
// have no condition DisruptionTarget.
//
// Restarts in place, which count with restartPolicy OnFailure, are not counted.
//
// Upstream: k8s.io/kubernetes/pkg/controller/job, isPodFailed, exceedsBackoffLimit,
// isIndexFailed and matchPodFailurePolicy.

#pragma once

#include <optional>
#include <string>

#include "dra/api/pod.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

enum class Removal { Deletion, Eviction };

// "Job ml/train, which has no attempt left (backoffLimit 0)", of a pod without which its Job or its
// index fails. No value: it does not, or the Job is not known.
std::optional<std::string> ends_job(const snapshot::Snapshot& snapshot, const api::Pod& pod,
                                    Removal removal);

}  // namespace dra::engine

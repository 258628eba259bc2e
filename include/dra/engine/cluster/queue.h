// include/dra/engine/cluster/queue.h
//
// Kueue holds pods and workloads back until it admits them. What it waits for stands in its own
// Workload object, which has the pod or the workload as an owner. Upstream:
// sigs.k8s.io/kueue/apis/kueue, WorkloadQuotaReserved, WorkloadAdmitted and WorkloadEvicted.

#pragma once

#include <string>
#include <string_view>

#include "dra/api/meta.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

// Whether it is the scheduling gate that Kueue sets.
bool is_gate_of_queue(std::string_view gate);

// The Workload of the object, or of its controller; nullptr: there is none.
const api::QueuedWorkload* queued_workload_of(const snapshot::Snapshot& snapshot,
                                              const api::ObjectMeta& object);
// "Inadmissible: DeviceClass x is not mapped"; empty if it is admitted.
std::string why_not_admitted(const api::QueuedWorkload& workload);

}  // namespace dra::engine

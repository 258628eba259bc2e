// include/dra/engine/cluster/missing_pods.h
//
// Why a workload has no pods, or fewer than it wants: it has failed, it is paused or suspended, it
// waits in a queue, the API server refuses the pods that its controller tries to create, or the
// controller does not act.
// Upstream: the condition ReplicaFailure of k8s.io/api/apps/v1, and the events FailedCreate of
// k8s.io/kubernetes/pkg/controller.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dra/api/workload.h"
#include "dra/diag/evidence.h"
#include "dra/diag/subject.h"
#include "dra/snapshot/snapshot.h"

namespace dra::engine {

enum class WhyNoPods : std::uint8_t {
  Failed,   // a Job or JobSet has failed for good
  Ordered,  // other pods of the workload have to be ready first
  Paused,   // a Deployment makes no new ReplicaSet
  Queued,
  Refused,
  Suspended,
  // The object's controller has made nothing for it and reports nothing, or reports on it as it was
  // before its last change.
  Unseen,
};
std::string_view name_of(WhyNoPods why);  // "suspended", as in reports

struct MissingPods {
  WhyNoPods why;
  // The object whose pods are missing: the workload, or its ReplicaSet or Job. Of Queued, the
  // queue's Workload; of Ordered, a pod that is not ready, if there is one.
  diag::SubjectName object;
  // Of Failed, Queued and Refused; of Ordered what is wrong with the pod; of Unseen what it has not
  // seen, empty: anything.
  std::string message = {};
  std::optional<api::Kind> kind = {};  // of Unseen: the object's
  std::string rule = {};               // of Ordered, a clause: "they are made one after the other"
  // Of Refused: the quota, if one refuses them, with its figures.
  std::optional<diag::RefusalEvidence> refusal = {};
  // Of Refused: the pod lacks a field that the template has. Then, the configurations of webhooks
  // that may change pods.
  bool field_dropped = false;
  std::vector<std::string> webhooks = {};
};

// What the API server said when the controller tried to create pods; empty: nothing is known.
// Upstream: RealPodControl.createPods; of a StatefulSet StatefulPodControl.recordPodEvent.
std::string why_not_created(const snapshot::Snapshot& snapshot, const api::Workload& maker);

// Whether the workload's own controller has not seen it, or its last change.
std::optional<MissingPods> why_unseen(const snapshot::Snapshot& snapshot,
                                      const api::Workload& workload);

// No value: nothing is known that keeps the pods from being created.
std::optional<MissingPods> why_pods_are_missing(const snapshot::Snapshot& snapshot,
                                                const api::Workload& workload);

}  // namespace dra::engine

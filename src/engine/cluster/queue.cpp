// src/engine/cluster/queue.cpp: see queue.h.

#include "dra/engine/cluster/queue.h"

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "dra/api/words.h"
#include "dra/base/text.h"

namespace dra::engine {
namespace {

constexpr std::string_view kDomain = "kueue.x-k8s.io/";

bool is_owned_by(const api::QueuedWorkload& workload, std::string_view uid) {
  return std::ranges::find(workload.meta.owners, uid, &api::OwnerReference::uid) !=
         workload.meta.owners.end();
}

}  // namespace

bool is_gate_of_queue(std::string_view gate) { return gate.starts_with(kDomain); }

const api::QueuedWorkload* queued_workload_of(const snapshot::Snapshot& snapshot,
                                              const api::ObjectMeta& object) {
  const api::OwnerReference* controller = api::controller_of(object);
  const auto& all = snapshot.all<api::QueuedWorkload>();
  const auto found = std::ranges::find_if(all, [&](const api::QueuedWorkload& workload) {
    return workload.meta.namespace_ == object.namespace_ &&
           ((!object.uid.empty() && is_owned_by(workload, object.uid)) ||
            (controller != nullptr && is_owned_by(workload, controller->uid)));
  });
  return found == all.end() ? nullptr : &*found;
}

std::string why_not_admitted(const api::QueuedWorkload& workload) {
  const auto& conditions = workload.status.conditions;
  const api::Condition* evicted = api::condition_of(conditions, "Evicted");
  if (evicted != nullptr && evicted->status == "True") return api::why(*evicted);
  if (api::is_true(conditions, "Admitted")) return {};
  for (const std::string_view type : {"QuotaReserved", "Admitted"}) {
    const api::Condition* condition = api::condition_of(conditions, type);
    if (condition != nullptr && condition->status != "True") return api::why(*condition);
  }
  if (api::is_true(conditions, "QuotaReserved"))
    return "its quota is reserved, and admission checks are not done";
  return workload.spec.queue.empty()
             ? std::string("it names no queue")
             : base::format("queue {} has not looked at it", workload.spec.queue);
}

}  // namespace dra::engine

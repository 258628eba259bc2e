// src/answers/explain/shortage/admin_access.cpp: looks at whose pod it is, and what it asks for.

#include "src/answers/explain/shortage/admin_access.h"

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "dra/api/daemon_pod.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/facts/features.h"

namespace dra::answers {
namespace {

using diag::Code;

// The first request that waits for devices of its own; empty: there is none.
std::string request_without_access(const engine::Subject& subject) {
  std::string name;
  engine::for_each_unmet(
      subject, [&name](const engine::SubjectClaim& claim, const api::DeviceRequest& request) {
        if (!name.empty() || claim.extended != nullptr || !request.exactly) return;
        if (!request.exactly->demand.admin_access) name = request.name;
      });
  return name;
}

// The allocator takes the counters of a device for admin access, too, and those of one in use are
// gone: kubernetes/kubernetes issue 140729.
bool takes_counters(const engine::Inventory& inventory) {
  return std::ranges::any_of(inventory.devices(), [](const engine::InventoryDevice& device) {
    return !device.published.device->consumes.empty();
  });
}

}  // namespace

void offer_admin_access(const Grounds& grounds, Candidate& cause) {
  const bool in_use = cause.code == Code::DeviceInUse || cause.code == Code::AllUnusable;
  const api::Pod* pod = grounds.subject.pod;
  const snapshot::Snapshot& snapshot = grounds.cluster.snapshot;
  if (!in_use || !cause.remedy.text.empty() || pod == nullptr ||
      api::daemon_set_of(*pod) == nullptr ||
      !engine::features_of(snapshot.server()).on(engine::Gate::DRAAdminAccess))
    return;
  const std::string request = request_without_access(grounds.subject);
  if (request.empty() || takes_counters(grounds.cluster.inventory)) return;
  const std::string_view name = pod->meta.namespace_;
  cause.remedy.text = base::format(
      "If the pod only watches devices, write adminAccess: true in request {}: it then gets those "
      "that others use.",
      request);
  const auto* ns = snapshot.find<api::Namespace>(name);
  if (ns != nullptr && api::allows_admin_access(*ns)) return;
  cause.remedy.text += " The namespace needs this label for it.";
  cause.remedy.command = diag::kubectl("label namespace")
                             .name(name)
                             .words(base::format("{}=true --overwrite", api::kAdminAccessLabel))
                             .text();
}

}  // namespace dra::answers

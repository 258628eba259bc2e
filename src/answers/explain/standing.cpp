// src/answers/explain/standing.cpp: see standing.h.

#include "src/answers/explain/standing.h"

#include <vector>

#include "dra/answers/explain/headline.h"
#include "dra/base/text.h"
#include "dra/base/time.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/node_match.h"
#include "dra/snapshot/template_pods.h"

namespace dra::answers {
namespace {

constexpr std::size_t kMaxDevices = 3;  // that are named

// " with gpu-0, gpu-1", " with 4 devices".
std::string devices_words(const engine::Subject& subject) {
  std::vector<std::string> devices;
  for (const engine::SubjectClaim& claim : subject.claims) {
    if (claim.claim == nullptr || !claim.claim->status.allocation) continue;
    for (const auto& result : claim.claim->status.allocation->devices.results)
      devices.emplace_back(result.device);
  }
  if (devices.empty()) return {};
  const bool numbers = devices.front().find_first_not_of("0123456789") == std::string::npos;
  if (devices.size() > kMaxDevices || numbers)
    return base::format(" with {}", base::plural(std::ssize(devices), "device"));
  return base::format(" with {}", base::join(devices, ", "));
}

std::string standing_of_claim(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim,
                              std::string_view devices) {
  if (snapshot::is_planned(claim)) return {};
  const auto& allocation = claim.status.allocation;
  if (!allocation) return base::format("pending{}", age_of(snapshot, claim.meta));
  const std::string_view node = allocation->node_selector
                                    ? engine::only_node(*allocation->node_selector)
                                    : std::string_view();
  return base::format("allocated{}{}{}", age_of(snapshot, claim.meta),
                      node.empty() ? "" : base::format(" on {}", node), devices);
}

}  // namespace

std::string age_of(const snapshot::Snapshot& snapshot, const api::ObjectMeta& meta) {
  const auto& now = snapshot.now();
  if (!now || !meta.created) return {};
  return " " + base::human_age(*now - *meta.created);
}

std::string phase_of(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  const bool is_new = pod.status.phase.empty() && pod.spec.node_name.empty() && !pod.meta.deleted;
  if (is_new) return "Pending" + age_of(snapshot, pod.meta);
  const std::string status = engine::pod_status(pod);
  if (status != "Terminating" || !snapshot.now()) return status + age_of(snapshot, pod.meta);
  // The time of deletion is the end of the grace period.
  return *pod.meta.deleted > *snapshot.now()
             ? status
             : base::format("{} {}", status, base::human_age(*snapshot.now() - *pod.meta.deleted));
}

std::string standing_of(const snapshot::Snapshot& snapshot, const engine::Subject& subject,
                        bool with_devices) {
  const std::string devices = with_devices ? devices_words(subject) : std::string();
  if (subject.pod == nullptr) {
    const api::ResourceClaim* claim =
        subject.claims.size() == 1 ? subject.claims.front().claim : nullptr;
    return claim == nullptr ? "" : standing_of_claim(snapshot, *claim, devices);
  }
  const api::Pod& pod = *subject.pod;
  if (snapshot::is_planned(pod) || pod.meta.uid.empty()) return {};
  const std::string_view node = pod.spec.node_name;
  return base::format("{}{}{}", phase_of(snapshot, pod),
                      node.empty() ? "" : base::format(" on {}", node), devices);
}

}  // namespace dra::answers

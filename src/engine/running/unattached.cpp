// src/engine/running/unattached.cpp: devices that a driver has not attached to a pod, as it was not
// there when the pod's sandbox was made. A source of after_scheduling.h.
//
// A driver that attaches devices by a hook of the container runtime (NRI) is called while a sandbox
// is made, and never again for it: the runtime skips the hooks of a plugin that is not connected
// (github.com/containerd/nri). Such drivers report in the claim what they have attached.

#include <algorithm>

#include "dra/base/text.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

constexpr std::int64_t kSandboxIsMadeWithin = 120;  // seconds after the pod's start

bool reports(const api::ResourceClaim& claim, std::string_view driver) {
  return std::ranges::any_of(claim.status.devices, [driver](const api::DeviceStatus& device) {
    return device.driver == driver;
  });
}

// The driver reports devices of other claims.
bool reports_others(const AfterScene& scene, std::string_view driver) {
  return std::ranges::any_of(
      scene.snapshot.all<api::ResourceClaim>(),
      [driver](const api::ResourceClaim& claim) { return reports(claim, driver); });
}

// The container ended before the pod's sandbox was made, and ran again only after the pod's start.
bool was_away(const api::ContainerStatus& container, const api::Pod& pod) {
  const auto& running = container.state.running;
  const auto& last = container.last.terminated;
  const api::Time& start = pod.status.started;
  return start && running && running->started && last && last->finished &&
         running->started->seconds >= start->seconds &&
         last->finished->seconds <= start->seconds + kSandboxIsMadeWithin;
}

// The driver's pod on the node that was away at that time; nullptr: none.
const api::Pod* plugin_away(const AfterScene& scene, std::string_view driver) {
  for (const api::Pod& pod : scene.snapshot.all<api::Pod>()) {
    if (pod.spec.node_name != scene.pod->spec.node_name || !runs_plugin_of(pod, driver)) continue;
    if (std::ranges::any_of(pod.status.containers,
                            [&](const auto& one) { return was_away(one, *scene.pod); }))
      return &pod;
  }
  return nullptr;
}

}  // namespace

std::string unattached_devices(const AfterScene& scene) {
  for (const SubjectClaim& claim : scene.subject.claims) {
    if (!claim.allocated()) continue;
    const std::string_view driver = only_driver(&claim);
    if (driver.empty() || reports(*claim.claim, driver) || !reports_others(scene, driver)) continue;
    if (const api::Pod* plugin = plugin_away(scene, driver))
      return base::format(
          "driver {} has probably not attached claim {}, as its pod {} was restarting when this "
          "pod "
          "started",
          driver, claim.name, plugin->meta.name);
  }
  return {};
}

}  // namespace dra::engine

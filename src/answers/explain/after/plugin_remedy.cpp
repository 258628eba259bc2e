// src/answers/explain/after/plugin_remedy.cpp: see after_remedy_parts.h.

#include "dra/base/text.h"
#include "src/answers/explain/after/after_remedy_parts.h"

namespace dra::answers {
namespace {

constexpr std::string_view kMakesRoom =
    "A DaemonSet with a priority class such as system-node-critical makes room for itself.";

}  // namespace

std::string about_plugin(const engine::AfterFinding& found) {
  using engine::Action;
  switch (found.repair.action) {
    case Action::ReadPluginLog:
      return "Its plugin does not come up on that node: its log says why. The kubelet tries again "
             "by itself.";
    case Action::RestartPlugin:
      return "Its plugin on that node hangs or is gone: restart its pod there.";
    case Action::MendPlugin:
      if (!found.repair.claim.empty())
        return base::format(
            "Remove claim {} from its DaemonSet: a driver has to run before it prepares devices.",
            found.repair.claim);
      return "Its plugin's pod is on that node and does not run: fix that pod. The kubelet tries "
             "again by itself.";
    case Action::StartPlugin:
      return "Start the driver's kubelet plugin on that node: the node selector and tolerations "
             "of its DaemonSet decide. The kubelet tries again by itself.";
    case Action::LetPluginIn:
      return base::format("Delete {}: the driver's pod then gets onto node {}.{} {}",
                          pods_words(found.repair.pods), found.node, by_hand(found.repair),
                          kMakesRoom);
    case Action::MakeRoomForPlugin:
      return base::format("Free on node {} what the driver's pod waits for. {}", found.node,
                          kMakesRoom);
    default:
      return "Fix the problem that the driver reports. The kubelet tries again by itself.";
  }
}

}  // namespace dra::answers

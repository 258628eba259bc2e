// src/report/in_the_way.cpp: see in_the_way.h.

#include "src/report/in_the_way.h"

#include <algorithm>
#include <map>

#include "dra/base/text.h"
#include "dra/engine/driver_knowledge.h"
#include "src/report/words.h"

namespace dra::report {
namespace {

using diag::Code;
using diag::Reason;

constexpr std::size_t kMaxHolders = 2;
constexpr std::size_t kMaxDevices = 32;  // cells

const Reason* reason_of(const engine::NodeStanding& node, Code code) {
  const auto found = std::ranges::find(node.reasons, code, &Reason::code);
  return found == node.reasons.end() ? nullptr : &*found;
}

// Whether chips of the host are gone: it is no host to wait for.
bool is_told_of(const Explanation& explanation, const engine::NodeStanding& node) {
  return std::ranges::any_of(explanation.after, [&node](const engine::AfterFinding& finding) {
    return finding.node == node.name;
  });
}

// nullptr: on no node that other filters let through is that what keeps the pod away.
const engine::NodeStanding* nearest(const Explanation& explanation) {
  const engine::NodeStanding* best = nullptr;
  for (const engine::NodeStanding& node : explanation.nodes) {
    const Reason* reason = node.passes() ? reason_of(node, Code::AllUnusable) : nullptr;
    if (reason == nullptr || is_told_of(explanation, node)) continue;
    if (best == nullptr || reason->devices < reason_of(*best, Code::AllUnusable)->devices)
      best = &node;
  }
  return best;
}

std::string_view device_in(std::string_view id) { return id.substr(id.rfind('/') + 1); }

// "pod ml/a holds gpu-0,gpu-1 until it is done or deleted".
std::vector<std::string> words_of_held(const Reason& in_use) {
  std::map<std::pair<std::string_view, std::string_view>, std::vector<std::string_view>> held;
  for (const diag::Holder& holder : in_use.holders) {
    const bool idle = holder.pod.empty();
    held[{holder.pod, idle ? holder.claim : std::string_view()}].push_back(
        device_in(holder.device));
  }
  std::vector<std::string> words;
  for (const auto& [who, devices] : held) {
    const auto& [pod, claim] = who;
    const std::string names = fold_devices_within(devices, kMaxDevices);
    const bool several = pod.find(',') != std::string_view::npos;
    words.push_back(
        pod.empty() ? base::format("claim {}, which no pod uses, holds {} until it is deleted",
                                   claim, names)
        : several   ? base::format("pods {} share {} until all are done or deleted", pod, names)
                    : base::format("pod {} holds {} until it is done or deleted", pod, names));
  }
  return words;
}

std::string words_of_tainted(const Reason& tainted) {
  std::vector<std::string_view> devices;
  for (const std::string& id : tainted.examples)
    devices.push_back(device_in(id));
  return base::format("{} ({}): take the taint away, or tolerate it in the request",
                      tainted.message, fold_devices_within(devices, kMaxDevices));
}

bool is_of_whole_hosts(const Reason& reason) {
  return std::ranges::any_of(reason.examples, [](const std::string& id) {
    const auto* known = engine::knowledge_of(std::string_view(id).substr(0, id.find('/')));
    return known != nullptr && known->whole_hosts;
  });
}

}  // namespace

std::string how_to_free_all(const Explanation& explanation) {
  const engine::NodeStanding* node = nearest(explanation);
  if (node == nullptr) return {};
  std::vector<std::string> parts;
  bool whole_hosts = false;
  for (const Code code : {Code::DeviceInUse, Code::DeviceTainted}) {
    const Reason* reason = reason_of(*node, code);
    if (reason == nullptr) continue;
    parts.push_back(code == Code::DeviceInUse
                        ? base::join_first(words_of_held(*reason), kMaxHolders)
                        : words_of_tainted(*reason));
    whole_hosts = whole_hosts || is_of_whole_hosts(*reason);
  }
  if (parts.empty()) return {};
  return base::format("On node {}, {}. {}", node->name, base::join(parts, "; "),
                      whole_hosts ? "To ask for a number instead of all does not help: the driver "
                                    "hands out whole hosts."
                                  : "A number of devices instead of all would leave it out.");
}

}  // namespace dra::report

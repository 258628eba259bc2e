// src/answers/problems/one_problem.cpp: by the action of the repair, which says what it is about.

#include "src/answers/problems/one_problem.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "dra/base/text.h"

namespace dra::answers {
namespace {

using diag::Code;

// Whether it is about the driver or the kubelet on a node, whatever pod they fail for.
bool is_of_node(engine::Action action) {
  switch (action) {
    case engine::Action::CompareNodes:
    case engine::Action::FindHang:
    case engine::Action::CompareCdi:
    case engine::Action::FreeDisk:
    case engine::Action::LetKubeletWrite:
    case engine::Action::LookAtKubelet:
    case engine::Action::LetPluginIn:
    case engine::Action::MakeRoomForPlugin:
    case engine::Action::MendPlugin:
    case engine::Action::ReadPluginLog:
    case engine::Action::RegisterAgain:
    case engine::Action::RestartKubelet:
    case engine::Action::RestartOnNode:
    case engine::Action::RestartPlugin:
    case engine::Action::StartPlugin:
    case engine::Action::SwitchFeatureGateOn:
    case engine::Action::UpgradeKubelet:
    case engine::Action::UseOtherRuntime:
      return true;
    default:
      return false;
  }
}

// Whether it is about one object, whatever pods it affects.
bool is_of_object(engine::Action action) {
  switch (action) {
    case engine::Action::AwaitOtherOwner:
    case engine::Action::CompleteDomain:
    case engine::Action::GrantPermission:
    case engine::Action::MendHelper:
    case engine::Action::ReleaseLostNode:
    case engine::Action::RemoveNodeLabel:
      return true;
    default:
      return false;
  }
}

std::string_view namespace_of(const engine::AfterFinding& found) {
  const auto& subjects = found.finding.subjects;
  return subjects.empty() ? std::string_view() : std::string_view(subjects.front().namespace_);
}

// A driver refuses the configuration of one template or class, or forgets on one node what it has
// prepared; a taint evicts none of several pods.
bool has_one_origin(const engine::AfterFinding& a, const engine::AfterFinding& b) {
  const engine::Repair& repair = a.repair;
  if (b.repair.action != repair.action || a.driver != b.driver) return false;
  switch (repair.action) {
    case engine::Action::CorrectClass:
      return repair.classes == b.repair.classes;
    case engine::Action::CorrectTemplate:
      return !repair.template_name.empty() && repair.template_name == b.repair.template_name &&
             namespace_of(a) == namespace_of(b);
    case engine::Action::DeleteUnevictedPod:
      return a.what == b.what && namespace_of(a) == namespace_of(b);
    case engine::Action::ReleaseClaims:
      return a.node == b.node && repair.object.namespace_ == b.repair.object.namespace_;
    default:
      return false;
  }
}

}  // namespace

bool is_one_problem(const engine::AfterFinding& a, const engine::AfterFinding& b) {
  if (is_of_object(a.repair.action))
    return b.repair.action == a.repair.action && a.finding.code == b.finding.code &&
           a.repair.object == b.repair.object;
  if (a.finding.code == Code::PodFailed)
    return b.finding.code == a.finding.code && a.node == b.node && a.what == b.what;
  if (has_one_origin(a, b)) return true;
  if (a.repair.action == engine::Action::BringBackToRelease ||
      a.repair.action == engine::Action::MendPluginToRelease)
    return b.repair.action == a.repair.action && a.driver == b.driver && a.node == b.node;
  if (a.repair.action == engine::Action::LookAtKubelet && a.what != b.what) return false;
  return is_of_node(a.repair.action) && b.repair.action == a.repair.action &&
         a.finding.code == b.finding.code && a.driver == b.driver && a.node == b.node;
}

void add_pods_to_delete(const engine::AfterFinding& of, engine::AfterFinding& to) {
  engine::Repair& repair = to.repair;
  const bool stay = repair.action == engine::Action::DeleteUnevictedPod;
  const bool at_once = stay || repair.action == engine::Action::ReleaseClaims;
  if (!at_once && repair.action != engine::Action::CorrectTemplate &&
      repair.action != engine::Action::CorrectClass)
    return;
  for (const std::string& pod : of.repair.pods) {
    if (std::ranges::find(repair.pods, pod) != repair.pods.end()) continue;
    repair.pods.push_back(pod);
    const auto& unowned = of.repair.unowned;
    if (std::ranges::find(unowned, pod) != unowned.end()) repair.unowned.push_back(pod);
    if (at_once) repair.command = engine::Command::DeletePods;
  }
  if (stay)
    to.finding.message = base::format(
        "their devices have taint {}: the pods are not evicted, as they have the devices by "
        "extended resources",
        to.what);
}

}  // namespace dra::answers

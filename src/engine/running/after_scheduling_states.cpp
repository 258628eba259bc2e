// src/engine/running/after_scheduling_states.cpp: findings from the states of a pod's containers,
// and from the kubelet's newest warning where they say nothing. Sources of after_scheduling.h.
//
// Upstream: k8s.io/kubernetes/pkg/kubelet/kuberuntime, SyncPod: devices are prepared first, then
// the sandbox is made, then images are pulled and containers created. The reasons of images:
// pkg/kubelet/images, types.go.

#include <algorithm>
#include <array>

#include "dra/base/text.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/offered_twice.h"
#include "dra/engine/cluster/pods.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

using diag::Code;

constexpr std::array<std::string_view, 7> kImageReasons = {
    "ErrImageNeverPull", "ErrImagePull",        "ImageInspectError",        "ImagePullBackOff",
    "InvalidImageName",  "RegistryUnavailable", "SignatureValidationFailed"};
// Of a container that waits for its turn.
constexpr std::array<std::string_view, 3> kNoReasons = {"", "ContainerCreating", "PodInitializing"};
// Warnings about what stands between the devices and the containers.
constexpr std::array<std::string_view, 3> kBetween = {"FailedCreatePodSandBox", "FailedMount",
                                                      "FailedAttachVolume"};

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

template <class F>
const api::ContainerStatus* find_container(const api::Pod& pod, F wanted) {
  for (const auto* statuses : {&pod.status.init_containers, &pod.status.containers}) {
    const auto found = std::ranges::find_if(*statuses, wanted);
    if (found != statuses->end()) return &*found;
  }
  return nullptr;
}

// "exit code 1 (Error)"
std::string ending_of(const api::ContainerTerminated& ended) {
  std::string text = base::format("exit code {}", ended.exit_code);
  if (!ended.reason.empty()) text += base::format(" ({})", ended.reason);
  return text;
}

// The first claim of the pod that no container lists; empty if each is listed.
std::string_view unlisted_claim(const api::Pod& pod) {
  const auto lists = [](const std::vector<api::Container>& containers, std::string_view claim) {
    return std::ranges::any_of(containers, [claim](const api::Container& container) {
      return std::ranges::find(container.resources.claims, claim, &api::ContainerClaim::name) !=
             container.resources.claims.end();
    });
  };
  for (const api::PodClaim& claim : pod.spec.claims) {
    if (!lists(pod.spec.containers, claim.name) && !lists(pod.spec.init_containers, claim.name))
      return claim.name;
  }
  return {};
}

AfterFinding& add(const AfterScene& scene, Code code, Fails fails, std::string message) {
  AfterFinding& found = scene.add(code, nullptr, std::move(message));
  found.fails = fails;
  found.what = without_names(scene, found.finding.message);
  found.repair.command = Command::DescribePod;
  found.repair.object = {"Pod", std::string(scene.pod->meta.namespace_),
                         std::string(scene.pod->meta.name)};
  return found;
}

void crashes(const AfterScene& scene, const api::ContainerStatus& container) {
  const auto& last = container.last.terminated;
  std::string how = base::format("container {} crashes again and again ({}", container.name,
                                 base::plural(container.restarts, "restart"));
  how += last ? base::format(", last with {})", ending_of(*last)) : ")";
  const std::string_view claim = unlisted_claim(*scene.pod);
  if (!claim.empty())
    how = base::format(
        "no container lists claim {} in resources.claims, so none sees its devices; {}", claim,
        how);
  AfterFinding& found = add(scene, Code::ContainerCrashes, Fails::Run, std::move(how));
  found.what = base::format("{} {}", claim.empty() ? "crashes" : "not listed", container.name);
  if (last && !last->message.empty())
    found.finding.evidence.push_back({"said", std::string(last->message), last->finished});
  for (const OfferedTwice& twice :
       offered_twice(scene.snapshot, scene.inventory, scene.pod->spec.node_name))
    found.finding.evidence.push_back({"hardware", words_of(twice)});
  found.repair.action = claim.empty() ? Action::MendProgram : Action::ListClaim;
  found.repair.claim = claim;
  found.repair.command = Command::ReadLogsOfCrash;
}

void not_started(const AfterScene& scene, const api::ContainerStatus& container) {
  const api::ContainerWaiting& waiting = *container.state.waiting;
  const std::string said = waiting.message.empty()
                               ? std::string(waiting.reason)
                               : base::format("{}: {}", waiting.reason, waiting.message);
  AfterFinding& found =
      add(scene, Code::ContainerNotStarted, Fails::Start,
          is_one_of(waiting.reason, kImageReasons)
              ? base::format("its devices are prepared, but the image of container {} cannot be "
                             "pulled: {}",
                             container.name, said)
              : base::format("its devices are prepared, but container {} cannot be started: {}",
                             container.name, said));
  found.repair.action = Action::MendContainer;
}

// The container runtime, a hook of it or a volume fails: no container has a state of its own yet.
void fails_between(const AfterScene& scene) {
  const api::Event* event = newest_warning(scene.snapshot, "Pod", scene.pod->meta);
  if (event == nullptr || !is_one_of(event->reason, kBetween)) return;
  const bool sandbox = event->reason == "FailedCreatePodSandBox";
  AfterFinding& found =
      add(scene, Code::ContainerNotStarted, Fails::Start,
          base::format("{}: {}",
                       sandbox ? "its devices are prepared, but its sandbox cannot be made"
                               : "a volume cannot be mounted",
                       event->message));
  const std::int64_t times = times_seen(*event);
  found.finding.evidence.push_back(
      {"kubelet",
       times > 1 ? base::format("{} ({} times)", event->reason, times) : std::string(event->reason),
       event->last_seen()});
  found.repair.action = Action::MendContainer;
}

void not_gone(const AfterScene& scene) {
  AfterFinding& found = add(scene, Code::PodNotGone, Fails::End,
                            "its containers have ended, and the kubelet has not taken its devices "
                            "back");
  if (const api::Event* event = newest_warning(scene.snapshot, "Pod", scene.pod->meta))
    found.finding.evidence.push_back(
        {"kubelet", base::format("{}: {}", event->reason, event->message), event->last_seen()});
  for (const SubjectClaim& claim : scene.subject.claims) {
    if (!claim.allocated()) continue;
    const auto& results = claim.claim->status.allocation->devices.results;
    if (!results.empty()) found.driver = results.front().driver;
  }
  add_node_fact(scene, found);
  if (!found.driver.empty()) add_plugin_facts(scene, found);
  found.repair.action = Action::AwaitUnprepareOfPod;
}

}  // namespace

void look_at_states(const AfterScene& scene) {
  const api::Pod& pod = *scene.pod;
  if (scene.subject.claims.empty()) return;
  if (pod.meta.deleted) {
    if (have_ended(pod)) not_gone(scene);
    return;
  }
  if (api::is_true(pod.status.conditions, "Ready")) return;
  const auto* crashing = find_container(pod, [](const api::ContainerStatus& one) {
    return one.state.waiting && one.state.waiting->reason == "CrashLoopBackOff";
  });
  if (crashing != nullptr) return crashes(scene, *crashing);
  const auto* waiting = find_container(pod, [](const api::ContainerStatus& one) {
    return one.state.waiting && !is_one_of(one.state.waiting->reason, kNoReasons);
  });
  if (waiting != nullptr) return not_started(scene, *waiting);
  if (!scene.started()) fails_between(scene);
}

}  // namespace dra::engine

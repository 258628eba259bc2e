// src/engine/running/runtime_refusals.cpp: sandboxes and containers that a driver refuses through
// the container runtime (NRI), because of how the pod uses its claims: no other try helps. A source
// of after_scheduling.h.
//
// Upstream: sigs.k8s.io/dranet/pkg/driver, nri_hooks.go (RunPodSandbox);
// sigs.k8s.io/dra-driver-cpu/pkg/store, claim_tracker.go. The runtime's frame of such an error:
// github.com/containerd/containerd/v2/internal/cri/server, sandbox_run.go and container_create.go.

#include <algorithm>

#include "dra/base/text.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

using diag::Code;

void replace_word(std::string& text, std::string_view word, const std::string& by) {
  if (word.empty()) return;
  for (std::size_t at = text.find(word); at != std::string::npos;
       at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
}

// The innermost error, with names in place of the uids of the pod and its claims.
std::string in_names(const AfterScene& scene, std::string_view text) {
  constexpr std::string_view frame = " desc = ";
  const std::size_t inner = text.rfind(frame);
  std::string words(inner == std::string_view::npos ? text : text.substr(inner + frame.size()));
  replace_word(words, scene.pod->meta.uid, std::string(scene.pod->meta.name));
  for (const SubjectClaim& claim : scene.subject.claims)
    if (claim.claim != nullptr) replace_word(words, claim.claim->meta.uid, claim.name);
  return words;
}

AfterFinding& add_refusal(const AfterScene& scene, Action action, std::string_view what,
                          std::string message) {
  AfterFinding& found = scene.add(Code::ContainerNotStarted, nullptr, std::move(message));
  found.fails = Fails::Start;
  found.what = what;
  found.repair.action = action;
  found.repair.command = Command::DescribePod;
  found.repair.object = {"Pod", std::string(scene.pod->meta.namespace_),
                         std::string(scene.pod->meta.name)};
  return found;
}

bool is_of_host_network(const AfterScene& scene, std::string_view text) {
  const std::string words = base::lower(text);
  const bool said = words.find("host network") != std::string::npos ||
                    words.find("hostnetwork") != std::string::npos;
  if (!said || !scene.pod->spec.host_network || scene.subject.claims.empty()) return false;
  add_refusal(
      scene, Action::LeaveHostNetwork, "host network",
      base::format("it has hostNetwork: true, and a claim for devices that go into a network "
                   "of the pod's own: {}",
                   in_names(scene, text)));
  return true;
}

// Whether the container lists the pod's claim, for all requests or for a given one.
bool lists(const api::Container& container, const api::ContainerClaim& wanted) {
  return std::ranges::any_of(container.resources.claims, [&wanted](const auto& claim) {
    return claim.name == wanted.name &&
           (claim.request.empty() || wanted.request.empty() || claim.request == wanted.request);
  });
}

bool runs(const AfterScene& scene, std::string_view container) {
  return std::ranges::any_of(scene.pod->status.containers, [container](const auto& one) {
    return one.name == container && one.state.running.has_value();
  });
}

// The text names the claim, or says that the other container has something already.
bool is_about_claim(const SubjectClaim& claim, std::string_view other, std::string_view text) {
  const auto has = [text](std::string_view part) {
    return !part.empty() && text.find(part) != std::string_view::npos;
  };
  if (claim.claim != nullptr && has(claim.claim->meta.uid)) return true;
  return has(claim.name) || (has("already") && has(other));
}

// A claim that a container which runs has as well.
bool is_claimed_twice(const AfterScene& scene, const api::Container& container,
                      std::string_view text) {
  for (const api::ContainerClaim& wanted : container.resources.claims) {
    const auto& claims = scene.subject.claims;
    const auto claim = std::ranges::find(claims, wanted.name, &SubjectClaim::pod_claim);
    if (claim == claims.end()) continue;
    for (const api::Container& other : scene.pod->spec.containers) {
      if (other.name == container.name || !lists(other, wanted) || !runs(scene, other.name) ||
          !is_about_claim(*claim, other.name, text))
        continue;
      AfterFinding& found = add_refusal(
          scene, Action::UseClaimOnce, base::format("claim twice {}", container.name),
          base::format("container {} cannot be created: container {} has claim {}, and the driver "
                       "gives it to one container only: {}",
                       container.name, other.name, claim->name, in_names(scene, text)));
      found.repair.claim = wanted.name;
      found.repair.container = container.name;
      return true;
    }
  }
  return false;
}

}  // namespace

bool is_refused_by_driver(const AfterScene& scene, std::string_view container,
                          std::string_view text) {
  if (container.empty()) return is_of_host_network(scene, text);
  const auto& containers = scene.pod->spec.containers;
  const auto found = std::ranges::find(containers, container, &api::Container::name);
  return found != containers.end() && is_claimed_twice(scene, *found, text);
}

}  // namespace dra::engine

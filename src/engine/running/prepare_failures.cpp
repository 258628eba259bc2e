// src/engine/running/prepare_failures.cpp: what a driver's failure to prepare a claim has in common
// with its other claims. A source of after_scheduling.h.

#include <algorithm>
#include <set>

#include "dra/base/text.h"
#include "dra/engine/cluster/allocated_device.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/running/kubelet_words.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

constexpr std::size_t kNamedClaims = 4;
constexpr std::string_view kUidCharacters = "0123456789abcdefABCDEF-";
constexpr std::size_t kUidLength = 36;

// A pod that a driver has to prepare a claim for, or has prepared one for.
struct Attempt {
  const api::Pod* pod;
  const api::ResourceClaim* claim;
  const api::Event* failure;  // nullptr: the pod runs
};

bool has_device_of(const api::ResourceClaim& claim, std::string_view driver) {
  return claim.allocated() &&
         std::ranges::any_of(claim.status.allocation->devices.results,
                             [driver](const auto& result) { return result.driver == driver; });
}

bool runs(const api::Pod& pod) {
  return pod.status.phase == "Running" &&
         std::ranges::any_of(pod.status.containers, [](const api::ContainerStatus& container) {
           return container.state.running.has_value();
         });
}

api::Time started(const api::Pod& pod) {
  api::Time first;
  for (const api::ContainerStatus& container : pod.status.containers) {
    const auto& running = container.state.running;
    if (running && running->started && (!first || *running->started < *first))
      first = running->started;
  }
  return first;
}

// The pods on nodes that use a device of the driver, and of which it is known how that went.
std::vector<Attempt> attempts_of(const snapshot::Snapshot& snapshot, std::string_view driver) {
  std::vector<Attempt> attempts;
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>()) {
    if (!has_device_of(claim, driver)) continue;
    for (const api::Consumer& consumer : claim.status.reserved_for) {
      const api::Pod* pod = consuming_pod(snapshot, claim.meta.namespace_, consumer);
      if (pod == nullptr || pod->spec.node_name.empty() || pod->finished()) continue;
      if (runs(*pod)) {
        attempts.push_back({pod, &claim, nullptr});
      } else if (const auto* event = newest_warning(snapshot, "Pod", pod->meta, kFailedPrepare)) {
        const KubeletWord word = kubelet_word(event->message);
        if (word.claim.empty() || word.claim == claim.meta.name)
          attempts.push_back({pod, &claim, event});
      }
    }
  }
  return attempts;
}

void replace_all(std::string& text, std::string_view name) {
  if (name.empty()) return;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
    text.replace(at, name.size(), "*");
}

// The message without names and numbers: what is left is equal if claims fail in the same way.
std::string skeleton_of(const Attempt& attempt) {
  std::string text = kubelet_word(attempt.failure->message).text;
  for (const std::string_view name :
       {attempt.claim->meta.uid, attempt.pod->meta.uid, attempt.claim->meta.name,
        attempt.pod->meta.name, attempt.pod->spec.node_name})
    replace_all(text, name);
  for (const auto& result : attempt.claim->status.allocation->devices.results)
    replace_all(text, result.device);
  std::string left;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) left += c;
    if (digit && !left.ends_with('#')) left += '#';
  }
  return left;
}

// The first uid in the text that is not one of those that the pod and its claim have.
std::string_view other_uid(std::string_view text, const Attempt& own) {
  for (std::size_t at = 0; at + kUidLength <= text.size(); ++at) {
    const std::string_view word = text.substr(at, kUidLength);
    const bool uid = word[8] == '-' && word[13] == '-' && word[18] == '-' && word[23] == '-' &&
                     word.find_first_not_of(kUidCharacters) == std::string_view::npos;
    if (uid && word != own.claim->meta.uid && word != own.pod->meta.uid) return word;
  }
  return {};
}

class Comparison {
 public:
  Comparison(const AfterScene& scene, const SubjectClaim& claim, std::string_view text,
             AfterFinding& found)
      : scene_(scene),
        found_(found),
        text_(text),
        own_{scene.pod, claim.claim, nullptr},
        all_(attempts_of(scene.snapshot, found.driver)) {
    const auto same = std::ranges::find_if(all_, [this](const Attempt& one) {
      return one.pod == own_.pod && one.claim == own_.claim && one.failure != nullptr;
    });
    if (same != all_.end()) own_ = *same;
  }

  void look() {
    if (own_.failure == nullptr) return;
    if (is_shared() || names_other_claim() || fails_on_node()) return;
    fails_for_device();
  }

 private:
  bool here(const Attempt& one) const {
    return one.pod->spec.node_name == own_.pod->spec.node_name;
  }
  bool is_shared();
  bool names_other_claim();
  bool fails_on_node();
  void fails_for_device();
  bool works_beside() const;

  const AfterScene& scene_;
  AfterFinding& found_;
  std::string_view text_;
  Attempt own_;
  std::vector<Attempt> all_;
};

// Another pod on the node runs with the same claim.
bool Comparison::is_shared() {
  const auto other = std::ranges::find_if(all_, [this](const Attempt& one) {
    return one.claim == own_.claim && one.pod != own_.pod && one.failure == nullptr && here(one);
  });
  if (other == all_.end()) return false;
  found_.finding.message = base::format(
      "claim {} is shared with pod {}, which runs, and driver {} does not prepare it for a second "
      "pod: {}",
      own_.claim->meta.name, other->pod->meta.name, found_.driver, text_);
  found_.repair.action = Action::UseOwnClaims;
  found_.repair.command = Command::None;  // the driver's log says no more
  found_.repair.claim = own_.claim->meta.name;
  std::vector<std::string> free;
  for (const InventoryDevice& device : scene_.inventory.devices()) {
    const api::ResourceSlice& slice = *device.published.slice;
    if (slice.spec.driver == found_.driver && slice.spec.node_name == own_.pod->spec.node_name &&
        device.state == DeviceState::Free)
      free.emplace_back(device.published.device->name);
  }
  if (!free.empty()) {
    found_.finding.evidence.push_back(
        {"free", base::format("{} on this node", name_devices(free))});
  }
  return true;
}

// By what the driver says, the device belongs to another claim, or to one that is gone.
bool Comparison::names_other_claim() {
  const std::string_view uid = other_uid(text_, own_);
  if (uid.empty() || !scene_.snapshot.coverage().saw(api::Kind::Claim)) return false;
  const auto& claims = scene_.snapshot.all<api::ResourceClaim>();
  const auto other = std::ranges::find_if(
      claims, [uid](const api::ResourceClaim& claim) { return claim.meta.uid == uid; });
  if (other != claims.end()) {
    const std::string name = base::format("{}/{}", other->meta.namespace_, other->meta.name);
    found_.finding.evidence.push_back({"that uid", base::format("is of claim {}", name)});
    found_.repair.action = Action::ReleaseOtherClaim;
    found_.repair.claim = name;
    found_.repair.command = Command::Describe;
    found_.repair.object = {"ResourceClaim", std::string(other->meta.namespace_),
                            std::string(other->meta.name)};
    return true;
  }
  const auto& pods = scene_.snapshot.all<api::Pod>();
  if (std::ranges::any_of(pods, [uid](const api::Pod& pod) { return pod.meta.uid == uid; }))
    return false;
  found_.finding.evidence.push_back(
      {"that uid", base::format("{}: no claim has it any more", uid)});
  found_.repair.action = Action::ClearCheckpoint;
  if (found_.repair.object.kind == "Pod") found_.repair.command = Command::DeletePod;
  return true;
}

// Nothing of the driver has started on the node since it first failed, and other claims fail in
// the same way.
bool Comparison::fails_on_node() {
  const std::string how = skeleton_of(own_);
  std::set<std::string_view> failing;
  std::set<std::string_view> elsewhere;
  api::Time first = own_.failure->first ? own_.failure->first : own_.failure->last_seen();
  for (const Attempt& one : all_) {
    if (one.failure == nullptr && !here(one)) elsewhere.insert(one.pod->spec.node_name);
    if (one.failure == nullptr || !here(one)) continue;
    if (one.pod != own_.pod && skeleton_of(one) != how) return false;
    failing.insert(one.claim->meta.name);
    if (one.failure->first && (!first || *one.failure->first < *first)) first = one.failure->first;
  }
  const bool works = std::ranges::any_of(all_, [&](const Attempt& one) {
    const api::Time start = one.failure == nullptr ? started(*one.pod) : api::Time();
    return one.failure == nullptr && here(one) && first && start && *start > *first;
  });
  if (failing.size() < 2 || works) return false;
  std::vector<std::string> names(failing.begin(), failing.end());
  std::string message = base::format("driver {} prepares no claim on node {}", found_.driver,
                                     own_.pod->spec.node_name);
  if (!elsewhere.empty()) {
    message += elsewhere.size() == 1
                   ? base::format(", while it does on node {}", *elsewhere.begin())
                   : base::format(", while it does on {} other nodes", elsewhere.size());
  }
  found_.finding.message = base::format("{}: {}", message, text_);
  found_.finding.evidence.push_back(
      {"claims", base::format("{} fail in the same way", base::join_first(names, kNamedClaims))});
  found_.what = base::format("no claim on node {}", own_.pod->spec.node_name);
  found_.repair.action = Action::RestartOnNode;
  if (found_.repair.object.kind == "Pod") found_.repair.command = Command::RestartPod;
  return true;
}

// Whether the driver has prepared other devices on the node.
bool Comparison::works_beside() const {
  return std::ranges::any_of(all_, [this](const Attempt& one) {
    return one.failure == nullptr && here(one) && one.claim != own_.claim;
  });
}

// The driver's message names one device of the claim, and others work on the node.
void Comparison::fails_for_device() {
  std::vector<const api::AllocationResultItem*> named;
  for (const auto& result : own_.claim->status.allocation->devices.results) {
    if (result.driver == found_.driver && contains_name(text_, result.device))
      named.push_back(&result);
  }
  if (named.size() != 1 || !works_beside()) return;
  const std::string device(named.front()->device);
  found_.finding.evidence.push_back(
      {"device", base::format("{}; the driver has prepared others on this node", device)});
  found_.repair.pods.clear();
  found_.repair.unowned.clear();
  add_pod(*own_.pod, found_.repair);
  keep_pods_off(scene_, id_of(*named.front()), Action::TaintDevice, found_.repair);
}

}  // namespace

void compare_with_others(const AfterScene& scene, const SubjectClaim& claim, std::string_view text,
                         AfterFinding& found) {
  if (scene.pod == nullptr || !claim.allocated() || found.driver.empty()) return;
  Comparison(scene, claim, text, found).look();
}

}  // namespace dra::engine

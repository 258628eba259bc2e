// src/engine/running/prepare_skipped.cpp: why a driver leaves a claim out of its answer. A source
// of after_scheduling.h.
//
// The kubelet then says "NodePrepareResources skipped 1 ResourceClaims", and neither the driver nor
// the claim (k8s.io/kubernetes/pkg/kubelet/cm/dra, manager.go, v1.34 to v1.37). A driver that tries
// again within its own time limit has to do so when that is over.

#include <algorithm>
#include <set>

#include "dra/api/workload.h"
#include "dra/base/log_line.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/compute_domains.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/full_name.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";

bool is_uid(std::string_view word) {
  constexpr std::string_view form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  if (word.size() != form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool fits =
        form[i] == '-' ? word[i] == '-' : kHexDigits.find(word[i]) != std::string_view::npos;
    if (!fits) return false;
  }
  return true;
}

// An object that the parameters of a claim name by its uid, and the driver that they are for.
struct Named {
  const SubjectClaim* claim;
  std::string_view driver;
  std::string_view uid;
  const api::ComputeDomain* domain = nullptr;  // the object, if it is one

  // "ComputeDomain ml/nccl"
  std::string words() const {
    return domain == nullptr ? base::format("the object {}", uid)
                             : base::format("ComputeDomain {}", full_name(domain->meta));
  }
};

const api::ComputeDomain* domain_of(const AfterScene& scene, std::string_view uid) {
  const auto& all = scene.snapshot.all<api::ComputeDomain>();
  const auto found = std::ranges::find_if(
      all, [uid](const api::ComputeDomain& domain) { return domain.meta.uid == uid; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<Named> named_in(const AfterScene& scene, const SubjectClaim& claim) {
  std::vector<Named> named;
  if (!claim.allocated()) return named;
  for (const api::AllocationConfig& config : claim.claim->status.allocation->devices.config) {
    if (!config.config.opaque) continue;
    for (const std::string_view word : base::split(config.config.opaque->parameters.text, '"')) {
      if (is_uid(word))
        named.push_back({&claim, config.config.opaque->driver, word, domain_of(scene, word)});
    }
  }
  return named;
}

bool has_label(const api::ObjectMeta& meta, std::string_view value) {
  return std::ranges::any_of(meta.labels,
                             [value](const auto& label) { return label.value == value; });
}

// A pod of the object on the pod's node that is not ready. Pods that use a claim of the object as
// this one does have no label of it, and wait as well.
const api::Pod* unready_pod_of(const AfterScene& scene, const Named& named) {
  const auto& pods = scene.snapshot.all<api::Pod>();
  const auto found = std::ranges::find_if(pods, [&](const api::Pod& pod) {
    return &pod != scene.pod && !pod.finished() &&
           pod.spec.node_name == scene.pod->spec.node_name && has_label(pod.meta, named.uid) &&
           !api::is_true(pod.status.conditions, "Ready");
  });
  return found == pods.end() ? nullptr : &*found;
}

struct Unready {
  std::string brief;  // "is ImagePullBackOff"
  std::string words;  // with all that was said
};

Unready state_of(const AfterScene& scene, const api::Pod& pod) {
  const bool waits = container_state(pod) != pod.status.phase;
  const api::Event* event = newest_warning(scene.snapshot, "Pod", pod.meta);
  if (waits)
    return {base::format("is {}", container_state(pod)),
            base::format("is {}", trouble_in_words(pod))};
  if (event == nullptr) return {"is not ready", "is not ready"};
  const std::string said = base::plain_log(event->message);
  return {base::format("is not ready ({})", said.substr(0, said.find(": "))),
          base::format("is not ready: {}", said)};
}

void name_claim(const Named& named, AfterFinding& found) {
  if (!is_about(found, *named.claim)) found.finding.subjects.push_back(subject_of(*named.claim));
  found.driver = named.driver;
}

std::string holds_back(const Named& named) {
  return base::format("driver {} holds claim {} back", named.driver, named.claim->name);
}

bool waits_for_pod(const AfterScene& scene, const Named& named, AfterFinding& found) {
  const api::Pod* pod = unready_pod_of(scene, named);
  if (pod == nullptr) return false;
  const Unready state = state_of(scene, *pod);
  name_claim(named, found);
  found.finding.message =
      base::format("{} is not ready on {}, so {}: pod {} there {}", named.words(),
                   scene.pod->spec.node_name, holds_back(named), pod->meta.name, state.brief);
  found.finding.evidence.push_back(
      {"helper", base::format("pod {} {}", full_name(pod->meta), state.words)});
  found.repair.action = Action::MendHelper;
  found.repair.command =
      container_state(*pod) == "Running" ? Command::ReadLogs : Command::DescribePod;
  found.repair.object = {"Pod", std::string(pod->meta.namespace_), std::string(pod->meta.name)};
  return true;
}

// The label by whose value, the object's uid, its pods and nodes are found: a DaemonSet selects
// nodes by it, or other nodes have it.
std::set<std::string_view> label_keys(const AfterScene& scene, std::string_view uid) {
  std::set<std::string_view> keys;
  const auto add = [&](const auto& labels) {
    for (const auto& label : labels)
      if (label.value == uid) keys.insert(label.key);
  };
  for (const api::Workload& workload : scene.snapshot.all<api::Workload>()) {
    if (workload.origin.kind == "DaemonSet" && workload.spec.job.pod)
      add(workload.spec.job.pod->spec.node_selector);
  }
  for (const api::Node& node : scene.snapshot.all<api::Node>())
    add(node.meta.labels);
  return keys;
}

// The node carries the label of another object. Upstream: sigs.k8s.io/dra-driver-nvidia-gpu,
// cmd/compute-domain-kubelet-plugin, AddNodeLabel, which leaves it as it is.
bool waits_for_label(const AfterScene& scene, const Named& named, AfterFinding& found) {
  const auto* node = scene.snapshot.find<api::Node>(scene.pod->spec.node_name);
  if (node == nullptr || named.domain == nullptr ||
      !scene.snapshot.coverage().saw(api::Kind::ComputeDomain))
    return false;
  for (const std::string_view key : label_keys(scene, named.uid)) {
    const auto* value = api::find(node->meta.labels, key);
    if (value == nullptr || *value == named.uid || !is_uid(*value)) continue;
    const api::ComputeDomain* owner = domain_of(scene, *value);
    name_claim(named, found);
    found.finding.message = base::format(
        "node {} is still labelled for {}, so {}", node->meta.name,
        owner == nullptr ? base::format("ComputeDomain {}, which no longer exists", *value)
                         : base::format("ComputeDomain {}", full_name(owner->meta)),
        holds_back(named));
    found.finding.evidence.push_back({"label", base::format("{}={}", key, *value)});
    found.repair.action = owner == nullptr ? Action::RemoveNodeLabel : Action::AwaitOtherOwner;
    found.repair.command = owner == nullptr ? Command::RemoveLabel : Command::DescribeNode;
    found.repair.resource = key;
    found.repair.object = {"Node", {}, std::string(node->meta.name)};
    return true;
  }
  return false;
}

bool waits_for_nodes(const AfterScene& scene, const Named& named, AfterFinding& found) {
  if (named.domain == nullptr) return false;
  const api::ObjectMeta& meta = named.domain->meta;
  const auto domain = incomplete_domain(scene.snapshot, meta.namespace_,
                                        named.domain->spec.channel.claim_template.name);
  if (!domain) return false;
  name_claim(named, found);
  found.finding.message = base::format("{}, so {}", words_of(*domain), holds_back(named));
  found.repair.action = Action::CompleteDomain;
  found.repair.command = Command::DescribeDomain;
  found.repair.object = {"ComputeDomain", std::string(meta.namespace_), std::string(meta.name)};
  return true;
}

// "driver a", "one of the drivers a and b"
std::string drivers_in_words(const std::set<std::string_view>& drivers) {
  if (drivers.empty()) return "the driver";
  if (drivers.size() == 1) return base::format("driver {}", *drivers.begin());
  const std::vector<std::string> names(drivers.begin(), drivers.end());
  const std::vector<std::string> first(names.begin(), names.end() - 1);
  return base::format("one of the drivers {} and {}", base::join(first, ", "), names.back());
}

}  // namespace

void look_at_skipped(const AfterScene& scene, AfterFinding& found) {
  std::set<std::string_view> drivers;
  std::vector<Named> all;
  for (const SubjectClaim& claim : scene.subject.claims) {
    if (!claim.allocated()) continue;
    for (const auto& result : claim.claim->status.allocation->devices.results)
      drivers.insert(result.driver);
    for (const Named& named : named_in(scene, claim))
      all.push_back(named);
  }
  const bool one = scene.subject.claims.size() == 1;
  found.finding.message = base::format(
      "{} has returned no result for {}, probably as its own time limit was over, and does not say "
      "why",
      drivers_in_words(drivers),
      one ? base::format("claim {}", scene.subject.claims.front().name) : std::string("a claim"));
  found.repair.action = Action::ReadLogOfSkipped;
  for (const auto look : {waits_for_pod, waits_for_label, waits_for_nodes}) {
    for (const Named& named : all)
      if (look(scene, named, found)) return;
  }
  if (!found.driver.empty() || drivers.empty()) return;
  found.driver = *drivers.begin();  // whose pod may have the other's container as well
  add_plugin_facts(scene, found);
  found.driver.clear();
  found.repair.action = Action::ReadLogOfSkipped;
}

std::string domain_elsewhere(const AfterScene& scene, const SubjectClaim* claim, Repair& repair) {
  if (claim == nullptr) return {};
  for (const Named& named : named_in(scene, *claim)) {
    if (named.domain == nullptr || named.domain->meta.namespace_ == claim->namespace_) continue;
    const api::ObjectMeta& meta = named.domain->meta;
    repair.command = Command::DescribeDomain;
    repair.object = {"ComputeDomain", std::string(meta.namespace_), std::string(meta.name)};
    return base::format("driver {} refuses claim {}: it is for {}, of another namespace",
                        named.driver, claim->name, named.words());
  }
  return {};
}

}  // namespace dra::engine

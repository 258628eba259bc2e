// src/engine/running/after_scheduling_kubelet.cpp: what the kubelet and the container runtime say
// of a pod that does not start, or of the devices of one that runs. See after_scheduling.h.

#include <algorithm>
#include <set>

#include "dra/base/text.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/facts/features.h"
#include "dra/engine/running/kubelet_words.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

using diag::Certainty;
using diag::Code;

AfterFact fact_of(const api::Event& event, const KubeletWord& word) {
  const std::int64_t times = times_seen(event);
  return {"kubelet", times > 1 ? base::format("{} ({} times)", word.text, times) : word.text,
          event.last_seen()};
}

const SubjectClaim* claim_named(const AfterScene& scene, std::string_view name) {
  const auto& claims = scene.subject.claims;
  const auto found = std::ranges::find(claims, name, &SubjectClaim::name);
  return found == claims.end() || name.empty() ? nullptr : &*found;
}

// The only driver of the claim's devices; empty if there are several.
std::string_view only_driver(const SubjectClaim* claim) {
  if (claim == nullptr || !claim->allocated()) return {};
  const auto& results = claim->claim->status.allocation->devices.results;
  const bool same = !results.empty() && std::ranges::all_of(results, [&](const auto& result) {
    return result.driver == results.front().driver;
  });
  return same ? results.front().driver : std::string_view();
}

// What was found already and explains the kubelet's trouble with the claim: then its words are a
// fact of that.
AfterFinding* explained_by(const AfterScene& scene, const KubeletWord& word) {
  if (word.trouble != KubeletTrouble::Refused && word.trouble != KubeletTrouble::Other)
    return nullptr;
  const SubjectClaim* claim = claim_named(scene, word.claim);
  const auto found = std::ranges::find_if(scene.findings, [claim](const AfterFinding& finding) {
    return finding.fails == Fails::Prepare && claim != nullptr &&
           finding.reason.claim == claim->label();
  });
  return found == scene.findings.end() ? nullptr : &*found;
}

void not_registered(const AfterScene& scene, const api::Event& event, const KubeletWord& word) {
  const std::string node(scene.pod->spec.node_name);
  AfterFinding& finding =
      scene.add(Code::DriverNotRegistered, claim_named(scene, word.claim),
                base::format("driver {} is not registered on node {}", word.driver, node));
  finding.reason.certainty = Certainty::Heuristic;
  finding.driver = word.driver;
  finding.facts.push_back(fact_of(event, word));
  const bool publishes = publishes_on(scene.inventory, word.driver, node);
  if (scene.snapshot.coverage().saw(api::Kind::Slice)) {
    finding.facts.push_back({"slices", publishes
                                           ? "the driver's slices for this node are still there"
                                           : "the driver publishes none for this node"});
  }
  add_node_fact(scene, finding);
  add_plugin_facts(scene, finding);
  finding.remedy =
      finding.command.starts_with("kubectl logs")
          ? "Its plugin does not come up on that node: its log says why. The kubelet tries again "
            "by itself."
          : "Start the driver's kubelet plugin on that node: look at its DaemonSet, whose node "
            "selector and tolerations have to let it run there. The kubelet tries again by itself.";
  // That its devices are not published any more follows from the same.
  if (publishes) return;
  const std::string driver = word.driver;
  std::erase_if(scene.findings, [&driver](const AfterFinding& other) {
    return other.reason.code == Code::DeviceGone && other.driver == driver;
  });
}

// Where the parameters come from that a driver got with an allocation.
struct ParametersFrom {
  bool claim = false;
  std::vector<std::string> classes = {};  // "class a"
};

ParametersFrom parameters_of(const AfterScene& scene, const api::ResourceClaim& claim) {
  ParametersFrom from;
  bool of_class = false;
  for (const api::AllocationConfig& config : claim.status.allocation->devices.config)
    (config.source == "FromClass" ? of_class : from.claim) = true;
  if (!of_class) return {.claim = true};
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      const auto* used = scene.snapshot.find<api::DeviceClass>(demand.demand->device_class);
      if (used == nullptr || used->spec.config.empty()) continue;
      std::string name = base::format("class {}", used->meta.name);
      if (std::ranges::find(from.classes, name) == from.classes.end())
        from.classes.push_back(std::move(name));
    }
  }
  if (from.classes.empty()) from.classes.emplace_back("the class");
  return from;
}

// An allocation keeps the parameters that it was made with, and a claim those that it was created
// with: what has to be made anew depends on where they come from.
std::string correct_parameters(const AfterScene& scene, const SubjectClaim* named) {
  const auto& claims = scene.subject.claims;
  const SubjectClaim* claim = named == nullptr && claims.size() == 1 ? &claims.front() : named;
  if (claim == nullptr || !claim->allocated())
    return "Correct the parameters where they are: spec.devices.config of the claim's template, "
           "spec.config of the class; a claim has to be created anew with them. Then delete the "
           "pod.";
  const ParametersFrom from = parameters_of(scene, *claim->claim);
  const std::string pods = name_users(scene, *claim->claim);
  const std::string again = by_hand(scene, *claim->claim);
  const std::string classes = base::join(from.classes, " and of ");
  if (!from.claim)
    return base::format(
        "Correct spec.config of {}, then delete {}: till then the claim keeps its "
        "parameters.{}",
        classes, pods, again);
  const std::string or_class =
      classes.empty() ? "" : base::format(" (spec.config of {} has some, too)", classes);
  if (!claim->pod_group.empty())
    return base::format("Correct template {}{}, then delete pod group {} and its pods.",
                        claim->template_name, or_class, claim->pod_group);
  if (!claim->template_name.empty())
    return base::format("Correct template {}{}, then delete {}: a claim keeps its parameters.{}",
                        claim->template_name, or_class, pods, again);
  if (api::controller_of(claim->claim->meta) != nullptr)
    return base::format(
        "Correct the template of claim {}{}, then delete {}: a claim keeps its "
        "parameters.{}",
        claim->name, or_class, pods, again);
  return base::format(
      "A claim keeps its parameters: delete {} and claim {}, then create the claim "
      "anew with corrected parameters{}.{}",
      pods, claim->name, or_class, again);
}

struct Words {
  std::string message;
  std::string remedy;
  bool at_driver = true;  // there is more to be seen there
};

bool is_about_parameters(std::string_view text) {
  for (const std::string_view sign :
       {"strict decoding", "unknown field", "opaque", "decode config"}) {
    if (base::lower(text).find(sign) != std::string::npos) return true;
  }
  return false;
}

Words words_of(const AfterScene& scene, const KubeletWord& word, std::string_view driver) {
  const std::string who = driver.empty() ? "the driver" : base::format("driver {}", driver);
  switch (word.trouble) {
    case KubeletTrouble::OldClaim:
      return {base::format("an older claim {} is still prepared on the node", word.claim),
              "Wait some minutes for the kubelet to take it back; if it stays, restart the "
              "driver's pod on the node, then the kubelet."};
    case KubeletTrouble::BeingReleased:
      return {base::format("claim {} is still being taken back from another pod", word.claim),
              "Wait; if it stays, look at the driver's log on that node."};
    case KubeletTrouble::CannotFetch:
      return {base::format("the kubelet cannot read claim {}", word.claim),
              "Create the claim if it is gone: delete the pod, so that its owner makes both anew."};
    case KubeletTrouble::FeatureOff:
      return {base::format("the kubelet has switched off what claim {} needs", word.claim),
              "Switch the feature gate that it names on for this kubelet, or use another node."};
    case KubeletTrouble::Unreachable:
      return {base::format("the call of {} failed: {}", who, word.text),
              "Its plugin on that node hangs or is gone: restart its pod there."};
    case KubeletTrouble::NoAnswer:
      return {base::format("{} gave no answer for a claim", who),
              "This is a mistake of the driver: report it."};
    default:
      break;
  }
  if (is_about_parameters(word.text)) {
    return {base::format("{} cannot use the claim's parameters: {}", who, word.text),
            correct_parameters(scene, claim_named(scene, word.claim)), false};
  }
  const std::string what =
      word.claim.empty() ? "the pod's devices" : base::format("claim {}", word.claim);
  return {base::format("{} could not prepare {}: {}", who, what, word.text),
          "Mend what the driver says. The kubelet tries again by itself."};
}

// The kubelet's own troubles are known; of what a driver says its words are all that is known.
std::string what_is_wrong(const AfterScene& scene, const KubeletWord& word) {
  switch (word.trouble) {
    case KubeletTrouble::OldClaim:
      return "old claim";
    case KubeletTrouble::BeingReleased:
      return "being released";
    case KubeletTrouble::CannotFetch:
      return "cannot fetch";
    case KubeletTrouble::FeatureOff:
      return "feature off";
    case KubeletTrouble::Unreachable:
      return "unreachable";
    case KubeletTrouble::NoAnswer:
      return "no answer";
    default:
      return without_names(scene, word.text);
  }
}

void not_prepared(const AfterScene& scene, const api::Event& event, const KubeletWord& word) {
  const SubjectClaim* claim = claim_named(scene, word.claim);
  std::string_view driver = only_driver(claim);
  if (claim == nullptr && scene.subject.claims.size() == 1)
    driver = only_driver(&scene.subject.claims.front());
  Words words = words_of(scene, word, driver);
  AfterFinding& finding = scene.add(Code::PrepareFailed, claim, std::move(words.message));
  finding.reason.certainty = Certainty::Heuristic;
  finding.driver = driver;
  finding.what = what_is_wrong(scene, word);
  finding.facts.push_back(fact_of(event, word));
  finding.remedy = std::move(words.remedy);
  if (words.at_driver && !driver.empty()) add_plugin_facts(scene, finding);
  if (finding.command.empty() && claim != nullptr)
    finding.command = kubectl("dra describe claim", claim->name, claim->namespace_);
}

// That the driver's device is not there, in the words of containerd and CRI-O.
bool lacks_device(const api::ContainerWaiting& waiting) {
  const bool failed = waiting.reason == "CreateContainerError" ||
                      waiting.reason == "RunContainerError" || waiting.reason == "StartError";
  return failed && waiting.message.find("CDI") != std::string_view::npos;
}

void cannot_create(const AfterScene& scene, const api::ContainerStatus& container) {
  const api::ContainerWaiting& waiting = *container.state.waiting;
  AfterFinding& finding = scene.add(
      Code::PrepareFailed, nullptr,
      base::format("container {} cannot be created: its devices are not prepared any more",
                   container.name));
  finding.reason.certainty = Certainty::Heuristic;
  finding.what = "not prepared any more";
  finding.fails = Fails::Start;
  finding.facts.push_back({"container", base::format("{}: {}", waiting.reason, waiting.message)});
  finding.remedy = base::format(
      "This happens when the node was rebooted: what was prepared is gone, and the kubelet does "
      "not know. Delete pod {}: for a new one the devices are prepared anew.{}",
      scene.pod->meta.name, by_hand(*scene.pod));
  finding.command = kubectl("delete pod", scene.pod->meta.name, scene.pod->meta.namespace_);
}

// The allocator knows nothing of health: to it the device is as good as any other.
std::string do_not_get_it_back(const AfterScene& scene) {
  const bool rules = features_of(scene.snapshot.server()).on(Gate::DRADeviceTaintRules);
  return base::format(
      "The driver says so. A new pod may get the same device: first {}, then delete pod {}.{}",
      rules ? "taint the device with a DeviceTaintRule (effect NoSchedule) or cordon the node"
            : "cordon the node",
      scene.pod->meta.name, by_hand(*scene.pod));
}

// The kubelet gets it from the driver, device by device, and tells it of each container.
void look_at_health(const AfterScene& scene, const api::ContainerStatus& container,
                    std::set<std::string_view>& told) {
  for (const api::ResourceStatus& resource : container.resources) {
    if (!resource.name.starts_with("claim:")) continue;
    for (const api::ResourceHealth& health : resource.resources) {
      if (health.health != "Unhealthy" || !told.insert(health.id).second) continue;
      AfterFinding& finding =
          scene.add(Code::DeviceUnhealthy, nullptr,
                    base::format("device {} is unhealthy{}{}", health.id,
                                 health.message.empty() ? "" : ": ", health.message));
      finding.what = "unhealthy " + without_names(scene, health.message);
      finding.fails = scene.started() ? Fails::Run : Fails::Start;
      finding.facts.push_back({"health", base::format("of {} in container {}: Unhealthy",
                                                      resource.name, container.name)});
      finding.remedy = do_not_get_it_back(scene);
      finding.command = kubectl("cordon", scene.pod->spec.node_name, {});
    }
  }
}

}  // namespace

// Once a container runs, the last trouble is overcome.
void look_at_kubelet(const AfterScene& scene) {
  if (scene.started()) return;
  const api::Event* event = newest_warning(scene.snapshot, "Pod", scene.pod->meta, kFailedPrepare);
  if (event == nullptr) return;
  const KubeletWord word = kubelet_word(event->message);
  if (AfterFinding* cause = explained_by(scene, word)) {
    cause->facts.insert(cause->facts.begin(), fact_of(*event, word));
    return;
  }
  switch (word.trouble) {
    case KubeletTrouble::NotRegistered:
      return not_registered(scene, *event, word);
    case KubeletTrouble::NotReserved:
      return;  // the reservations say it, or it was reserved since
    default:
      return not_prepared(scene, *event, word);
  }
}

void look_at_containers(const AfterScene& scene) {
  std::set<std::string_view> told;
  for (const auto* statuses : {&scene.pod->status.init_containers, &scene.pod->status.containers}) {
    for (const api::ContainerStatus& container : *statuses) {
      if (container.state.waiting && lacks_device(*container.state.waiting))
        cannot_create(scene, container);
      look_at_health(scene, container, told);
    }
  }
}

}  // namespace dra::engine

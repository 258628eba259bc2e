// src/engine/running/after_scheduling_kubelet.cpp: findings from messages of the kubelet and the
// container runtime: about a pod that does not start, or the devices of one that runs. Sources of
// after_scheduling.h.

#include <algorithm>

#include "dra/api/device_class.h"
#include "dra/base/log_line.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/allocated_device.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/facts/known_bugs.h"
#include "dra/engine/running/kubelet_words.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

using diag::Certainty;
using diag::Code;

constexpr std::string_view kNoAnswerInTime = "DeadlineExceeded";  // of gRPC

diag::Fact fact_of(const api::Event& event, const KubeletWord& word) {
  const std::int64_t times = times_seen(event);
  return {"kubelet", times > 1 ? base::format("{} ({} times)", word.text, times) : word.text,
          event.last_seen()};
}

const SubjectClaim* claim_named(const AfterScene& scene, std::string_view name) {
  const auto& claims = scene.subject.claims;
  const auto found = std::ranges::find(claims, name, &SubjectClaim::name);
  return found == claims.end() || name.empty() ? nullptr : &*found;
}

// The driver of the allocated device that the text names, if it names devices of one driver.
std::string_view driver_of_named_device(const AfterScene& scene, std::string_view text) {
  std::string_view driver;
  for (const SubjectClaim& claim : scene.subject.claims) {
    if (!claim.allocated()) continue;
    for (const auto& result : claim.claim->status.allocation->devices.results) {
      if (!contains_name(text, result.device)) continue;
      if (!driver.empty() && driver != result.driver) return {};
      driver = result.driver;
    }
  }
  return driver;
}

// An earlier finding that explains the kubelet's message about the claim, which then becomes a fact
// of that finding.
AfterFinding* explained_by(const AfterScene& scene, const KubeletWord& word) {
  if (word.trouble != KubeletTrouble::Refused && word.trouble != KubeletTrouble::Other)
    return nullptr;
  const SubjectClaim* claim = claim_named(scene, word.claim);
  const auto found = std::ranges::find_if(scene.findings, [claim](const AfterFinding& other) {
    return other.fails == Fails::Prepare && claim != nullptr && is_about(other, *claim);
  });
  return found == scene.findings.end() ? nullptr : &*found;
}

// A driver whose plugin runs on the node, and which the kubelet does not know.
void look_for_lost_connection(const AfterScene& scene, AfterFinding& found) {
  if (found.repair.command != Command::ReadLogs || !has_ready_plugin(scene, found)) return;
  std::string bug = kubelet_bug(scene, Bug::IdleConnection);
  if (bug.empty()) return;
  found.finding.evidence.push_back({"bug", std::move(bug)});
  found.repair.action = Action::RestartKubelet;
}

// All its containers have run since before the event.
bool ran_before(const api::Pod& pod, const api::Event& event) {
  return std::ranges::all_of(pod.status.containers, [&event](const api::ContainerStatus& one) {
    const auto& running = one.state.running;
    return running && running->started && event.last_seen() &&
           *running->started < *event.last_seen();
  });
}

// "crashes (15 restarts): failed parsing file a.json", with the first line that it said; "is
// ImagePullBackOff: ..." of a pod that does not crash.
std::string how_it_fails(const api::Pod& pod) {
  for (const auto* statuses : {&pod.status.init_containers, &pod.status.containers}) {
    for (const api::ContainerStatus& one : *statuses) {
      if (!is_crash_looping(one)) continue;
      std::string words = base::format("crashes ({})", base::plural(one.restarts, "restart"));
      const auto& last = one.last.terminated;
      if (last && !last->reason.empty() && last->reason != "Error")
        words += base::format(", {} (exit code {})", last->reason, last->exit_code);
      if (!last || last->message.empty()) return words;
      const std::string_view said = last->message;
      return base::format("{}: {}", words, base::plain_log(said.substr(0, said.find('\n'))));
    }
  }
  return base::format("is {}", trouble_in_words(pod));
}

// What the driver's pod on the node has to do with it.
void look_at_plugin(const AfterScene& scene, const api::Event& event, bool publishes,
                    AfterFinding& found) {
  const api::Pod* pod = plugin_on(scene, found.node, found.driver);
  if (pod == nullptr) return look_for_waiting_plugin(scene, found);
  std::string& message = found.finding.message;
  if (!api::is_true(pod->status.conditions, "Ready")) {
    found.repair.claim = own_claim_of_plugin(scene, *pod, found.driver);
    message +=
        found.repair.claim.empty()
            ? base::format(": its pod there {}", how_it_fails(*pod))
            : std::string(": its pod there waits for devices that only this driver prepares");
    return;
  }
  if (!publishes || !ran_before(*pod, event)) return;
  message = base::format("driver {} runs on node {}, and the kubelet does not know it",
                         found.driver, found.node);
  if (found.repair.action != Action::ReadPluginLog) return;
  found.repair.action = Action::RegisterAgain;
  found.repair.command = Command::DeletePod;
}

void not_registered(const AfterScene& scene, const api::Event& event, const KubeletWord& word) {
  const std::string node(scene.pod->spec.node_name);
  AfterFinding& found =
      scene.add(Code::DriverNotRegistered, claim_named(scene, word.claim),
                base::format("driver {} is not registered on node {}", word.driver, node));
  found.finding.certainty = Certainty::Heuristic;
  found.driver = word.driver;
  found.finding.evidence.push_back(fact_of(event, word));
  const bool publishes = publishes_on(scene.inventory, word.driver, node);
  if (scene.snapshot.coverage().saw(api::Kind::Slice)) {
    found.finding.evidence.push_back(
        {"slices", publishes ? "the driver's slices for this node are still there"
                             : "the driver publishes none for this node"});
  }
  add_node_fact(scene, found);
  add_plugin_facts(scene, found);
  const bool has_log =
      found.repair.command == Command::ReadLogs || found.repair.command == Command::ReadLogsOfCrash;
  found.repair.action = has_log                                        ? Action::ReadPluginLog
                        : found.repair.command == Command::DescribePod ? Action::MendPlugin
                                                                       : Action::StartPlugin;
  look_for_lost_connection(scene, found);
  look_at_plugin(scene, event, publishes, found);
  // Devices that are no longer published have the same cause.
  if (publishes) return;
  const std::string driver = word.driver;
  std::erase_if(scene.findings, [&driver](const AfterFinding& other) {
    return other.finding.code == Code::DeviceGone && other.driver == driver;
  });
}

// The origin of the parameters that a driver got with an allocation.
struct ParametersFrom {
  bool claim = false;
  std::vector<std::string> classes = {};
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
      if (std::ranges::find(from.classes, used->meta.name) == from.classes.end())
        from.classes.emplace_back(used->meta.name);
    }
  }
  if (from.classes.empty()) from.classes.emplace_back();  // it is not there any more
  return from;
}

// An allocation keeps the parameters of its time, and a claim those that it was created with. Their
// origin decides which objects must be created again.
Repair correct_parameters(const AfterScene& scene, const SubjectClaim* named) {
  const auto& claims = scene.subject.claims;
  const SubjectClaim* claim = named == nullptr && claims.size() == 1 ? &claims.front() : named;
  if (claim == nullptr || !claim->allocated()) return {.action = Action::CorrectParameters};
  ParametersFrom from = parameters_of(scene, *claim->claim);
  const bool of_template = !claim->pod_group.empty() || !claim->template_name.empty() ||
                           api::controller_of(claim->claim->meta) != nullptr;
  Repair repair{.action = !from.claim   ? Action::CorrectClass
                          : of_template ? Action::CorrectTemplate
                                        : Action::RecreateClaim,
                .claim = claim->name,
                .template_name = std::string(claim->template_name),
                .pod_group = std::string(claim->pod_group),
                .classes = std::move(from.classes)};
  add_users(scene, *claim->claim, repair);
  return repair;
}

struct NotPrepared {
  std::string message;
  Repair repair;
  bool at_driver = true;  // look at the driver for more
};

// The API server does not return the claim to the kubelet, so the driver is not called. The node
// authorizer's words: k8s.io/kubernetes/plugin/pkg/auth/authorizer/node.
NotPrepared cannot_fetch(const AfterScene& scene, const KubeletWord& word) {
  const SubjectClaim* claim = claim_named(scene, word.claim);
  const bool exists = claim != nullptr && claim->claim != nullptr;
  if (word.text.find("could not find the requested resource") != std::string::npos) {
    const auto* node = scene.snapshot.find<api::Node>(scene.pod->spec.node_name);
    const std::string version =
        node == nullptr ? "" : base::format(" ({})", node->status.info.kubelet_version);
    return {
        base::format("the kubelet{} asks for claims in a version of the API that the server does "
                     "not serve",
                     version),
        {.action = Action::UpgradeKubelet,
         .command = Command::DescribeNode,
         .object = {"Node", {}, std::string(scene.pod->spec.node_name)}},
        false};
  }
  NotPrepared trouble{base::format("the kubelet cannot read claim {}", word.claim), {}, false};
  if (const std::size_t why = word.text.rfind(": "); why != std::string::npos && exists)
    trouble.message += base::format(", which exists: {}", word.text.substr(why + 2));
  if (exists) trouble.repair = delete_pod(*scene.pod);
  trouble.repair.action = exists ? Action::LetKubeletRead : Action::RecreateIfGone;
  return trouble;
}

Repair at_kubelet(const AfterScene& scene, Action action) {
  return {.action = action,
          .command = Command::DescribeNode,
          .object = {"Node", {}, std::string(scene.pod->spec.node_name)}};
}

// A disk is full, or its quota is exhausted: the words of Linux for ENOSPC and EDQUOT.
bool is_about_room(std::string_view text) {
  return text.find("no space left on device") != std::string_view::npos ||
         text.find("disk quota exceeded") != std::string_view::npos;
}

NotPrepared cannot_save(const AfterScene& scene, const KubeletWord& word) {
  const std::size_t why = word.text.find(": ");
  return {base::format("the kubelet cannot save its state: {}",
                       word.text.substr(why == std::string::npos ? 0 : why + 2)),
          at_kubelet(scene, is_about_room(word.text) ? Action::FreeDisk : Action::LetKubeletWrite),
          false};
}

// A new pod gets claims of its own.
Repair renewed_claims(const AfterScene& scene) {
  Repair repair = delete_pod(*scene.pod);
  repair.action = Action::DeletePodForNewClaims;
  return repair;
}

NotPrepared trouble_of(const AfterScene& scene, const KubeletWord& word, std::string_view driver) {
  const std::string who = driver.empty() ? "the driver" : base::format("driver {}", driver);
  const auto with = [](std::string message, Action action) {
    return NotPrepared{std::move(message), {.action = action}};
  };
  switch (word.trouble) {
    case KubeletTrouble::OldClaim:
      return with(base::format("an older claim {} is still prepared on the node", word.claim),
                  Action::AwaitUnprepare);
    case KubeletTrouble::BeingReleased:
      return with(base::format("claim {} is still being taken back from another pod", word.claim),
                  Action::AwaitRelease);
    case KubeletTrouble::CannotFetch:
      return cannot_fetch(scene, word);
    case KubeletTrouble::FeatureOff:
      return with(base::format("the kubelet has switched off what claim {} needs", word.claim),
                  Action::SwitchFeatureGateOn);
    case KubeletTrouble::Unreachable:
      if (word.text.find(kNoAnswerInTime) != std::string::npos)
        return with(base::format("{} did not answer in time ({})", who, kNoAnswerInTime),
                    Action::FindHang);
      return with(base::format("the call of {} failed: {}", who, word.text), Action::RestartPlugin);
    case KubeletTrouble::NoAnswer:
      return with({}, Action::ReadLogOfSkipped);  // look_at_skipped
    case KubeletTrouble::OtherAnswer:
      return with(base::format("{} answered for a claim that it was not asked for", who),
                  Action::ReportToDriver);
    case KubeletTrouble::NotOwned:
      return {base::format("claim {} was created for another pod", word.claim),
              renewed_claims(scene), false};
    case KubeletTrouble::Checkpoint:
      return cannot_save(scene, word);
    default:
      break;
  }
  if (is_about_parameters(word.text)) {
    const SubjectClaim* claim = claim_named(scene, word.claim);
    Repair repair = correct_parameters(scene, claim);
    if (std::string words = domain_elsewhere(scene, claim, repair); !words.empty())
      return {std::move(words), std::move(repair), false};
    return {refuses_configuration(claim, repair, driver, word.text), std::move(repair), false};
  }
  const std::string what =
      word.claim.empty() ? "the pod's devices" : base::format("claim {}", word.claim);
  if (word.trouble == KubeletTrouble::Other)
    return {base::format("the kubelet could not prepare {}: {}", what, word.text),
            at_kubelet(scene, Action::ReadKubeletLog), false};
  return with(base::format("{} could not prepare {}: {}", who, what, word.text),
              Action::FixDriverError);
}

// The kubelet's own messages are known; a driver's message is only quoted.
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
    case KubeletTrouble::OtherAnswer:
      return "other answer";
    case KubeletTrouble::NotOwned:
      return "not owned";
    case KubeletTrouble::Checkpoint:
      return "checkpoint";
    default:
      return without_names(scene, word.text);
  }
}

bool is_of_kubelet(Action action) {
  return action == Action::FreeDisk || action == Action::LetKubeletWrite ||
         action == Action::ReadKubeletLog;
}

void not_prepared(const AfterScene& scene, const api::Event& event, const KubeletWord& word) {
  const SubjectClaim* claim = claim_named(scene, word.claim);
  std::string_view driver = only_driver(claim);
  if (claim == nullptr && scene.subject.claims.size() == 1)
    driver = only_driver(&scene.subject.claims.front());
  if (driver.empty()) driver = driver_of_named_device(scene, word.text);
  NotPrepared trouble = trouble_of(scene, word, driver);
  AfterFinding& found = scene.add(Code::PrepareFailed, claim, std::move(trouble.message));
  found.finding.certainty = Certainty::Heuristic;
  if (!is_of_kubelet(trouble.repair.action)) found.driver = driver;
  found.what = what_is_wrong(scene, word);
  found.finding.evidence.push_back(fact_of(event, word));
  found.repair = std::move(trouble.repair);
  if (scene.started() && found.repair.action == Action::FixDriverError) {
    found.repair = delete_pod(*scene.pod);
    found.repair.action = Action::RecreatePodAfterReboot;
    trouble.at_driver = false;
  }
  if (trouble.at_driver && lacks_permission(word.text, found)) return;
  if (found.repair.action == Action::FixDriverError && claim != nullptr &&
      takes_others_device(scene, *claim, word.text, found))
    return found.driver.empty() ? void() : add_plugin_facts(scene, found);
  if (trouble.at_driver && !driver.empty()) add_plugin_facts(scene, found);
  if (word.trouble == KubeletTrouble::NoAnswer) return look_at_skipped(scene, found);
  if (found.repair.action == Action::FixDriverError) look_for_helper(scene, found);
  const SubjectClaim* about =
      claim == nullptr && scene.subject.claims.size() == 1 ? &scene.subject.claims.front() : claim;
  if (about != nullptr) look_for_domain(scene, *about, found);
  if (found.repair.action == Action::FixDriverError && about != nullptr)
    compare_with_others(scene, *about, word.text, found);
  if (found.repair.command == Command::None && claim != nullptr) {
    found.repair.command = Command::Describe;
    found.repair.object = {"ResourceClaim", claim->namespace_, claim->name};
  }
}

bool are_unseen(const AfterScene& scene) {
  return std::ranges::any_of(scene.subject.claims, [](const SubjectClaim& claim) {
    return claim.state == ClaimState::Unknown;
  });
}

// The claims cannot be read, so the kubelet's word is all that is known.
void not_allowed(const AfterScene& scene, const api::Event& event, const KubeletWord& word) {
  const SubjectClaim* claim = claim_named(scene, word.claim);
  AfterFinding& found = scene.add(Code::NotReserved, claim, std::string(word.text));
  found.finding.certainty = Certainty::Heuristic;
  found.what = what_is_wrong(scene, word);
  found.finding.evidence.push_back(fact_of(event, word));
  found.repair = {.action = Action::AwaitReservation,
                  .claim = word.claim,
                  .pods = {std::string(scene.pod->meta.name)},
                  .command = Command::ShowControllerLease};
}

// Whether all containers have ended, none of them after the event.
bool came_after_the_end(const api::Event& event, const api::Pod& pod) {
  const auto& statuses = pod.status.containers;
  return !statuses.empty() &&
         std::ranges::all_of(statuses, [&event](const api::ContainerStatus& one) {
           const auto& ended = one.state.terminated ? one.state.terminated : one.last.terminated;
           return !one.state.running && ended && ended->finished && event.last_seen() &&
                  *ended->finished <= *event.last_seen();
         });
}

}  // namespace

const api::Pod* plugin_on(const AfterScene& scene, std::string_view node, std::string_view driver) {
  const api::Pod* here = nullptr;
  for (const api::Pod& pod : scene.snapshot.all<api::Pod>()) {
    if (pod.finished() || pod.spec.node_name != node || !runs_plugin_of(pod, driver)) continue;
    if (here == nullptr || !api::is_true(pod.status.conditions, "Ready")) here = &pod;
  }
  return here;
}

std::string_view only_driver(const SubjectClaim* claim) {
  if (claim == nullptr || !claim->allocated()) return {};
  const auto& results = claim->claim->status.allocation->devices.results;
  const bool same = !results.empty() && std::ranges::all_of(results, [&](const auto& result) {
    return result.driver == results.front().driver;
  });
  return same ? results.front().driver : std::string_view();
}

std::string kubelet_bug(const AfterScene& scene, Bug bug) {
  const auto* node = scene.snapshot.find<api::Node>(scene.pod->spec.node_name);
  return node == nullptr ? std::string() : words_of(bug, node->status.info.kubelet_version);
}

// Messages from before a container ran no longer count; of a pod whose containers have all ended
// since, as after a reboot of the node, those that came later do.
void look_at_kubelet(const AfterScene& scene) {
  const api::Event* event = newest_warning(scene.snapshot, "Pod", scene.pod->meta, kFailedPrepare);
  if (event == nullptr || (scene.started() && !came_after_the_end(*event, *scene.pod))) return;
  const KubeletWord word = kubelet_word(event->message);
  if (AfterFinding* cause = explained_by(scene, word)) {
    auto& evidence = cause->finding.evidence;
    evidence.insert(evidence.begin(), fact_of(*event, word));
    return;
  }
  switch (word.trouble) {
    case KubeletTrouble::NotRegistered:
      return not_registered(scene, *event, word);
    case KubeletTrouble::NotReserved:  // claims that are visible tell, or it is no longer so
      return are_unseen(scene) ? not_allowed(scene, *event, word) : void();
    case KubeletTrouble::NotCreated:  // the pod's status tells, or it is no longer so
      return;
    default:
      return not_prepared(scene, *event, word);
  }
}

}  // namespace dra::engine

// src/engine/running/after_scheduling_devices.cpp: findings about allocated devices that are gone,
// tainted, not attached, not ready or unhealthy. Sources of after_scheduling.h.

#include <algorithm>
#include <map>

#include "dra/api/taint_rule.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/allocated_device.h"
#include "dra/engine/cluster/events.h"
#include "dra/engine/cluster/held_twice.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/features.h"
#include "dra/engine/facts/known_bugs.h"
#include "dra/engine/running/eviction.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

using api::AllocationResultItem;
using diag::Code;

// The scheduler's default, which its configuration may change. Upstream:
// k8s.io/kubernetes/pkg/scheduler/apis/config, DynamicResourcesBindingTimeoutDefault.
constexpr std::int64_t kBindingTimeout = 600;  // seconds
constexpr std::size_t kNamedUsers = 2;

using ByDriver = std::map<std::string_view, std::vector<const AllocationResultItem*>>;

void set_devices(AfterFinding& found, const std::vector<const AllocationResultItem*>& results) {
  found.driver = results.front()->driver;
  found.devices = static_cast<std::int64_t>(results.size());
  for (const AllocationResultItem* result : results)
    found.examples.push_back(to_string(id_of(*result)));
}

std::vector<std::string> names_of(const std::vector<const AllocationResultItem*>& results) {
  std::vector<std::string> names;
  names.reserve(results.size());
  for (const AllocationResultItem* result : results)
    names.emplace_back(result->device);
  return names;
}

std::string name_results(const std::vector<const AllocationResultItem*>& results) {
  return name_devices(names_of(results));
}

void describe_device(const AllocationResultItem& result, Repair& repair) {
  repair.command = Command::Describe;
  repair.object = {"Device", {}, to_string(id_of(result))};
}

bool is_node_gone(const AfterScene& scene, std::string_view node) {
  return !node.empty() && scene.snapshot.coverage().saw(api::Kind::Node) &&
         scene.snapshot.find<api::Node>(node) == nullptr;
}

// All pods that have reserved the claim are being deleted. False: none has.
bool all_deleted(const AfterScene& scene, const api::ResourceClaim& claim) {
  const auto& consumers = claim.status.reserved_for;
  return !consumers.empty() && std::ranges::all_of(consumers, [&](const api::Consumer& consumer) {
    const api::Pod* pod = consuming_pod(scene.snapshot, claim.meta.namespace_, consumer);
    return pod != nullptr && pod->meta.deleted;
  });
}

void add_gone(const AfterScene& scene, const SubjectClaim& claim,
              const std::vector<const AllocationResultItem*>& gone) {
  const AllocationResultItem& first = *gone.front();
  AfterFinding& found = scene.add(
      Code::DeviceGone, &claim,
      base::format("driver {} does not publish {} any more", first.driver, name_results(gone)));
  set_devices(found, gone);
  found.fails = scene.started() ? Fails::Run : Fails::Prepare;
  found.repair.claim = claim.claim->meta.name;
  found.repair.devices = names_of(gone);
  add_users(scene, *claim.claim, found.repair);
  if (all_deleted(scene, *claim.claim)) {
    found.finding.evidence.push_back({"pods", "all that use it are being deleted already"});
    add_node_fact(scene, found);
    found.repair.action = Action::AwaitDeletion;
    found.repair.command = Command::ExplainPod;
    found.repair.object = {"Pod", std::string(claim.claim->meta.namespace_),
                           found.repair.pods.front()};
    return;
  }
  const Pool* pool = scene.inventory.find_pool(first.driver, first.pool);
  if (pool != nullptr) {
    found.finding.evidence.push_back(
        {"slices",
         base::format("pool {} has {} now", first.pool,
                      base::plural(static_cast<std::int64_t>(pool->devices.size()), "device"))});
    found.repair.action = Action::DeletePodsForOthers;
    if (found.repair.pods.size() == 1) {
      found.repair.command = Command::DeletePod;
      found.repair.object = {"Pod", std::string(claim.claim->meta.namespace_),
                             found.repair.pods.front()};
    } else {
      found.repair.command = Command::Describe;
      found.repair.object = {"Pool", {}, base::format("{}/{}", first.driver, first.pool)};
    }
    add_node_fact(scene, found);
    return;
  }
  found.finding.evidence.push_back(
      {"slices", base::format("none of pool {} is there any more", first.pool)});
  add_node_fact(scene, found);
  if (is_node_gone(scene, found.node)) {
    found.repair.action = Action::DeletePodsForOthers;
    return;
  }
  add_plugin_facts(scene, found);
  found.repair.action = Action::BringDriverBack;
}

// Reports the first taint that evicts, with its time.
void look_at_taints(const AfterScene& scene, const SubjectClaim& claim,
                    const AllocationResultItem& result) {
  static const api::Device unpublished;  // rules select it all the same
  const PoolDevice* published = scene.inventory.find(id_of(result));
  const api::Device& device = published == nullptr ? unpublished : *published->device;
  const auto taints = scene.inventory.taints().blocking(id_of(result), device);
  const auto eviction = eviction_for(result, taints);
  if (!eviction) return;
  const api::DeviceTaint& taint = *eviction->cause.taint;
  const std::string text = describe_taint(taint.key, taint.value, taint.effect);
  const bool unseen = scene.pod != nullptr && is_unseen_by_eviction(*scene.pod, *claim.claim);
  AfterFinding& found = scene.add(
      Code::DeviceUnhealthy, &claim,
      base::format("device {} has taint {}: {}", result.device, text,
                   unseen ? "the pod is not evicted, as it has the device by an extended resource"
                   : is_overdue(eviction->at, scene.snapshot)
                       ? "pods that have it should have been evicted"
                       : "pods that have it are evicted"));
  set_devices(found, {&result});
  found.what = text;
  found.title = "device has a taint that evicts pods";
  found.fails = Fails::Run;
  const api::DeviceTaintRule* rule = eviction->cause.rule;
  found.finding.evidence.push_back(
      {"taint",
       rule == nullptr ? base::format("{}, set by driver {}", text, result.driver)
                       : base::format("{}, set by taint rule {}", text, rule->meta.name),
       taint.added});
  if (unseen) {
    found.finding.evidence.push_back(
        {"eviction", "the controller looks at spec.resourceClaims, where this claim is not"});
    std::string bug = words_of(Bug::ExtendedResourceStays, scene.snapshot.server());
    if (!bug.empty()) found.finding.evidence.push_back({"bug", std::move(bug)});
    found.repair = delete_pod(*scene.pod);
    found.repair.action = Action::DeleteUnevictedPod;
    return;
  }
  if (is_overdue(eviction->at, scene.snapshot)) {
    found.finding.evidence.push_back(
        {"eviction", "due; the device taint eviction controller does not act", eviction->at});
  } else if (eviction->at) {
    found.finding.evidence.push_back({"eviction", "the pods are evicted", eviction->at});
  }
  if (request_tolerates(*claim.claim, result, taint)) {
    found.finding.evidence.push_back(
        {"toleration", "the request has one that the allocation does not list"});
    std::string bug = words_of(Bug::TolerationLost, scene.snapshot.server());
    if (!bug.empty()) found.finding.evidence.push_back({"bug", std::move(bug)});
  }
  if (rule == nullptr) {
    found.repair.action = Action::RepairDevice;
    describe_device(result, found.repair);
  } else {
    found.repair.action = Action::DeleteTaintRule;
    found.repair.command = Command::DeleteTaintRule;
    found.repair.object = {"DeviceTaintRule", {}, std::string(rule->meta.name)};
  }
}

// Ready=False before the pod has started is a failure to prepare, later a failure of the device.
void look_at_ready(const AfterScene& scene, const SubjectClaim& claim,
                   const AllocationResultItem& result) {
  const api::DeviceStatus* status = status_of(*claim.claim, result);
  if (status == nullptr) return;
  const api::Condition* ready = api::condition_of(status->conditions, "Ready");
  if (ready == nullptr || ready->status != "False") return;
  const bool started =
      scene.pod != nullptr ? scene.started() : runs_with(scene.snapshot, *claim.claim);
  AfterFinding& found =
      scene.add(started ? Code::DeviceUnhealthy : Code::PrepareFailed, &claim,
                base::format("device {} is not ready: {}", result.device, words_of(*ready)));
  set_devices(found, {&result});
  found.what =
      ready->reason.empty() ? without_names(scene, ready->message) : std::string(ready->reason);
  found.fails = started ? Fails::Run : Fails::Prepare;
  for (const api::Condition& condition : status->conditions) {
    if (condition.status == "True") continue;
    found.finding.evidence.push_back(
        {"condition",
         base::format("{} is {}: {}", condition.type, condition.status, words_of(condition)),
         condition.changed});
  }
  found.repair.action = Action::ActOnCondition;
  found.repair.devices = names_of({&result});
  add_plugin_facts(scene, found);
  if (found.repair.command == Command::None) describe_device(result, found.repair);
}

// The devices of one driver for which the scheduler waits.
struct Binding {
  std::vector<const AllocationResultItem*> results;
  std::vector<std::string> missing;  // types of missing conditions, each once
  const api::Condition* failed = nullptr;
  std::string said;  // about the first condition that is missing and explains itself
  std::vector<diag::Fact> facts;
};

void add_condition_fact(const AllocationResultItem& result, const api::Condition& condition,
                        Binding& binding) {
  binding.facts.push_back(
      {"condition",
       base::format("{} of device {} is {}{}{}", condition.type, result.device, condition.status,
                    words_of(condition).empty() ? "" : ": ", words_of(condition)),
       condition.changed});
}

void look_at_conditions(const api::ResourceClaim& claim, const AllocationResultItem& result,
                        Binding& binding) {
  if (result.binding_conditions.empty())
    return;  // the scheduler looks for failure conditions only beside these
  const api::DeviceStatus* status = status_of(claim, result);
  const auto condition = [status](std::string_view type) {
    return status == nullptr ? nullptr : api::condition_of(status->conditions, type);
  };
  bool waits = false;
  for (const std::string_view type : result.binding_failure_conditions) {
    const api::Condition* failed = condition(type);
    if (failed == nullptr || failed->status != "True") continue;
    waits = true;
    if (binding.failed == nullptr) binding.failed = failed;
    add_condition_fact(result, *failed, binding);
  }
  for (const std::string_view type : result.binding_conditions) {
    const api::Condition* met = condition(type);
    if (met != nullptr && met->status == "True") continue;
    waits = true;
    if (std::ranges::find(binding.missing, type) == binding.missing.end())
      binding.missing.emplace_back(type);
    if (met == nullptr) continue;
    if (binding.said.empty()) binding.said = words_of(*met);
    add_condition_fact(result, *met, binding);
  }
  if (waits) binding.results.push_back(&result);
}

// The newest event in which the scheduler gives up on attaching the pod's devices. Upstream:
// dynamicresources, ErrDeviceBindingTimeout and ErrDeviceBindingFailed. nullptr: there is none.
const api::Event* given_up(const AfterScene& scene) {
  if (scene.pod == nullptr) return nullptr;
  const api::Event* event =
      newest_warning(scene.snapshot, "Pod", scene.pod->meta, "FailedScheduling");
  const bool binding =
      event != nullptr && event->message.find("device binding ") != std::string_view::npos;
  return binding ? event : nullptr;
}

std::string message_of(const Binding& binding, std::string_view driver, bool late) {
  const std::string devices = name_results(binding.results);
  const std::string missing = base::join(binding.missing, ", ");
  if (binding.failed != nullptr) {
    const std::string words = words_of(*binding.failed);
    return base::format("driver {} could not attach {}: {}{}", driver, devices,
                        binding.failed->type, words.empty() ? "" : ", " + words);
  }
  std::string message =
      late ? base::format("driver {} has not set {} of {} in time", driver, missing, devices)
           : base::format("{} {} for driver {} to set {}", devices,
                          binding.results.size() == 1 ? "waits" : "wait", driver, missing);
  return binding.said.empty() ? message : base::format("{}: {}", message, binding.said);
}

void add_binding(const AfterScene& scene, const SubjectClaim& claim, std::string_view driver,
                 Binding binding) {
  const bool failed = binding.failed != nullptr;
  const api::Event* event = given_up(scene);
  api::Time until = claim.claim->status.allocation->at;
  if (until) until->seconds += kBindingTimeout;
  const bool over = until && scene.snapshot.now() && *until < *scene.snapshot.now();
  const bool late = failed || event != nullptr || over;
  AfterFinding& found = scene.add(late ? Code::BindingLate : Code::BindingPending, &claim,
                                  message_of(binding, driver, late));
  set_devices(found, binding.results);
  found.fails = Fails::Bind;
  found.finding.evidence = std::move(binding.facts);
  const std::string missing = base::join(binding.missing, ", ");
  found.what = failed ? std::string(binding.failed->type) : missing;
  if (late)
    found.title = failed ? "driver failed to attach devices" : "devices were not attached in time";
  if (found.finding.evidence.empty())
    found.finding.evidence.push_back({"condition", base::format("not set yet: {}", missing)});
  if (event != nullptr) {
    found.finding.evidence.push_back(
        {"scheduler",
         base::format("has given up {}: {}", base::plural(times_seen(*event), "time"),
                      event->message),
         event->last_seen()});
  }
  if (until && !failed)
    found.finding.evidence.push_back(
        {over ? "timeout" : "waits until",
         over ? "the usual 10m since the devices were chosen are over"
              : "the end of the usual 10m since the devices were chosen",
         until});
  found.repair = {
      .action = failed ? Action::AwaitOtherAllocation
                : late ? Action::MendConditions
                       : Action::AwaitConditions,
      .claim = std::string(claim.claim->meta.name),
      .conditions = std::move(binding.missing),
      .command = Command::Describe,
      .object = {"ResourceClaim", claim.namespace_, std::string(claim.claim->meta.name)}};
}

void add_held_twice(const AfterScene& scene, const SubjectClaim& claim, const Holding& own,
                    const Holding& other, std::string_view why) {
  const std::vector<std::string> pods = pods_of(*other.claim);
  const std::string who =
      pods.empty()
          ? base::format("claim {}/{}", other.claim->meta.namespace_, other.claim->meta.name)
          : base::format("pod {}", base::join_first(pods, kNamedUsers));
  AfterFinding& found =
      scene.add(Code::HardwareHeldTwice, &claim,
                base::format("its device {} is the same hardware as {}, which {} has: {}",
                             own.id.device, other.id.device, who, why));
  set_devices(found, {own.result});
  found.fails = scene.started() ? Fails::Run : Fails::Prepare;
  found.what = "held twice";
  found.repair = {
      .action = Action::EndOneUser, .claim = who, .devices = {std::string(own.id.device)}};
  describe_device(*own.result, found.repair);
}

}  // namespace

bool request_tolerates(const api::ResourceClaim& claim, const api::AllocationResultItem& result,
                       const api::DeviceTaint& taint) {
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    for (const api::NamedDemand& named : api::demands_of(request)) {
      if (named.name != result.request) continue;
      return std::ranges::any_of(named.demand->tolerations,
                                 [&taint](const api::Toleration& toleration) {
                                   return !toleration.seconds && tolerates(toleration, taint);
                                 });
    }
  }
  return false;
}

// The device is allocated to another claim as well.
void look_at_other_holders(const AfterScene& scene, const SubjectClaim& claim,
                           const AllocationResultItem& result) {
  const Holders holders = scene.inventory.usage().holders(id_of(result));
  if (!is_held_twice(holders)) return;
  const auto other = std::ranges::find_if(
      holders, [&claim](const Holding& one) { return !one.admin() && one.claim != claim.claim; });
  if (other == holders.end()) return;
  const std::vector<std::string> pods = pods_of(*other->claim);
  const std::string who = pods.empty()
                              ? base::format("claim {}", other->claim->meta.name)
                              : base::format("pod {}", base::join_first(pods, kNamedUsers));
  AfterFinding& found =
      scene.add(Code::DoubleAllocation, &claim,
                base::format("its device {} is allocated to {}, too", result.device, who));
  set_devices(found, {&result});
  found.fails = scene.started() ? Fails::Run : Fails::Prepare;
  found.what = "allocated twice";
  std::string bug = words_of(Bug::DeviceAllocatedTwice, scene.snapshot.server());
  if (!bug.empty()) found.finding.evidence.push_back({"bug", std::move(bug)});
  if (!scene.started() && scene.pod != nullptr) {
    found.repair = delete_pod(*scene.pod);
    found.repair.action = Action::GiveWay;
    return;
  }
  found.repair = {.action = Action::EndOneUser, .claim = who, .devices = {}};
  describe_device(result, found.repair);
}

void look_at_hardware(const AfterScene& scene) {
  for (const SubjectClaim& claim : scene.subject.claims) {
    if (!claim.allocated()) continue;
    for (const AllocationResultItem& result : claim.claim->status.allocation->devices.results)
      look_at_other_holders(scene, claim, result);
  }
  const bool holds = std::ranges::any_of(scene.subject.claims, &SubjectClaim::allocated);
  if (!holds) return;
  for (const HeldTwice& twice : held_twice(scene.inventory)) {
    for (const SubjectClaim& claim : scene.subject.claims) {
      if (!claim.allocated()) continue;
      if (twice.one->claim == claim.claim)
        add_held_twice(scene, claim, *twice.one, *twice.other, twice.why);
      else if (twice.other->claim == claim.claim)
        add_held_twice(scene, claim, *twice.other, *twice.one, twice.why);
    }
  }
}

void look_at_devices(const AfterScene& scene, const SubjectClaim& claim) {
  const auto& results = claim.claim->status.allocation->devices.results;
  if (scene.snapshot.coverage().saw(api::Kind::Slice)) {
    ByDriver gone;
    for (const AllocationResultItem& result : results) {
      if (is_gone(scene.inventory, id_of(result))) gone[result.driver].push_back(&result);
    }
    for (const auto& [driver, devices] : gone)
      add_gone(scene, claim, devices);
  }
  for (const AllocationResultItem& result : results) {
    look_at_taints(scene, claim, result);
    look_at_ready(scene, claim, result);
  }
}

// Binding conditions do not matter once the pod has a node.
void look_at_binding(const AfterScene& scene, const SubjectClaim& claim) {
  const Features features = features_of(scene.snapshot.server());
  if (!features.on(Gate::DRADeviceBindingConditions) ||
      !features.on(Gate::DRAResourceClaimDeviceStatus))
    return;
  std::map<std::string_view, Binding> drivers;
  for (const AllocationResultItem& result : claim.claim->status.allocation->devices.results)
    look_at_conditions(*claim.claim, result, drivers[result.driver]);
  for (auto& [driver, binding] : drivers) {
    if (!binding.results.empty()) add_binding(scene, claim, driver, std::move(binding));
  }
}

}  // namespace dra::engine

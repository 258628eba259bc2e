// src/answers/problems/problems_claims.cpp: finds claims that are stuck, and allocations that
// cannot be right.

#include <algorithm>
#include <map>
#include <set>

#include "dra/api/subject.h"
#include "dra/api/words.h"
#include "dra/base/ages.h"
#include "dra/base/prose.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/diag/subject.h"
#include "dra/engine/cluster/allocated_device.h"
#include "dra/engine/cluster/held_twice.h"
#include "dra/engine/cluster/holder_state.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/cluster/subjects.h"
#include "dra/engine/facts/known_bugs.h"
#include "dra/engine/facts/node_match.h"
#include "dra/engine/running/after_scheduling.h"
#include "dra/engine/scheduler/pod_claims.h"
#include "src/answers/problems/families.h"

namespace dra::answers {
namespace {

using diag::Code;

constexpr std::size_t kMaxConsumers = 2;

Problem of_claim(const api::ResourceClaim& claim, Code code) {
  return problem_of(subject_of("ResourceClaim", claim.meta), "claim", code);
}

std::string name_of_claim(const api::ResourceClaim& claim) {
  return base::format("{}/{}", claim.meta.namespace_, claim.meta.name);
}

// Counts a device once if a claim has several shares of it.
class DevicesOnce {
 public:
  void add(const engine::DeviceId& id) {
    if (known_.insert(engine::to_string(id)).second) devices_.push_back(device_subject(id));
  }
  const std::vector<SubjectName>& subjects() const { return devices_; }

 private:
  std::set<std::string> known_;
  std::vector<SubjectName> devices_;
};

// Devices that the claim keeps from other claims.
std::int64_t devices_held(const api::ResourceClaim& claim) {
  if (!claim.status.allocation) return 0;
  DevicesOnce devices;
  for (const api::AllocationResultItem& result : claim.status.allocation->devices.results) {
    if (!result.admin_access) devices.add(engine::id_of(result));
  }
  return std::ssize(devices.subjects());
}

// "pod ml/a", "pods ml/a,b"
std::string consumers_words(const api::ResourceClaim& claim) {
  const auto& consumers = claim.status.reserved_for;
  std::string names = consumers_of(claim, kMaxConsumers);
  if (!std::ranges::all_of(consumers, &api::Consumer::is_pod)) return names;
  return base::format("{} {}/{}", consumers.size() == 1 ? "pod" : "pods", claim.meta.namespace_,
                      names);
}

std::string why_it_stays(const api::ResourceClaim& claim, const std::vector<SubjectName>& gone,
                         diag::Detail detail) {
  if (gone.size() < claim.status.reserved_for.size())
    return base::format(" and is still used by {}", consumers_words(claim));
  if (!gone.empty())
    return base::format(" and is still reserved for {}, which {} gone",
                        name_subjects(gone, {"pod", "pods"}, detail),
                        gone.size() == 1 ? "is" : "are");
  if (claim.meta.finalizers.empty()) return {};
  return base::format(" and waits for finalizer {}", claim.meta.finalizers.front());
}

// A reservation for a pod that is gone is part of what keeps such a claim. A pod that waits for it
// says so itself. Returns whether the claim is stuck.
bool add_deleting(const ClusterInput& cluster, const api::ResourceClaim& claim, diag::Detail detail,
                  std::vector<Problem>& problems) {
  if (!claim.meta.deleted || cluster.now - *claim.meta.deleted < engine::kReleaseTakes)
    return false;
  std::vector<SubjectName> gone;
  const bool saw_pods = cluster.snapshot.coverage().saw(api::Kind::Pod, claim.meta.namespace_);
  for (const api::Consumer& consumer : claim.status.reserved_for) {
    if (saw_pods && engine::is_gone(cluster.snapshot, claim, consumer))
      gone.push_back({"Pod", std::string(claim.meta.namespace_), std::string(consumer.name)});
  }
  Problem problem = of_claim(claim, Code::ClaimDeleting);
  problem.finding.message = base::format(
      "Claim {} was marked for deletion {} ago{}.", name_of_claim(claim),
      base::age_of(claim.meta.deleted, cluster.now), why_it_stays(claim, gone, detail));
  problem.clauses = {is_deleting(claim)};
  if (!gone.empty() && gone.size() == claim.status.reserved_for.size())
    problem.remedy.text = std::string(diag::info_of(Code::ReservationStale).remedy);
  problems.push_back(std::move(problem));
  return true;
}

bool has_ended_long_ago(const ClusterInput& cluster, const api::ResourceClaim& claim,
                        const api::Consumer& consumer) {
  const api::Pod* pod = engine::consuming_pod(cluster.snapshot, claim.meta.namespace_, consumer);
  return pod != nullptr && engine::ended_long_ago(*pod, cluster.now);
}

void add_stale_reservations(const ClusterInput& cluster, const api::ResourceClaim& claim,
                            diag::Detail detail, std::vector<Problem>& problems) {
  std::vector<SubjectName> gone;
  bool some_ended = false;
  std::string namesake;
  for (const api::Consumer& consumer : claim.status.reserved_for) {
    const bool ended = has_ended_long_ago(cluster, claim, consumer);
    some_ended |= ended;
    namesake += engine::words_for_namesake(cluster.snapshot, claim.meta.namespace_, consumer);
    if (ended || engine::is_gone(cluster.snapshot, claim, consumer))
      gone.push_back({"Pod", std::string(claim.meta.namespace_), std::string(consumer.name)});
  }
  if (gone.empty()) return;
  const bool all_gone = gone.size() == claim.status.reserved_for.size();
  Problem problem = of_claim(claim, Code::ReservationStale);
  if (!all_gone) problem.finding.severity = Severity::Hint;
  const std::int64_t held = devices_held(claim);
  const std::string consequence =
      all_gone && held > 0
          ? base::format(": {} allocated and not in use", base::plural(held, "device"))
          : "";
  problem.finding.message =
      base::format("Claim {} is reserved for {}, which {}{}{}.", name_of_claim(claim),
                   name_subjects(gone, {"pod", "pods"}, detail),
                   some_ended ? (gone.size() == 1 ? "has ended" : "have ended")
                              : (gone.size() == 1 ? "is gone" : "are gone"),
                   gone.size() == 1 ? namesake : std::string(), consequence);
  if (all_gone) problem.clauses = {is_reserved_in_vain(claim)};
  problems.push_back(std::move(problem));
}

void add_vanished(const engine::Inventory& inventory, const api::ResourceClaim& claim,
                  diag::Detail detail, std::vector<Problem>& problems) {
  if (!claim.status.allocation) return;
  DevicesOnce gone;
  std::set<std::string_view> drivers;
  for (const api::AllocationResultItem& result : claim.status.allocation->devices.results) {
    const engine::DeviceId id = engine::id_of(result);
    if (!engine::is_gone(inventory, id)) continue;
    gone.add(id);
    drivers.insert(result.driver);
  }
  const std::vector<SubjectName>& devices = gone.subjects();
  if (devices.empty()) return;
  const bool used = !claim.status.reserved_for.empty();
  Problem problem = of_claim(claim, Code::DeviceGone);
  if (!used) problem.finding.severity = Severity::Warning;
  problem.clauses = {holds_gone_devices(claim)};
  problem.finding.message =
      base::format("Claim {} holds {}, which no slice publishes any more{}.", name_of_claim(claim),
                   name_subjects(devices, {"device", "devices"}, detail),
                   used ? base::format("; it is used by {}", consumers_words(claim)) : "");
  // Where the driver publishes nothing any more, that is the problem.
  const auto& nodes = claim.status.allocation->node_selector;
  const std::string_view node = nodes ? engine::only_node(*nodes) : std::string_view();
  if (drivers.size() == 1 && !node.empty()) {
    problem.nodes_down.emplace_back(node);
    problem.silent_driver = *drivers.begin();
  }
  problems.push_back(std::move(problem));
}

bool is_allocated(const api::ResourceClaim& claim, const api::DeviceStatus& status) {
  return std::ranges::any_of(claim.status.allocation->devices.results,
                             [&status](const api::AllocationResultItem& result) {
                               return result.driver == status.driver &&
                                      result.pool == status.pool && result.device == status.device;
                             });
}

// Reports drivers' conditions in the claim's status about devices that are not ready.
void add_device_not_ready(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim,
                          diag::Detail detail, std::vector<Problem>& problems) {
  if (!claim.status.allocation) return;
  DevicesOnce not_ready;
  std::string first_reason;
  for (const api::DeviceStatus& status : claim.status.devices) {
    const api::Condition* ready = api::condition_of(status.conditions, "Ready");
    if (ready == nullptr || ready->status == "True" || !is_allocated(claim, status)) continue;
    not_ready.add({status.driver, status.pool, status.device});
    if (first_reason.empty()) first_reason = why(*ready);
  }
  const std::vector<SubjectName>& devices = not_ready.subjects();
  if (devices.empty()) return;
  const bool used = !claim.status.reserved_for.empty();
  const Code code =
      engine::runs_with(snapshot, claim) ? Code::DeviceUnhealthy : Code::PrepareFailed;
  Problem problem = of_claim(claim, code);
  if (!used) problem.finding.severity = Severity::Warning;
  problem.finding.message = base::format(
      "{} of claim {} {} not ready ({}){}.", name_subjects(devices, {"Device", "devices"}, detail),
      name_of_claim(claim), devices.size() == 1 ? "is" : "are", first_reason,
      used ? base::format("; used by {}", consumers_words(claim)) : "");
  problems.push_back(std::move(problem));
}

// Claims that waiting pods use. They are not reported here, because a waiting pod is a problem of
// its own.
std::set<const api::ResourceClaim*> claims_waited_for(const snapshot::Snapshot& snapshot) {
  std::set<const api::ResourceClaim*> claims;
  for (const api::Pod* pod : engine::waiting_pods(snapshot)) {
    for (const engine::SubjectClaim& claim : engine::subject_of_pod(snapshot, *pod).claims)
      claims.insert(claim.claim);
  }
  return claims;
}

// Reports pending claims that can never be allocated, by the missing class.
void add_without_class(const ClusterInput& cluster, diag::Detail detail,
                       std::vector<Problem>& problems) {
  const auto waited_for = claims_waited_for(cluster.snapshot);
  std::map<std::string, std::vector<SubjectName>> by_cause;
  for (const api::ResourceClaim& claim : cluster.snapshot.all<api::ResourceClaim>()) {
    if (claim.allocated() || claim.meta.deleted || waited_for.contains(&claim)) continue;
    const SubjectName subject = subject_of("ResourceClaim", claim.meta);
    const auto blockers =
        engine::subject_of_claims(cluster.snapshot, subject.namespace_, {subject.name}).blockers;
    const auto missing = std::ranges::find(blockers, Code::ClassMissing, &diag::Reason::code);
    if (missing != blockers.end()) by_cause[missing->message].push_back(subject);
  }
  for (auto& [cause, claims] : by_cause) {
    Problem problem{.finding = {.code = Code::ClassMissing, .severity = Severity::Warning}};
    problem.finding.message = base::sentence(base::format(
        "{} cannot be allocated: {}", name_subjects(claims, {"Claim", "claims"}, detail), cause));
    problem.remedy.command = command_for("explain", "claim", claims.front());
    problem.finding.subjects = std::move(claims);
    problems.push_back(std::move(problem));
  }
}

// The claims that hold a device exclusively, each once.
std::vector<SubjectName> claims_holding(std::span<const engine::Holding> holders) {
  std::vector<SubjectName> claims;
  const api::ResourceClaim* last = nullptr;
  for (const engine::Holding& holding : holders) {
    if (holding.admin() || holding.claim == last) continue;
    last = holding.claim;
    claims.push_back(subject_of("ResourceClaim", holding.claim->meta));
  }
  return claims;
}

// A device may have many shares, but an exclusive holder must be the only one.
void add_double(const ClusterInput& cluster, diag::Detail detail, std::vector<Problem>& problems) {
  const engine::Usage& usage = cluster.inventory.usage();
  const std::string bug = words_of(engine::Bug::DeviceAllocatedTwice, cluster.snapshot.server());
  const std::vector<engine::Holding>& all = usage.all();
  for (std::size_t at = 0; at < all.size();) {
    const engine::DeviceId id = all[at].id;
    const auto holders = usage.holders(id);
    at += holders.size();
    if (!engine::is_held_twice(holders)) continue;
    std::vector<SubjectName> claims = claims_holding(holders);
    Problem problem = problem_of(device_subject(id), "device", Code::DoubleAllocation);
    problem.finding.message =
        base::format("Device {} is allocated to {} at once.", problem.finding.subjects.front().name,
                     name_subjects(claims, {"claim", "claims"}, detail));
    std::ranges::move(claims, std::back_inserter(problem.finding.subjects));
    if (!bug.empty()) problem.finding.message += base::format(" It may be {}", bug);
    problems.push_back(std::move(problem));
  }
}

// Claims that hold one piece of hardware under two names.
void add_held_twice(const ClusterInput& cluster, std::vector<Problem>& problems) {
  const std::string bug = words_of(engine::Bug::PartitionsOverlap, cluster.snapshot.server());
  for (const engine::HeldTwice& twice : engine::held_twice(cluster.inventory)) {
    Problem problem = problem_of(device_subject(twice.one->id), "device", Code::HardwareHeldTwice);
    problem.finding.subjects.push_back(device_subject(twice.other->id));
    problem.finding.message = base::format(
        "Devices {} and {} are the same hardware, and claims {}/{} and {}/{} hold both: {}.{}",
        to_string(twice.one->id), to_string(twice.other->id), twice.one->claim->meta.namespace_,
        twice.one->claim->meta.name, twice.other->claim->meta.namespace_,
        twice.other->claim->meta.name, twice.why,
        twice.counters && !bug.empty() ? base::format(" It may be {}", bug) : std::string());
    for (const engine::Holding* holding : {twice.one, twice.other})
      problem.finding.subjects.push_back(subject_of("ResourceClaim", holding->claim->meta));
    problems.push_back(std::move(problem));
  }
}

}  // namespace

std::string is_deleting(const api::ResourceClaim& claim) {
  return base::format("Claim {} is being deleted", name_of_claim(claim));
}

std::string is_reserved_in_vain(const api::ResourceClaim& claim) {
  return base::format("Claim {} is reserved for pods that do not run", name_of_claim(claim));
}

std::string holds_gone_devices(const api::ResourceClaim& claim) {
  return base::format("Claim {} holds devices that are gone", name_of_claim(claim));
}

std::vector<Problem> claim_problems(const ClusterInput& cluster, diag::Detail detail) {
  std::vector<Problem> problems;
  const snapshot::Coverage& coverage = cluster.snapshot.coverage();
  for (const api::ResourceClaim& claim : cluster.snapshot.all<api::ResourceClaim>()) {
    if (add_deleting(cluster, claim, detail, problems)) continue;
    if (coverage.saw(api::Kind::Pod, claim.meta.namespace_))
      add_stale_reservations(cluster, claim, detail, problems);
  }
  add_without_class(cluster, detail, problems);
  return problems;
}

std::vector<Problem> allocation_problems(const ClusterInput& cluster, diag::Detail detail) {
  std::vector<Problem> problems;
  add_double(cluster, detail, problems);
  add_held_twice(cluster, problems);
  for (const api::ResourceClaim& claim : cluster.snapshot.all<api::ResourceClaim>())
    add_device_not_ready(cluster.snapshot, claim, detail, problems);
  if (!cluster.snapshot.coverage().saw(api::Kind::Slice)) return problems;
  for (const api::ResourceClaim& claim : cluster.snapshot.all<api::ResourceClaim>())
    add_vanished(cluster.inventory, claim, detail, problems);
  return problems;
}

}  // namespace dra::answers

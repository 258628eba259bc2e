// src/engine/running/idle_devices.cpp: judges each pair of an allocation result and a pod that has
// reserved its claim; the pod that left the device last decides since when it is idle.

#include "dra/engine/running/idle_devices.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <tuple>

#include "dra/base/quantity.h"
#include "dra/engine/cluster/allocated_device.h"
#include "dra/engine/cluster/claim_references.h"
#include "dra/engine/cluster/holder_state.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/driver_knowledge.h"

namespace dra::engine {
namespace {

// "req" of "req/sub".
std::string_view request_alone(std::string_view request) {
  return request.substr(0, request.find('/'));
}

// The containers of the pod that have the device of the result, by their names.
std::set<std::string_view> users_in(const api::Pod& pod, const api::ResourceClaim& claim,
                                    const api::AllocationResultItem& result) {
  std::set<std::string_view> users;
  const std::string_view request = request_alone(result.request);
  const auto& extended = pod.status.extended_resource_claim;
  if (extended && extended->claim_name == claim.meta.name) {
    for (const api::ExtendedResourceRequest& mapping : extended->mappings) {
      if (mapping.request == request) users.insert(mapping.container);
    }
    return users;
  }
  const auto references = claim_references(pod, claim.meta.name);
  const auto is_it = [&](const api::ContainerClaim& one) {
    return (one.request.empty() || one.request == request) &&
           std::ranges::find(references, one.name) != references.end();
  };
  for (const auto* containers : {&pod.spec.init_containers, &pod.spec.containers}) {
    for (const api::Container& container : *containers) {
      if (std::ranges::any_of(container.resources.claims, is_it)) users.insert(container.name);
    }
  }
  return users;
}

struct Verdict {
  IdleWhy why;
  IdleSpan span;
};

IdleSpan exactly(api::Time since) { return {since, since ? Bound::Exactly : Bound::Unknown}; }
// It was allocated then, so it has not been idle for longer.
IdleSpan at_most_since(api::Time allocated) {
  return {allocated, allocated ? Bound::AtMost : Bound::Unknown};
}
IdleSpan at_least_since(api::Time seen) { return {seen, seen ? Bound::AtLeast : Bound::Unknown}; }

// The time at which the pod could have the devices of the claim.
api::Time had_since(const api::ResourceClaim& claim, const api::Pod& pod) {
  return std::max(claim.status.allocation->at, pod.meta.created);
}

bool has_run(const api::ContainerStatus& one) {
  return one.restarts > 0 || one.state.running || one.state.terminated || one.last.terminated;
}

// The earliest time of which it is known that the container has not worked since: the pod is not
// ready since then, or the container has ended for the last time. It may have crashed before.
api::Time seen_crashing(const api::Pod& pod, const api::ContainerStatus& container) {
  const api::Condition* ready = api::condition_of(pod.status.conditions, "Ready");
  const api::Time since = ready == nullptr ? std::nullopt : ready->changed;
  const auto& last = container.last.terminated;
  if (!last || !last->finished) return since;
  return since ? std::min(since, last->finished) : last->finished;
}

// The states of those containers that have the device; of all without any.
std::vector<const api::ContainerStatus*> states_of(const api::Pod& pod,
                                                   const std::set<std::string_view>& users) {
  std::vector<const api::ContainerStatus*> states;
  for (const auto* statuses : {&pod.status.init_containers, &pod.status.containers}) {
    const bool init = statuses == &pod.status.init_containers;
    for (const api::ContainerStatus& one : *statuses) {
      if (users.empty() ? !init : users.contains(one.name)) states.push_back(&one);
    }
  }
  return states;
}

// Of a pod that has not ended and whose containers have the device.
std::optional<Verdict> verdict_by_states(const api::Pod& pod, const api::ResourceClaim& claim,
                                         const std::set<std::string_view>& users) {
  using States = std::vector<const api::ContainerStatus*>;
  const States states = states_of(pod, users);
  const bool pending = pod.status.phase != "Running";
  if (std::ranges::none_of(states, [](const auto* one) { return has_run(*one); })) {
    // A recording of a running pod may lack the states of its containers.
    if (!pending && states.empty()) return std::nullopt;
    return Verdict{IdleWhy::NotStarted, exactly(had_since(claim, pod))};
  }
  const auto works = [](const api::ContainerStatus* one) {
    return one->state.running && one->ready;
  };
  if (std::ranges::any_of(states, works)) return std::nullopt;
  const auto crashing =
      std::ranges::find_if(states, [](const auto* one) { return is_crash_looping(*one); });
  if (crashing != states.end())
    return Verdict{IdleWhy::CrashLoop, at_least_since(seen_crashing(pod, **crashing))};
  const bool ended = std::ranges::all_of(
      states, [](const auto* one) { return one->state.terminated.has_value(); });
  if (ended) {
    api::Time last;
    for (const api::ContainerStatus* one : states)
      last = std::max(last, one->state.terminated->finished);
    return Verdict{IdleWhy::ContainersEnded, exactly(last)};
  }
  const api::Condition* ready = api::condition_of(pod.status.conditions, "Ready");
  if (ready == nullptr || ready->status == "True") return std::nullopt;
  return Verdict{IdleWhy::NotReady, exactly(ready->changed)};
}

// No value: the pod works with the device, or is about to let it go.
std::optional<Verdict> verdict_of(const api::Pod& pod, const api::ResourceClaim& claim,
                                  const api::AllocationResultItem& result, base::Instant now) {
  const api::Time ended = ended_at(pod);
  const bool left =
      ended_long_ago(pod, now) || (pod.meta.deleted && ended && now - *ended > kReleaseTakes);
  // A pod that the kubelet refused has never run.
  const bool has_worked = std::ranges::any_of(pod.status.containers, has_run);
  if (left) return Verdict{IdleWhy::PodEnded, exactly(has_worked ? ended : had_since(claim, pod))};
  if (pod.finished() || pod.meta.deleted) return std::nullopt;
  const auto users = users_in(pod, claim, result);
  if (users.empty() && hands_to_containers(result.driver))
    return Verdict{IdleWhy::NoContainer, exactly(had_since(claim, pod))};
  return verdict_by_states(pod, claim, users);
}

// A device is idle since the last of its users left it.
void take_later(Verdict& last, const Verdict& other) {
  const bool at_most = last.span.bound == Bound::AtMost || other.span.bound == Bound::AtMost;
  // What was idle earlier than seen says nothing beside what was idle later than seen.
  const auto counts = [at_most](const Verdict& one) {
    return !at_most || one.span.bound == Bound::AtMost || one.span.bound == Bound::Exactly;
  };
  if (last.span.bound == Bound::Unknown) return;
  if (other.span.bound == Bound::Unknown ||
      (counts(other) && (!counts(last) || other.span.since > last.span.since)))
    last = other;
  if (at_most && last.span.since) last.span.bound = Bound::AtMost;
}

class IdleFinder {
 public:
  IdleFinder(const snapshot::Snapshot& snapshot, const Inventory& inventory, base::Instant now)
      : snapshot_(snapshot), inventory_(inventory), now_(now) {}

  IdleFound find(std::string_view ns) {
    for (const api::ResourceClaim& claim : snapshot_.all<api::ResourceClaim>()) {
      if (claim.allocated() && (ns.empty() || claim.meta.namespace_ == ns)) look_at(claim);
    }
    std::ranges::stable_sort(found_.idle, {}, [](const IdleDevices& one) {
      return std::tuple(one.claim->meta.namespace_, one.claim->meta.name);
    });
    return std::move(found_);
  }

 private:
  void look_at(const api::ResourceClaim& claim);
  std::optional<Verdict> judge(const api::ResourceClaim& claim,
                               const api::AllocationResultItem& result) const;
  bool can_judge(const api::ResourceClaim& claim) const;
  double part_of(const api::AllocationResultItem& result) const;
  void add(const api::ResourceClaim& claim, const api::AllocationResultItem& result,
           const Verdict& verdict);

  const snapshot::Snapshot& snapshot_;
  const Inventory& inventory_;
  base::Instant now_;
  IdleFound found_;
  std::set<DeviceId> seen_;
  std::size_t first_of_claim_ = 0;  // among the idle ones
};

bool IdleFinder::can_judge(const api::ResourceClaim& claim) const {
  const auto& consumers = claim.status.reserved_for;
  if (consumers.empty()) return true;
  return snapshot_.coverage().saw(api::Kind::Pod, claim.meta.namespace_) &&
         std::ranges::all_of(consumers, [](const api::Consumer& one) { return one.is_pod(); });
}

std::optional<Verdict> IdleFinder::judge(const api::ResourceClaim& claim,
                                         const api::AllocationResultItem& result) const {
  std::optional<Verdict> last;
  for (const api::Consumer& consumer : claim.status.reserved_for) {
    const api::Pod* pod = consuming_pod(snapshot_, claim.meta.namespace_, consumer);
    const auto verdict = pod == nullptr
                             ? Verdict{IdleWhy::PodGone, at_most_since(claim.status.allocation->at)}
                             : verdict_of(*pod, claim, result, now_);
    if (!verdict) return std::nullopt;
    if (last) {
      take_later(*last, *verdict);
    } else {
      last = verdict;
    }
  }
  if (last) return last;
  return Verdict{IdleWhy::Unreserved, at_most_since(claim.status.allocation->at)};
}

void IdleFinder::look_at(const api::ResourceClaim& claim) {
  const bool can = can_judge(claim);
  first_of_claim_ = found_.idle.size();
  for (const api::AllocationResultItem& result : claim.status.allocation->devices.results) {
    if (result.admin_access) continue;
    if (seen_.insert(id_of(result)).second) {
      ++found_.looked_at;
      found_.not_judged += can ? 0 : 1;
    }
    if (!can) continue;
    if (const auto verdict = judge(claim, result)) add(claim, result, *verdict);
  }
}

// The largest part that a share takes of a capacity; of a device without any, as much as the
// others.
double IdleFinder::part_of(const api::AllocationResultItem& result) const {
  if (result.share_id.empty()) return 1;
  const PoolDevice* published = inventory_.find(id_of(result));
  double most = 0;
  for (const auto& [name, taken] : result.consumed_capacity) {
    const auto* total =
        published == nullptr ? nullptr : api::find(published->device->capacity, name);
    const auto all = base::Quantity::parse(total == nullptr ? "" : total->value.text);
    const auto part = base::Quantity::parse(taken.text);
    if (!all.ok() || !part.ok() || all.value().sign() <= 0) continue;
    most = std::max(most, part.value().approximate() / all.value().approximate());
  }
  if (most > 0) return std::min(most, 1.0);
  const auto holders = std::ranges::count_if(inventory_.usage().holders(id_of(result)),
                                             [](const Holding& one) { return !one.admin(); });
  return 1.0 / static_cast<double>(std::max<std::ptrdiff_t>(holders, 1));
}

std::string_view class_of(const api::ResourceClaim& claim, std::string_view request) {
  for (const api::DeviceRequest& one : claim.spec.devices.requests) {
    for (const api::NamedDemand& demand : api::demands_of(one)) {
      if (demand.name == request) return demand.demand->device_class;
    }
  }
  return {};
}

void IdleFinder::add(const api::ResourceClaim& claim, const api::AllocationResultItem& result,
                     const Verdict& verdict) {
  IdleDevices one{.claim = &claim,
                  .why = verdict.why,
                  .span = verdict.span,
                  .driver = result.driver,
                  .device_class = class_of(claim, result.request),
                  .devices = part_of(result)};
  for (IdleDevices& known : std::span(found_.idle).subspan(first_of_claim_)) {
    if (known.why != one.why || known.driver != one.driver ||
        known.device_class != one.device_class || known.span.since != one.span.since)
      continue;
    known.devices += one.devices;
    return;
  }
  for (const api::Consumer& consumer : claim.status.reserved_for) {
    const api::Pod* pod = consuming_pod(snapshot_, claim.meta.namespace_, consumer);
    if (pod != nullptr && std::ranges::find(one.pods, pod) == one.pods.end())
      one.pods.push_back(pod);
  }
  found_.idle.push_back(std::move(one));
}

}  // namespace

std::string_view name_of(IdleWhy why) {
  switch (why) {
    case IdleWhy::CrashLoop:
      return "CrashLoop";
    case IdleWhy::NotReady:
      return "NotReady";
    case IdleWhy::NotStarted:
      return "NotStarted";
    case IdleWhy::ContainersEnded:
      return "ContainersEnded";
    case IdleWhy::NoContainer:
      return "NoContainer";
    case IdleWhy::PodEnded:
      return "PodEnded";
    case IdleWhy::PodGone:
      return "PodGone";
    case IdleWhy::Unreserved:
      return "Unreserved";
  }
  return "";
}

std::string_view words_of(IdleWhy why) {
  switch (why) {
    case IdleWhy::CrashLoop:
      return "crash loop";
    case IdleWhy::NotReady:
      return "not ready";
    case IdleWhy::NotStarted:
      return "not started";
    case IdleWhy::ContainersEnded:
      return "its containers have ended";
    case IdleWhy::NoContainer:
      return "no container names the claim";
    case IdleWhy::PodEnded:
      return "pod has ended";
    case IdleWhy::PodGone:
      return "pod is gone";
    case IdleWhy::Unreserved:
      return "no pod has the claim";
  }
  return "";
}

std::string_view name_of(Bound bound) {
  switch (bound) {
    case Bound::Exactly:
      return "exactly";
    case Bound::AtLeast:
      return "atLeast";
    case Bound::AtMost:
      return "atMost";
    case Bound::Unknown:
      return "unknown";
  }
  return "";
}

IdleFound idle_devices(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                       base::Instant now, std::string_view ns) {
  return IdleFinder(snapshot, inventory, now).find(ns);
}

double device_hours(const IdleDevices& idle, base::Instant now) {
  constexpr double hour = 3600e9;
  if (!idle.span.since) return 0;
  const auto nanos = std::max<std::int64_t>((now - *idle.span.since).nanos, 0);
  return idle.devices * static_cast<double>(nanos) / hour;
}

}  // namespace dra::engine

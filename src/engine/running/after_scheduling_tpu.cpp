// src/engine/running/after_scheduling_tpu.cpp: findings about hosts of TPUs of which a claim has,
// or would get, only a part, and about slices with lost hosts. Sources of after_scheduling.h.

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "dra/base/text.h"
#include "dra/engine/cluster/nodes.h"
#include "dra/engine/cluster/tpu_hosts.h"
#include "dra/engine/cluster/workload_pods.h"
#include "dra/engine/facts/driver_knowledge.h"
#include "dra/engine/scheduler/demands.h"
#include "dra/engine/scheduler/host_parts.h"
#include "src/engine/running/after_scheduling.h"

namespace dra::engine {
namespace {

using diag::Certainty;
using diag::Code;

constexpr std::size_t kNamedHosts = 4;  // names in a list of hosts

std::string missing_words(const TpuHost& host) {
  if (host.missing.empty())
    return base::format("{} missing", base::plural(host.chips - host.published, "chip"));
  return base::format("{} {} missing", host.missing.size() == 1 ? "chip" : "chips",
                      base::join(host.missing, ", "));
}

std::string describe_slice(const TpuSlice& slice) {
  return base::format("{} ({}, {})", slice.name, slice.topology, base::plural(slice.hosts, "host"));
}

std::string why_lost(const LostHost& lost) {
  return lost.ready ? "its node is ready, but publishes no chips" : "its node is not ready";
}

// Adds what else the host's slice has lost: no job that spans the slice can run.
void add_slice_facts(const TpuSlice& slice, std::string_view but, AfterFinding& found) {
  const std::string of = base::format("of TPU slice {}", describe_slice(slice));
  for (const LostHost& lost : slice.lost) {
    if (lost.node == but) continue;
    found.finding.evidence.push_back(
        {"lost host", base::format("{}, {}: {}", lost.node, of, why_lost(lost))});
  }
  for (const TpuHost& host : slice.degraded) {
    if (host.node == but) continue;
    found.finding.evidence.push_back({"degraded host", base::format("{}: {} of {} chips", host.node,
                                                                    host.published, host.chips)});
  }
  if (slice.absent > 0)
    found.finding.evidence.push_back(
        {"absent", base::format("{} {} without a node", base::plural(slice.absent, "host"), of)});
}

diag::SubjectName node_subject(std::string_view node) { return {"Node", {}, std::string(node)}; }

void say_degraded(const TpuHost& host, AfterFinding& found) {
  found.what = "degraded";
  found.finding.evidence.push_back({"host", missing_words(host)});
  found.repair = {.action = Action::RepairHostOfClaim,
                  .command = Command::CordonNode,
                  .object = node_subject(host.node)};
}

// Where the request is written.
diag::SubjectName written_in(const SubjectClaim& claim, const TpuHost& host) {
  if (!claim.template_name.empty())
    return {"ResourceClaimTemplate", claim.namespace_, std::string(claim.template_name)};
  return claim.name.empty() ? node_subject(host.node) : subject_of(claim);
}

void say_partial(const TpuHost& host, const SubjectClaim& claim, AfterFinding& found) {
  found.finding.evidence.push_back(
      {"host", base::format("{} has {} chips", host.node, host.chips)});
  found.repair = {.action = Action::AskForWholeHost,
                  .chips = host.chips,
                  .command = Command::Describe,
                  .object = written_in(claim, host)};
}

std::vector<HostPart> parts_of(const AfterScene& scene, std::span<const NodeResult> nodes) {
  std::vector<HostPart> parts;
  for (const NodeResult& node : nodes) {
    if (node.is_feasible())
      std::ranges::move(host_parts(scene.snapshot, scene.inventory, node),
                        std::back_inserter(parts));
  }
  std::ranges::stable_sort(parts, {}, [](const HostPart& part) { return part.host.node; });
  return parts;
}

void add_would_be_parts(const AfterScene& scene, std::span<const NodeResult> nodes) {
  const std::vector<HostPart> parts = parts_of(scene, nodes);
  if (parts.empty()) return;
  const HostPart& first = parts.front();
  const auto open =
      static_cast<std::size_t>(std::ranges::count_if(nodes, &NodeResult::is_feasible));
  std::vector<std::string> names;  // parts are sorted by host
  for (const HostPart& part : parts) {
    if (names.empty() || names.back() != part.host.node) names.emplace_back(part.host.node);
  }
  const bool on_some = names.size() < open;
  AfterFinding& found = scene.add(
      Code::PartialHost, first.claim,
      base::format(on_some ? "on TPU host {2} it would get {0} of {1} chips, and the driver "
                             "prepares all or none"
                           : "it would get {0} of the {1} chips of TPU host {2}, and the driver "
                             "prepares all or none",
                   first.devices, first.host.chips, first.host.node));
  found.finding.certainty = Certainty::Heuristic;
  found.driver = first.driver;
  found.node = first.host.node;
  found.on_some_nodes = on_some;
  if (parts.size() > 1 || open > 1) {
    found.finding.evidence.push_back(
        {"hosts", base::format("the same on {} of {} that fit: {}", names.size(),
                               base::plural(static_cast<std::int64_t>(open), "node"),
                               base::join_first(names, kNamedHosts))});
  }
  first.host.degraded() ? say_degraded(first.host, found)
                        : say_partial(first.host, *first.claim, found);
}

// Whether the pod's own choice of nodes admits this one.
bool is_chosen(const NodeResult& node) {
  return std::ranges::none_of(node.other_reasons, [](const diag::Reason& reason) {
    return reason.code == Code::NodeAffinity || reason.code == Code::NodeName;
  });
}

bool is_of_own_workload(const AfterScene& scene, const api::ResourceClaim& claim) {
  const auto& users = claim.status.reserved_for;
  return !users.empty() && std::ranges::all_of(users, [&](const api::Consumer& user) {
    const auto* pod =
        user.is_pod() ? scene.snapshot.find<api::Pod>(claim.meta.namespace_, user.name) : nullptr;
    return pod != nullptr && work_together(*scene.pod, *pod);
  });
}

// Whether pods of the same workload hold all chips of whole hosts that the pod could get. A free
// chip is withheld by something else, which can be fixed.
bool is_held_by_own(const AfterScene& scene, std::string_view driver,
                    std::span<const NodeResult> nodes) {
  if (scene.pod == nullptr) return false;
  const auto is_own = [&](const PoolDevice& device) {
    const Holders holders = scene.inventory.facts(device).holders;
    return in_use(holders) && std::ranges::all_of(holders, [&](const Holding& holding) {
             return holding.admin() || is_of_own_workload(scene, *holding.claim);
           });
  };
  bool some = false;
  for (const NodeResult& node : nodes) {
    const Pool* pool = scene.inventory.find_pool(driver, node.name);
    if (pool == nullptr || !is_chosen(node)) continue;
    const auto host = tpu_host_of(scene.snapshot, *pool);
    const auto* object = scene.snapshot.find<api::Node>(node.name);
    const bool broken = (host && host->degraded()) || (object != nullptr && !is_ready(*object));
    if (broken) continue;
    if (!std::ranges::all_of(pool->devices, is_own)) return false;
    some = some || !pool->devices.empty();
  }
  return some;
}

AfterFinding& add_broken_slice(const AfterScene& scene, const TpuSlice& slice) {
  const bool lost = !slice.lost.empty();
  const std::string_view host = lost ? slice.lost.front().node : slice.degraded.front().node;
  const std::string of = base::format("host {} of TPU slice {}", host, describe_slice(slice));
  AfterFinding& found =
      scene.add(lost ? Code::HostLost : Code::PartialHost, nullptr,
                lost ? base::format("{} is lost: {}", of, why_lost(slice.lost.front()))
                     : base::format("{} has {} of {} chips", of, slice.degraded.front().published,
                                    slice.degraded.front().chips));
  found.finding.certainty = Certainty::Heuristic;
  found.node = host;
  add_slice_facts(slice, host, found);
  found.repair = {.action = lost ? Action::BringNodeBack : Action::RepairHost,
                  .command = Command::Describe,
                  .object = node_subject(host)};
  return found;
}

// The incomplete slices that the subject could use: while hosts are lost it may wait for ever.
void add_broken_slices(const AfterScene& scene, std::string_view driver,
                       std::span<const NodeResult> nodes) {
  const TpuSlices slices(scene.snapshot, scene.inventory, driver);
  const bool held_by_own = is_held_by_own(scene, driver, nodes);
  std::set<std::string_view> seen_slices;
  for (const NodeResult& node : nodes) {
    if (!is_chosen(node) || !seen_slices.insert(slices.name_of(node.name)).second) continue;
    const auto slice = slices.of(node.name);
    if (!slice || (slice->lost.empty() && slice->degraded.empty())) continue;
    add_broken_slice(scene, *slice).held_by_own = held_by_own;
  }
}

// The TPU driver whose devices some demand could use; empty if there is none.
std::string_view driver_wanted(const AfterScene& scene) {
  std::optional<Demands> demands;
  for (const InventoryDevice& device : scene.inventory.devices()) {
    const std::string_view driver = device.published.slice->spec.driver;
    if (!hands_out_hosts(driver)) continue;
    if (!demands) demands.emplace(scene.snapshot, scene.inventory, scene.subject);
    bool wanted = false;
    for_each_unmet(scene.subject, [&](const SubjectClaim&, const api::DeviceRequest& request) {
      for (const api::NamedDemand& demand : api::demands_of(request))
        wanted = wanted || demands->outcome(*demand.demand, device.published) == Outcome::Chosen;
    });
    if (wanted) return driver;
  }
  return {};
}

}  // namespace

// The driver compares the number of chips that the claim has, over all its requests, with the chips
// of the host.
void look_at_hosts(const AfterScene& scene, const SubjectClaim& claim) {
  if (scene.started()) return;  // so it was prepared
  std::map<const Pool*, std::int64_t> held;
  for (const auto& result : claim.claim->status.allocation->devices.results) {
    if (const Pool* pool = scene.inventory.find_pool(result.driver, result.pool)) ++held[pool];
  }
  for (const auto& [pool, devices] : held) {
    const auto host = tpu_host_of(scene.snapshot, *pool);
    if (!host || devices >= host->chips) continue;
    std::string message =
        host->degraded()
            ? base::format(
                  "TPU host {} has {} of its {} chips, and the driver prepares all or none",
                  host->node, host->published, host->chips)
            : base::format(
                  "the claim has {} of the {} chips of TPU host {}, and the driver "
                  "prepares all or none",
                  devices, host->chips, host->node);
    AfterFinding& found = scene.add(Code::PartialHost, &claim, std::move(message));
    found.finding.certainty = Certainty::Heuristic;
    found.devices = devices;
    found.driver = pool->driver;
    found.node = host->node;
    host->degraded() ? say_degraded(*host, found) : say_partial(*host, claim, found);
    if (const auto slice = TpuSlices(scene.snapshot, scene.inventory, pool->driver).of(host->node))
      add_slice_facts(*slice, host->node, found);
  }
}

void foresee_partial_hosts(const AfterScene& scene, std::span<const NodeResult> nodes) {
  add_would_be_parts(scene, nodes);
  if (std::ranges::any_of(nodes, &NodeResult::is_feasible)) return;
  const std::string_view driver = driver_wanted(scene);
  if (!driver.empty()) add_broken_slices(scene, driver, nodes);
}

}  // namespace dra::engine

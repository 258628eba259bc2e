// src/engine/whatif/proposals.cpp: see proposals.h. Selectors are in proposals_selectors.cpp.

#include "src/engine/whatif/proposals.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "dra/api/limits.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/taint_words.h"
#include "dra/engine/cluster/tpu_hosts.h"
#include "dra/engine/scheduler/demands.h"

namespace dra::engine {
namespace {

// Taints of the node controller. Tolerating them does not make a pod run.
constexpr std::string_view kOwnTaints = "node.kubernetes.io/";

// Keys of taints with their effects; without an effect where a key has several.
using Keys = std::map<std::string_view, std::string_view>;

void note(Keys& keys, std::string_view key, std::string_view effect) {
  const auto [known, is_new] = keys.try_emplace(key, effect);
  if (!is_new && known->second != effect) known->second = {};
}

Proposal tolerations_of(const Keys& keys, const Tolerate& whose) {
  Proposal proposal;
  for (const auto& [key, effect] : keys) {
    Tolerate one = whose;
    one.key = std::string(key);
    one.effect = std::string(effect);
    proposal.emplace_back(std::move(one));
  }
  return proposal;
}

bool tolerates_one(std::span<const api::Toleration> tolerations, const DeviceTaintOf& taint) {
  return tolerates_all(tolerations, std::span(&taint, 1));
}

// The taints that a request has to tolerate to get a device; one set for equal devices.
std::set<Keys> keys_on_devices(const Simulator& simulator,
                               std::span<const api::Toleration> tolerations) {
  std::set<Keys> sets;
  for (const InventoryDevice& device : simulator.inventory().devices()) {
    Keys keys;
    bool broken = false;
    for (const DeviceTaintOf& taint : device.taints) {
      if (tolerates_one(tolerations, taint)) continue;
      note(keys, taint.taint->key, taint.taint->effect);
      broken |= says_broken(*taint.taint);
    }
    if (!keys.empty() && !broken) sets.insert(std::move(keys));
  }
  return sets;
}

std::set<Keys> keys_on_nodes(const Simulator& simulator, const api::Pod& pod) {
  std::set<Keys> sets;
  const bool compares = tolerations_compare(simulator.snapshot().server());
  for (const api::Node& node : simulator.nodes().nodes) {
    Keys keys;
    bool own = false;
    for (const api::NodeTaint* taint : untolerated(node, pod, compares)) {
      note(keys, taint->key, taint->effect);
      own |= taint->key.starts_with(kOwnTaints);
    }
    if (!keys.empty() && !own) sets.insert(std::move(keys));
  }
  return sets;
}

}  // namespace

std::vector<Proposal> to_wait(const Simulator& simulator) {
  std::vector<Proposal> proposals;
  for (const Pool& pool : simulator.inventory().pools()) {
    if (pool.state == PoolState::Incomplete)
      proposals.push_back({Wait{std::string(pool.driver), std::string(pool.name)}});
  }
  return proposals;
}

// Each request by itself; behind them all requests of a claim together, if it has several.
std::vector<Proposal> to_tolerate(const Simulator& simulator, const Subject& subject) {
  std::vector<Proposal> proposals;
  std::vector<Proposal> of_claims;
  for_each_unmet(subject, [&](const SubjectClaim& claim, const api::DeviceRequest& request) {
    if (claim.extended != nullptr) return;
    const bool several =
        claim.unmet()->devices.requests.size() > 1 || request.alternatives.size() > 1;
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      for (const Keys& keys : keys_on_devices(simulator, demand.demand->tolerations)) {
        proposals.push_back(
            tolerations_of(keys, {.claim = claim.label(), .request = demand.name, .key = {}}));
        Proposal whole = tolerations_of(keys, {.claim = claim.label(), .key = {}});
        if (several && std::ranges::find(of_claims, whole) == of_claims.end())
          of_claims.push_back(std::move(whole));
      }
    }
  });
  if (subject.pod != nullptr) {
    for (const Keys& keys : keys_on_nodes(simulator, *subject.pod))
      proposals.push_back(tolerations_of(keys, {.key = {}}));
  }
  std::ranges::move(of_claims, std::back_inserter(proposals));
  return proposals;
}

std::vector<Proposal> to_drop_constraints(const Subject& subject) {
  std::vector<Proposal> proposals;
  for (const SubjectClaim& claim : subject.claims) {
    if (claim.unmet() == nullptr || claim.extended != nullptr) continue;
    const auto& constraints = claim.unmet()->devices.constraints;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      const std::string_view compares = constraints[i].match_attribute.empty()
                                            ? constraints[i].distinct_attribute
                                            : constraints[i].match_attribute;
      proposals.push_back({DropConstraint{claim.label(), i, std::string(compares)}});
    }
  }
  return proposals;
}

// The allocator tries all alternatives. But an error in one of them makes it give up on the pod,
// and then another one alone may work.
std::vector<Proposal> to_use_alternatives(const Subject& subject) {
  std::vector<Proposal> proposals;
  for_each_unmet(subject, [&](const SubjectClaim& claim, const api::DeviceRequest& request) {
    if (request.alternatives.size() < 2) return;
    for (const api::NamedDemand& demand : api::demands_of(request))
      proposals.push_back({UseAlternative{claim.label(), demand.name}});
  });
  return proposals;
}

// The numbers of devices of whole hosts, where every device that the demand matches is handed out
// with its whole host: the node refuses any other number.
std::optional<std::set<std::int64_t>> sizes_of_hosts(const Simulator& simulator,
                                                     const Demands& demands,
                                                     const api::DeviceDemand& demand) {
  std::set<std::int64_t> sizes;
  const Pool* last = nullptr;
  for (const InventoryDevice& device : simulator.inventory().devices()) {
    if (demands.outcome(demand, device.published) != Outcome::Chosen) continue;
    const Pool& pool = simulator.inventory().pools()[device.pool];
    if (&pool == last) continue;
    last = &pool;
    const auto host = tpu_host_of(simulator.snapshot(), pool);
    if (!host) return std::nullopt;
    sizes.insert(host->chips);
  }
  return sizes.empty() ? std::nullopt : std::optional(sizes);
}

std::vector<std::vector<Proposal>> to_lower_counts(const Simulator& simulator,
                                                   const Subject& subject) {
  std::vector<std::vector<Proposal>> proposals;
  std::optional<Demands> demands;  // once a count can be lowered
  for_each_unmet(subject, [&](const SubjectClaim& claim, const api::DeviceRequest& request) {
    if (claim.extended != nullptr) return;
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      if (demand.demand->all() || demand.demand->wanted() < 2) continue;
      std::vector<Proposal> down;
      const std::int64_t most = std::min(demand.demand->wanted() - 1, api::kMaxResults);
      if (!demands) demands.emplace(simulator.snapshot(), simulator.inventory(), subject);
      const auto sizes = sizes_of_hosts(simulator, *demands, *demand.demand);
      for (std::int64_t count = most; count > 0; --count) {
        if (!sizes || sizes->contains(count))
          down.push_back({SetCount{claim.label(), demand.name, count}});
      }
      if (!down.empty()) proposals.push_back(std::move(down));
    }
  });
  return proposals;
}

std::vector<Proposal> to_ask_for_whole_hosts(const Simulator& simulator, const Subject& subject) {
  std::vector<Proposal> proposals;
  std::optional<Demands> demands;
  for_each_unmet(subject, [&](const SubjectClaim& claim, const api::DeviceRequest& request) {
    if (claim.extended != nullptr) return;
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      if (demand.demand->all()) continue;
      if (!demands) demands.emplace(simulator.snapshot(), simulator.inventory(), subject);
      const std::int64_t wanted = demand.demand->wanted();
      const auto sizes = sizes_of_hosts(simulator, *demands, *demand.demand);
      if (!sizes || sizes->contains(wanted)) continue;
      for (const std::int64_t chips : *sizes) {
        if (chips > wanted) proposals.push_back({SetCount{claim.label(), demand.name, chips}});
      }
    }
  });
  return proposals;
}

}  // namespace dra::engine

// src/engine/whatif/advice_nodes.cpp: the smallest release on one node. See advice_nodes.h.
//
// Claims that share a pod go together, so the unit is a group. All groups at once are tried first:
// if that does not help, nothing does. Then groups are dropped one by one, the most costly first;
// what is left is minimal, but need not be the smallest set. So all sets of one, two and three
// groups are tried as well, as long as they are smaller, in the order of cost.

#include "src/engine/whatif/advice_nodes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "dra/engine/cluster/holder_state.h"
#include "dra/engine/cluster/tpu_hosts.h"
#include "dra/engine/cluster/workload_pods.h"
#include "dra/engine/facts/full_name.h"
#include "dra/snapshot/subset.h"
#include "src/engine/whatif/added_nodes.h"

namespace dra::engine {
namespace {

constexpr std::size_t kMaxTogether = 3;      // of sets that are all tried
constexpr std::size_t kMaxSets = 300;        // that are tried on one node
constexpr std::size_t kMaxSetsToMove = 100;  // all of eight groups
constexpr std::size_t kMaxClaims = 64;       // that are looked at on one node

// Pods that share claims, and these claims. A claim that nobody has reserved is a group by itself.
struct Group {
  std::vector<const api::ResourceClaim*> claims;
  std::vector<const api::Pod*> pods;
  bool of_own_workload = false;
  bool works = false;

  std::int64_t priority() const {
    std::int64_t highest = 0;
    for (const api::Pod* pod : pods)
      highest = std::max(highest, pod->spec.priority);
    return highest;
  }
  // The most costly group comes last and is spared first.
  auto cost() const {
    return std::tuple(of_own_workload, works, priority(), pods.size(), claims.size());
  }
};

// A container that was restarted so often has crashed for most of a night, as the kubelet waits up
// to five minutes before each restart.
constexpr std::int64_t kOnlyCrashes = 50;

// Whether some pod works with the devices of the claim.
bool is_at_work(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim) {
  const HolderFacts facts = holder_facts(snapshot, claim);
  switch (facts.state) {
    case HolderState::Crashes:
      return facts.restarts < kOnlyCrashes;
    case HolderState::Runs:
    case HolderState::NotAPod:
      return true;
    case HolderState::Deleting:
    case HolderState::Stuck:
    case HolderState::Gone:
    case HolderState::Unused:
      return false;
  }
  return true;
}

// Adds the pods that have reserved the claim. False: some are not visible. An earlier pod of the
// same name may still hold a reservation, which does not count.
bool add_users(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim,
               std::vector<const api::Pod*>& pods) {
  for (const api::Consumer& consumer : claim.status.reserved_for) {
    const api::Pod* pod =
        consumer.is_pod() ? snapshot.find<api::Pod>(claim.meta.namespace_, consumer.name) : nullptr;
    if (pod == nullptr) return false;
    const bool is_new = std::ranges::find(pods, pod) == pods.end();
    if (is_new && pod->meta.uid == consumer.uid) pods.push_back(pod);
  }
  return true;
}

class Releaser {
 public:
  Releaser(const Simulator& simulator, const Wanted& wanted, std::string_view node,
           SimulationBudget& budget)
      : simulator_(simulator), wanted_(wanted), node_(node), budget_(budget) {}

  std::optional<ReleaseFound> find() {
    gather();
    if (groups_.empty() || groups_.size() > kMaxClaims) return std::nullopt;
    std::vector<std::size_t> all(groups_.size());
    std::iota(all.begin(), all.end(), 0);
    if (!helps(all)) return std::nullopt;
    spare_own_workload(all);
    std::vector<std::size_t> least = without_needless(std::move(all));
    for (std::size_t size = 1; size < least.size() && size <= kMaxTogether; ++size) {
      if (auto smaller = first_of(size, [](const Release&) { return true; })) {
        least = *std::move(smaller);
        break;
      }
    }
    return found(least);
  }

  void find_that(const ReleaseChoice& choice) {
    gather();
    std::erase_if(groups_, [&choice](const Group& group) {
      return group.pods.empty() || !std::ranges::all_of(group.pods, [&choice](const api::Pod* pod) {
               return choice.may_go(full_name(pod->meta));
             });
    });
    if (groups_.size() > kMaxClaims) return;
    most_sets_ = kMaxSetsToMove;
    const std::size_t most = std::min(groups_.size(), kMaxTogether);
    for (std::size_t size = 1; size <= most; ++size) {
      if (first_of(size, choice.accepts)) return;
    }
  }

 private:
  using Accepts = base::FunctionRef<bool(const Release&)>;

  void gather();
  void add(const api::ResourceClaim& claim);
  void spare_own_workload(std::vector<std::size_t>& all);
  Release release_of(const std::vector<std::size_t>& groups) const;
  bool helps(const std::vector<std::size_t>& groups);
  std::vector<std::size_t> without_needless(std::vector<std::size_t> groups);
  std::optional<std::vector<std::size_t>> first_of(std::size_t size, Accepts accepts);
  ReleaseFound found(const std::vector<std::size_t>& groups) const;

  const Simulator& simulator_;
  const Wanted& wanted_;
  std::string_view node_;
  SimulationBudget& budget_;
  std::size_t sets_ = 0;
  std::size_t most_sets_ = kMaxSets;
  std::vector<Group> groups_;  // the cheapest first
};

// A claim whose pods are not all visible is not released, nor one that only earlier pods of these
// names have reserved: to delete the new ones changes nothing. Neither does it to delete a claim
// that is being deleted.
void Releaser::add(const api::ResourceClaim& claim) {
  Group group{.claims = {&claim}, .pods = {}};
  if (!add_users(simulator_.snapshot(), claim, group.pods)) return;
  const bool unused = claim.status.reserved_for.empty();
  if (group.pods.empty() && (!unused || claim.meta.deleted)) return;
  // Groups that share a pod go together.
  for (auto other = groups_.begin(); other != groups_.end();) {
    const bool shares = std::ranges::find_first_of(other->pods, group.pods) != other->pods.end();
    if (!shares) {
      ++other;
      continue;
    }
    group.claims.insert(group.claims.end(), other->claims.begin(), other->claims.end());
    for (const api::Pod* pod : other->pods) {
      if (std::ranges::find(group.pods, pod) == group.pods.end()) group.pods.push_back(pod);
    }
    other = groups_.erase(other);
  }
  groups_.push_back(std::move(group));
}

void Releaser::gather() {
  std::set<const api::ResourceClaim*> seen;
  const Subject subject = resolve(simulator_.snapshot(), wanted_);
  for (const SubjectClaim& own : subject.claims)
    seen.insert(own.claim);
  for (const InventoryDevice& device : simulator_.inventory().devices()) {
    for (const Holding& holding : device.holders) {
      if (!holding.admin() && seen.insert(holding.claim).second) add(*holding.claim);
    }
  }
  for (Group& group : groups_) {
    group.of_own_workload = std::ranges::any_of(group.pods, [&subject](const api::Pod* pod) {
      return subject.pod != nullptr && work_together(*subject.pod, *pod);
    });
    group.works = std::ranges::any_of(group.claims, [this](const api::ResourceClaim* claim) {
      return is_at_work(simulator_.snapshot(), *claim);
    });
  }
  // Pods that work on several hosts all wait until the last one has its host.
  const auto slices = all_tpu_slices(simulator_.snapshot(), simulator_.inventory());
  if (slice_of(slices, node_))
    std::erase_if(groups_, [](const Group& one) { return one.of_own_workload; });
  std::ranges::stable_sort(groups_, {}, &Group::cost);
}

// Drops groups of the own workload where the others, which come first, are enough.
void Releaser::spare_own_workload(std::vector<std::size_t>& all) {
  const auto own = std::ranges::find(groups_, true, &Group::of_own_workload);
  const auto others = static_cast<std::size_t>(own - groups_.begin());
  if (others == 0 || others == groups_.size()) return;
  const std::vector<std::size_t> without(all.begin(), all.begin() + (own - groups_.begin()));
  if (!helps(without)) return;
  all = without;
  groups_.erase(own, groups_.end());
}

Release Releaser::release_of(const std::vector<std::size_t>& groups) const {
  Release release;
  for (const std::size_t i : groups) {
    for (const api::ResourceClaim* claim : groups_[i].claims)
      release.claims.push_back(full_name(claim->meta));
    for (const api::Pod* pod : groups_[i].pods)
      release.pods.push_back(full_name(pod->meta));
  }
  std::ranges::sort(release.claims);
  std::ranges::sort(release.pods);
  return release;
}

bool Releaser::helps(const std::vector<std::size_t>& groups) {
  if (!budget_.take()) return false;
  Hypothesis hypothesis(simulator_.snapshot(), wanted_);
  return hypothesis.apply(release_of(groups)).ok() && simulator_.run(hypothesis).starts();
}

// The most costly groups are spared first.
std::vector<std::size_t> Releaser::without_needless(std::vector<std::size_t> groups) {
  for (std::size_t i = groups.size(); i > 0 && groups.size() > 1; --i) {
    std::vector<std::size_t> fewer = groups;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i - 1));
    if (helps(fewer)) groups = std::move(fewer);
  }
  return groups;
}

// The first set of that size that helps and is accepted, in the order of cost.
std::optional<std::vector<std::size_t>> Releaser::first_of(std::size_t size, Accepts accepts) {
  std::vector<std::size_t> set(size);
  std::iota(set.begin(), set.end(), 0);
  while (sets_++ < most_sets_) {
    if (helps(set) && accepts(release_of(set))) return set;
    std::size_t place = size;
    while (place > 0 && set[place - 1] == groups_.size() - size + place - 1)
      --place;
    if (place == 0) return std::nullopt;
    ++set[place - 1];
    for (; place < size; ++place)
      set[place] = set[place - 1] + 1;
  }
  budget_.used_up = true;
  return std::nullopt;
}

ReleaseFound Releaser::found(const std::vector<std::size_t>& groups) const {
  ReleaseFound result{.release = release_of(groups)};
  for (const std::size_t i : groups) {
    result.parts.push_back(release_of({i}));
    result.priority = std::max(result.priority, groups_[i].priority());
    result.of_own_workload |= groups_[i].of_own_workload;
    result.works |= groups_[i].works;
  }
  return result;
}

}  // namespace

snapshot::Snapshot subset_for(const snapshot::Snapshot& whole, const Wanted& wanted,
                              const std::set<std::string_view>& nodes) {
  const Subject subject = resolve(whole, wanted);
  snapshot::SubsetScope part{.nodes = nodes, .namespace_ = wanted.namespace_};
  part.names.insert(wanted.pod);
  part.names.insert(wanted.claims.begin(), wanted.claims.end());
  part.whole_namespace = subject.group.has_value();
  for (const SubjectClaim& claim : subject.claims)
    part.names.insert(claim.claim != nullptr ? claim.claim->meta.name : std::string_view());
  return snapshot::subset_of(whole, part);
}

std::optional<ReleaseFound> release_on(const snapshot::Snapshot& whole, const Wanted& wanted,
                                       std::string_view node, SimulationBudget& budget) {
  const snapshot::Snapshot part = subset_for(whole, wanted, {node});
  const OtherPodsReasons none;  // the pods that go may be those that keep the subject away
  return Releaser(Simulator(part, none), wanted, node, budget).find();
}

void release_that(const snapshot::Snapshot& whole, const Wanted& wanted, std::string_view node,
                  SimulationBudget& budget, const ReleaseChoice& choice) {
  const snapshot::Snapshot part = subset_for(whole, wanted, {node});
  const OtherPodsReasons none;
  const Simulator simulator(part, none);
  Releaser(simulator, wanted, node, budget).find_that(choice);
}

OtherPodsReasons reasons_of_other_pods(std::span<const NodeResult> nodes) {
  OtherPodsReasons reasons;
  for (const NodeResult& node : nodes) {
    for (const diag::Reason& reason : node.other_reasons) {
      if (is_of_other_pods(reason.code)) reasons[node.name].push_back(reason);
    }
  }
  return reasons;
}

namespace {

// The pods that have reserved the claim. Empty: some are not visible, the subject's is among them,
// or all are gone.
std::vector<const api::Pod*> other_users(const snapshot::Snapshot& snapshot,
                                         const SubjectClaim& claim, const api::Pod* own) {
  std::vector<const api::Pod*> pods;
  const bool all = add_users(snapshot, *claim.claim, pods);
  return all && std::ranges::find(pods, own) == pods.end() ? pods : std::vector<const api::Pod*>();
}

void add_pods(const std::vector<const api::Pod*>& pods, const api::Pod* own, ReleaseFound& found) {
  for (const api::Pod* pod : pods) {
    std::string name = full_name(pod->meta);
    if (std::ranges::find(found.release.pods, name) != found.release.pods.end()) continue;
    found.release.pods.push_back(std::move(name));
    found.priority = std::max(found.priority, std::int64_t{pod->spec.priority});
    found.of_own_workload |= own != nullptr && work_together(*own, *pod);
  }
  std::ranges::sort(found.release.pods);
}

}  // namespace

std::vector<ReleaseFound> releases_of_own_claims(const Simulator& simulator, const Wanted& wanted) {
  std::vector<ReleaseFound> releases;
  ReleaseFound all;
  const Subject subject = resolve(simulator.snapshot(), wanted);
  for (const SubjectClaim& claim : subject.claims) {
    if (!claim.allocated()) continue;
    const auto pods = other_users(simulator.snapshot(), claim, subject.pod);
    if (pods.empty()) continue;
    const bool works = is_at_work(simulator.snapshot(), *claim.claim);
    for (ReleaseFound* found : {&releases.emplace_back(), &all}) {
      add_pods(pods, subject.pod, *found);
      found->works |= works;
    }
  }
  if (releases.size() > 1) releases.push_back(std::move(all));
  return releases;
}

bool fits_on_node_like(const snapshot::Snapshot& whole, const Wanted& wanted, std::string_view node,
                       SimulationBudget& budget) {
  if (!budget.take()) return false;
  const snapshot::Snapshot part = subset_for(whole, wanted, {node});
  Hypothesis hypothesis(part, wanted);
  if (!hypothesis.apply(AddNode{std::string(node), 1}).ok()) return false;
  const OtherPodsReasons none;
  const Simulation simulation = Simulator(hypothesis.base(), none).run(hypothesis);
  const std::string name = added_node_name(node, 1);
  return simulation.starts() && std::ranges::find(simulation.nodes, name) != simulation.nodes.end();
}

}  // namespace dra::engine

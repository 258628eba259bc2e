// src/engine/whatif/advice.cpp: which changes let the subject fit. See advice.h.
//
// The idea: propose, simulate, confirm. Proposals are cheap and may be wrong; only what the
// simulator confirms on the whole cluster is offered. So a proposal that is missing costs an
// advice, and a proposal that is wrong costs a run.
//
// The order:
//   1. Representative nodes. Nodes with the same figures and reasons are taken to answer every
//      proposal alike. One of each is tried, at most 16, those nearest to serving the subject
//      first. They are a snapshot of their own (snapshot/subset), with all that decides what can
//      be allocated there.
//   2. Changes of the subject, on that subset: incomplete pools, selectors, tolerations, counts,
//      constraints, alternatives, the selection of nodes. For counts the largest that fits is found
//      by bisection: where so many devices fit, fewer do. Of wider attributes and of parts only the
//      first that helps is kept, as it changes least.
//   3. Releases, on one node of the subset at a time: see advice_nodes.cpp.
//   4. Pairs of what failed alone, if nothing but releases of the subject's own workload helped.
//   5. One more node like each representative; of a node pool the first that helps.
//   6. Pods that could move: see moves.h. They are no change to suppose, and so no advice.
//   7. Confirmation on all nodes, in the order of the ranks. Here the number of nodes is counted,
//      and a release has to be minimal everywhere, not only where it was found.
//
// Ranking: see advice_rank.h. Of what ends no work and keeps to the hardware that was asked for,
// the best of each kind of change comes before the second of any; the rest comes behind, rank by
// rank. There are at most two of a kind and six in all.
//
// What is left out, and why that is sound:
//   - More than two changes together, pairs beyond the first 12 failures, releases beyond 8 nodes.
//     `bounded` says so, and a kind is in vain only if something of it was tried and none helped.
//   - A second look at new nodes. A new node is the only node that changes, so what was found on
//     the subset holds for the cluster; unless a node that is there makes the scheduler give up on
//     the pod, and then new nodes are not offered. Where pods on other nodes decide (affinity
//     between pods), there is a second look.
//   - What a sample refuses and another node would accept. Advice may be missing for it, but no
//     advice is wrong.
// The budget of 2,000 runs, or fewer where one takes long, is for all steps; a run that was not
// made counts as "does not help".

#include "dra/engine/whatif/advice.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <tuple>

#include "dra/engine/cluster/tpu_hosts.h"
#include "src/engine/whatif/added_nodes.h"
#include "src/engine/whatif/advice_nodes.h"
#include "src/engine/whatif/advice_rank.h"
#include "src/engine/whatif/moves.h"
#include "src/engine/whatif/proposals.h"
#include "src/engine/whatif/representative_nodes.h"
#include "src/engine/whatif/turn.h"

namespace dra::engine {
namespace {

constexpr std::size_t kMaxAdviceSample = 16;
constexpr std::size_t kMaxExamples = 3;
constexpr std::size_t kMaxOfMeans = 2;   // of one kind, in what is offered
constexpr std::size_t kMaxReleases = 8;  // nodes on which sets of claims are looked for
constexpr std::size_t kMaxPairs = 12;    // proposals that are tried two by two

struct Candidate {
  Proposal changes;
  AdviceRank rank = AdviceRank::Wait;
  std::int64_t place = 0;           // among those of its rank; smaller is better
  bool pair = false;                // of two that did not help alone; comes behind all that do
  std::size_t turn = 0;             // place among those of its kind
  std::vector<Release> parts = {};  // of a release, where it has several

  Means means() const { return means_of(changes.back()); }
  bool swaps() const { return rank == AdviceRank::FreeOwn; }
};

const SelectorPlace* selector_place(const Change& change) {
  if (const auto* drop = std::get_if<DropSelector>(&change)) return &drop->place;
  if (const auto* edit = std::get_if<EditSelector>(&change)) return &edit->place;
  return nullptr;
}

// Together, the later one would undo the earlier.
bool are_for_one_selector(const Proposal& a, const Proposal& b) {
  const SelectorPlace* one = selector_place(a.front());
  const SelectorPlace* other = selector_place(b.front());
  return one != nullptr && other != nullptr && *one == *other;
}

// Of two that are dropped from one list the last is dropped first: the index of the other still
// holds.
std::int64_t place_in_list(const Change& change) {
  const auto* constraint = std::get_if<DropConstraint>(&change);
  const SelectorPlace* selector = selector_place(change);
  const std::size_t place = constraint != nullptr ? constraint->constraint
                            : selector != nullptr ? selector->selector
                                                  : 0;
  return static_cast<std::int64_t>(place);
}

std::size_t requests_of(const Subject& subject) {
  std::size_t requests = 0;
  for (const SubjectClaim& claim : subject.claims) {
    if (claim.unmet() != nullptr) requests += claim.unmet()->devices.requests.size();
  }
  return requests;
}

class Adviser {
 public:
  Adviser(const Simulator& simulator, const Wanted& wanted, std::span<const NodeResult> nodes)
      : simulator_(simulator),
        wanted_(wanted),
        nodes_(nodes),
        sample_(representative_nodes(nodes, kMaxAdviceSample)) {}

  AdviceFound find();

 private:
  void try_on_sample(const Simulator& sample);
  void try_one(const Simulator& sample, Proposal proposal, std::int64_t place = 0);
  bool try_alone(const Simulator& sample, const Proposal& proposal, std::int64_t place = 0);
  void try_first(const Simulator& sample, const std::vector<std::vector<Proposal>>& all);
  void try_counts(const Simulator& sample, const std::vector<Proposal>& down);
  void try_pairs(const Simulator& sample);
  bool any_held() const;
  void try_releases(const Simulator& sample);
  void try_moves();
  void try_new_nodes(const Simulator& sample);
  void note_tried(Means means);
  bool helps(Means means) const;
  Simulation simulate(const Simulator& simulator, const Proposal& proposal);
  bool is_needed_everywhere(const Candidate& candidate) const;
  bool holds_among_other_pods(const Candidate& candidate) const;
  std::optional<Advice> confirmed(const Candidate& candidate) const;
  std::vector<std::string> in_front(const Candidate& candidate) const;
  void confirm();

  const Simulator& simulator_;
  const Wanted& wanted_;
  std::span<const NodeResult> nodes_;
  std::vector<std::size_t> sample_;
  SimulationBudget budget_;
  std::vector<Candidate> candidates_;  // that work on the sample
  std::vector<Proposal> failed_;       // by themselves
  // Nodes on which a release helps, with the number of its pods.
  std::vector<std::pair<std::size_t, std::string>> released_;
  AdviceFound found_;
};

bool Adviser::helps(Means means) const {
  return std::ranges::find(candidates_, means, &Candidate::means) != candidates_.end();
}

void Adviser::note_tried(Means means) {
  auto& tried = found_.in_vain;
  if (std::ranges::find(tried, means) == tried.end()) tried.push_back(means);
}

Simulation Adviser::simulate(const Simulator& simulator, const Proposal& proposal) {
  if (!budget_.take()) return {};
  Hypothesis hypothesis(simulator.snapshot(), wanted_);
  return hypothesis.apply(proposal).ok() ? simulator.run(hypothesis) : Simulation{};
}

bool Adviser::try_alone(const Simulator& sample, const Proposal& proposal, std::int64_t place) {
  note_tried(means_of(proposal.back()));
  if (!simulate(sample, proposal).starts()) return false;
  candidates_.push_back({.changes = proposal, .rank = rank_of(proposal), .place = place});
  return true;
}

void Adviser::try_one(const Simulator& sample, Proposal proposal, std::int64_t place) {
  if (!try_alone(sample, proposal, place)) failed_.push_back(std::move(proposal));
}

// Of each list the first that helps.
void Adviser::try_first(const Simulator& sample, const std::vector<std::vector<Proposal>>& all) {
  for (const std::vector<Proposal>& proposals : all) {
    for (const Proposal& proposal : proposals) {
      if (try_alone(sample, proposal)) break;
    }
  }
}

// Proposals are in falling order of their counts. The largest count that fits is offered; of hosts
// that are prepared whole or not at all, the largest with which the subject starts.
void Adviser::try_counts(const Simulator& sample, const std::vector<Proposal>& down) {
  note_tried(Means::SetCount);
  if (!simulate(sample, down.back()).works()) {
    failed_.push_back(down.back());
    return;
  }
  const auto fits = [&](const Proposal& one) { return simulate(sample, one).works(); };
  const auto starts = [&](const Proposal& one) { return simulate(sample, one).starts(); };
  const auto most = std::partition_point(down.begin(), down.end() - 1,
                                         [&fits](const Proposal& one) { return !fits(one); });
  const auto found = std::find_if(most, down.end(), starts);
  if (found != down.end()) candidates_.push_back({*found, rank_of(*found)});
}

void Adviser::try_on_sample(const Simulator& sample) {
  const Subject subject = resolve(sample.snapshot(), wanted_);
  budget_.limit(requests_of(subject), sample.inventory().devices().size());
  for (Proposal& proposal : to_wait(sample))
    try_one(sample, std::move(proposal));
  for (Proposal& proposal : to_change_selectors(sample, subject)) {
    // Dropping a condition changes less than dropping the selector.
    const auto* drop = std::get_if<DropSelector>(&proposal.front());
    try_one(sample, std::move(proposal), drop != nullptr && !drop->span ? 1 : 0);
  }
  for (Proposal& proposal : to_tolerate(sample, subject)) {
    // A toleration for all requests of a claim is tried where none for a single request helps.
    const auto& first = std::get<Tolerate>(proposal.front());
    const bool of_claim = !first.claim.empty() && first.request.empty();
    if (of_claim && helps(Means::Tolerate)) continue;
    const auto size = static_cast<std::int64_t>(proposal.size());
    try_one(sample, std::move(proposal), size);
  }
  for (const std::vector<Proposal>& down : to_lower_counts(sample, subject))
    try_counts(sample, down);
  for (Proposal& proposal : to_ask_for_whole_hosts(sample, subject))
    try_one(sample, std::move(proposal));
  try_first(sample, to_split_requests(subject));
  try_first(sample, to_relax_constraints(sample, subject));
  for (Proposal& proposal : to_drop_constraints(subject))
    try_one(sample, std::move(proposal));
  for (Proposal& proposal : to_use_alternatives(subject))
    try_one(sample, std::move(proposal));
  for (const Proposal& proposal : to_select_nodes(sample, subject))
    try_alone(sample, proposal);
}

// Any two changes go together that are not for one selector.
void Adviser::try_pairs(const Simulator& sample) {
  const std::size_t count = std::min(failed_.size(), kMaxPairs);
  found_.bounded |= failed_.size() > kMaxPairs;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      if (are_for_one_selector(failed_[i], failed_[j])) continue;
      Proposal both = failed_[i];
      both.insert(both.end(), failed_[j].begin(), failed_[j].end());
      std::ranges::stable_sort(both, {}, [](const Change& change) {
        return std::pair(means_of(change), -place_in_list(change));
      });
      if (!simulate(sample, both).starts()) continue;
      const AdviceRank rank = rank_of(both);
      candidates_.push_back({.changes = std::move(both), .rank = rank, .pair = true});
    }
  }
}

bool Adviser::any_held() const {
  return std::ranges::any_of(simulator_.inventory().devices(),
                             [](const InventoryDevice& device) { return !device.holders.empty(); });
}

// The cheapest release of each node; in their ranks by fewest pods, then fewest claims, then the
// least important pods.
void Adviser::try_releases(const Simulator& sample) {
  std::vector<ReleaseFound> releases;
  const std::size_t nodes = std::min(sample_.size(), kMaxReleases);
  bool tried = false;
  for (std::size_t i = 0; i < nodes; ++i) {
    const NodeResult& node = nodes_[sample_[i]];
    const bool in_use = std::ranges::any_of(
        node.drivers, [](const DriverCounts& driver) { return driver.in_use > 0; });
    const bool shared = std::ranges::any_of(
        node.demands, [](const DemandResult& demand) { return demand.matching > demand.usable; });
    if (!in_use && !(shared && any_held())) continue;
    tried = true;
    auto found = release_on(sample.snapshot(), wanted_, node.name, budget_);
    if (!found) continue;
    released_.emplace_back(found->release.pods.size(), node.name);
    releases.push_back(*std::move(found));
  }
  found_.bounded |= tried && sample_.size() > nodes;
  for (ReleaseFound& own : releases_of_own_claims(simulator_, wanted_)) {
    tried = true;
    if (simulate(simulator_, {own.release}).starts()) releases.push_back(std::move(own));
  }
  if (tried) note_tried(Means::Release);
  std::ranges::stable_sort(releases, {}, [](const ReleaseFound& one) {
    return std::tuple(one.release.pods.size(), one.release.claims.size(), one.priority);
  });
  const Subject subject = resolve(simulator_.snapshot(), wanted_);
  for (std::size_t i = 0; i < releases.size(); ++i) {
    Proposal proposal{releases[i].release};
    const bool known = std::ranges::any_of(
        candidates_, [&](const Candidate& one) { return one.changes == proposal; });
    if (known) continue;
    const RankFacts facts{.works = releases[i].works,
                          .lower_priority = subject.pod != nullptr &&
                                            releases[i].priority < subject.pod->spec.priority,
                          .own_workload = releases[i].of_own_workload};
    const AdviceRank rank = rank_of(proposal, facts);
    candidates_.push_back({.changes = std::move(proposal),
                           .rank = rank,
                           .place = static_cast<std::int64_t>(i),
                           .parts = std::move(releases[i].parts)});
  }
}

void Adviser::try_moves() {
  std::ranges::stable_sort(released_, {}, &std::pair<std::size_t, std::string>::first);
  std::vector<std::string> nodes;
  for (const auto& [pods, node] : released_)
    nodes.push_back(node);
  found_.moves = moves_for(simulator_, wanted_, nodes, budget_);
}

void Adviser::try_new_nodes(const Simulator& sample) {
  if (simulator_.nodes().assumed) return;
  const auto slices = all_tpu_slices(simulator_.snapshot(), simulator_.inventory());
  std::set<std::string_view> pools;  // node pools with an advice: their nodes are alike
  for (const std::size_t i : sample_) {
    const std::string& like = nodes_[i].name;
    // Hosts of a slice are wired together: none can be added to one that has all its nodes.
    if (const auto slice = slice_of(slices, like); slice && slice->absent == 0) continue;
    note_tried(Means::AddNode);
    const api::Node* node = simulator_.snapshot().find<api::Node>(like);
    const std::string_view pool = node == nullptr ? std::string_view() : node_pool_of(*node);
    if (pools.contains(pool)) continue;
    if (fits_on_node_like(sample.snapshot(), wanted_, like, budget_)) {
      const auto priority =
          node == nullptr ? std::nullopt : priority_of(simulator_.snapshot(), *node);
      Proposal added{AddNode{like, 1}};
      const AdviceRank rank = rank_of(added, {.of_node_pool = !pool.empty()});
      candidates_.push_back({std::move(added), rank, priority ? priority->place : 0});
      if (!pool.empty()) pools.insert(pool);
    }
  }
}

// A release is minimal for the node where it was found. With less of it the subject may fit on
// another node, and then it is not minimal.
bool Adviser::is_needed_everywhere(const Candidate& candidate) const {
  if (candidate.parts.size() < 2) return true;
  for (const Release& spared : candidate.parts) {
    Proposal fewer;
    std::ranges::copy_if(candidate.parts, std::back_inserter(fewer),
                         [&spared](const Release& part) { return part != spared; });
    Hypothesis hypothesis(simulator_.snapshot(), wanted_);
    if (hypothesis.apply(fewer).ok() && simulator_.run(hypothesis).starts()) return false;
  }
  return true;
}

// On a part of the cluster, pods elsewhere have nothing against a new node.
bool Adviser::holds_among_other_pods(const Candidate& candidate) const {
  const api::Pod* pod = simulator_.snapshot().find<api::Pod>(wanted_.namespace_, wanted_.pod);
  if (pod == nullptr || !depends_on_other_pods(*pod, simulator_.loads())) return true;
  Hypothesis hypothesis(simulator_.snapshot(), wanted_);
  if (!hypothesis.apply(candidate.changes).ok()) return false;
  const auto* added = std::get_if<AddNode>(&candidate.changes.back());
  const Simulation simulation = simulator_.run(hypothesis);
  const std::string name = added_node_name(added->like, 1);
  return std::ranges::find(simulation.nodes, name) != simulation.nodes.end();
}

std::optional<Advice> Adviser::confirmed(const Candidate& candidate) const {
  Advice advice{.changes = candidate.changes};
  // The new node is the only node that changes, and the subject fits there.
  if (candidate.means() == Means::AddNode) {
    if (!holds_among_other_pods(candidate)) return std::nullopt;
    advice.nodes = 1;
    advice.in_front = in_front(candidate);
    return advice;
  }
  Hypothesis hypothesis(simulator_.snapshot(), wanted_);
  if (!hypothesis.apply(candidate.changes).ok()) return std::nullopt;
  const Simulation simulation = simulator_.run(hypothesis);
  if (!simulation.starts() || !is_needed_everywhere(candidate)) return std::nullopt;
  advice.nodes = static_cast<std::int64_t>(simulation.nodes.size());
  for (std::size_t i = 0; i < std::min(simulation.nodes.size(), kMaxExamples); ++i)
    advice.examples.emplace_back(simulation.nodes[i]);
  advice.in_front = in_front(candidate);
  return advice;
}

// What becomes free or is added serves others as well. A change of the subject alone does not.
std::vector<std::string> Adviser::in_front(const Candidate& candidate) const {
  if (candidate.means() != Means::Release && candidate.means() != Means::AddNode) return {};
  if (!waits_behind(simulator_.snapshot(), wanted_, InFront::HigherPriority)) return {};
  Hypothesis hypothesis(simulator_.snapshot(), wanted_);
  if (!hypothesis.apply(candidate.changes).ok()) return {};
  const auto turn = turn_of(hypothesis.snapshot(), wanted_, InFront::HigherPriority);
  return turn ? turn->before : std::vector<std::string>();
}

// Where the scheduler gives up on the pod at some node, a new node does not help.
void Adviser::confirm() {
  std::ranges::stable_sort(candidates_, {}, [](const Candidate& one) {
    return std::tuple(one.rank, one.pair, one.means(), one.place);
  });
  std::map<Means, std::size_t> of_kind;
  for (Candidate& candidate : candidates_)
    candidate.turn = of_kind[candidate.means()]++;
  std::ranges::stable_sort(candidates_, {}, [](const Candidate& one) {
    const AdviceRank late = std::max(one.rank, AdviceRank::FreeOthers);
    return std::tuple(late, one.turn, one.rank);
  });
  const bool gives_up = std::ranges::any_of(nodes_, &NodeResult::aborts_pod);
  std::map<Means, std::size_t> offered;
  for (const Candidate& candidate : candidates_) {
    std::size_t& of_means = offered[candidate.means()];
    if (found_.advice.size() == kMaxAdvice) break;
    if (of_means == kMaxOfMeans || (gives_up && candidate.means() == Means::AddNode)) continue;
    if (auto advice = confirmed(candidate)) {
      found_.advice.push_back(*std::move(advice));
      ++of_means;
    }
  }
  std::erase_if(found_.in_vain, [&offered](Means means) { return offered[means] > 0; });
  std::ranges::sort(found_.in_vain);
  found_.bounded |= budget_.used_up;
}

AdviceFound Adviser::find() {
  if (sample_.empty()) return {};
  std::set<std::string_view> names;
  for (const std::size_t i : sample_)
    names.insert(nodes_[i].name);
  const snapshot::Snapshot part = subset_for(simulator_.snapshot(), wanted_, names);
  const OtherPodsReasons elsewhere = reasons_of_other_pods(nodes_);
  const Simulator sample(part, elsewhere);
  try_on_sample(sample);
  try_releases(sample);
  if (std::ranges::all_of(candidates_, &Candidate::swaps)) try_pairs(sample);
  try_new_nodes(sample);
  try_moves();
  confirm();
  return std::move(found_);
}

}  // namespace

Means means_of(const Change& change) {
  // In the order of the variant.
  constexpr std::array means = {Means::SetCount,      Means::DropSelector,   Means::EditSelector,
                                Means::Tolerate,      Means::DropConstraint, Means::RelaxConstraint,
                                Means::SplitRequests, Means::UseAlternative, Means::SelectNodes,
                                Means::Release,       Means::AddNode,        Means::Wait,
                                Means::RemoveNode,    Means::JoinNodes,      Means::Drain};
  return means[change.index()];
}

std::string_view name_of(Means means) {
  switch (means) {
    case Means::Wait:
      return "wait";
    case Means::EditSelector:
      return "editSelector";
    case Means::Tolerate:
      return "tolerate";
    case Means::Release:
      return "release";
    case Means::SplitRequests:
      return "splitRequests";
    case Means::RelaxConstraint:
      return "relaxConstraint";
    case Means::SetCount:
      return "setCount";
    case Means::DropConstraint:
      return "dropConstraint";
    case Means::UseAlternative:
      return "useAlternative";
    case Means::DropSelector:
      return "dropSelector";
    case Means::SelectNodes:
      return "selectNodes";
    case Means::AddNode:
      return "addNode";
    case Means::RemoveNode:
      return "removeNode";
    case Means::JoinNodes:
      return "joinNodes";
    case Means::Drain:
      return "drain";
  }
  return "";
}

AdviceFound advice_for(const Simulator& simulator, const Wanted& wanted,
                       std::span<const NodeResult> nodes) {
  return Adviser(simulator, wanted, nodes).find();
}

}  // namespace dra::engine

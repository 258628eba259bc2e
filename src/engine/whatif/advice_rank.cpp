// src/engine/whatif/advice_rank.cpp: one function for each kind of change.

#include "src/engine/whatif/advice_rank.h"

#include <algorithm>

#include "dra/engine/selectors/value_changes.h"

namespace dra::engine {
namespace {

struct RankOf {
  const RankFacts& facts;

  AdviceRank operator()(const Wait&) const { return AdviceRank::Wait; }
  // Any other text is another wish; another number is a smaller one.
  AdviceRank operator()(const EditSelector& change) const {
    if (std::ranges::all_of(change.values, is_slip)) return AdviceRank::Correct;
    return asks_for_others(change.values) ? AdviceRank::OtherDevices : AdviceRank::AskForLess;
  }
  // Without a selector, any device of the class will do.
  AdviceRank operator()(const DropSelector& change) const {
    return change.span ? AdviceRank::AskForLess : AdviceRank::OtherDevices;
  }
  AdviceRank operator()(const Tolerate& change) const {
    return change.claim.empty() ? AdviceRank::TolerateNode : AdviceRank::TolerateDevice;
  }
  AdviceRank operator()(const SplitRequests&) const { return AdviceRank::Align; }
  AdviceRank operator()(const RelaxConstraint&) const { return AdviceRank::Align; }
  AdviceRank operator()(const SetCount&) const { return AdviceRank::AskForLess; }
  AdviceRank operator()(const DropConstraint&) const { return AdviceRank::AskForLess; }
  AdviceRank operator()(const UseAlternative&) const { return AdviceRank::AskForLess; }
  AdviceRank operator()(const SelectNodes& change) const {
    return change.other_devices ? AdviceRank::OtherDevices : AdviceRank::OtherNodes;
  }
  AdviceRank operator()(const Release&) const {
    if (facts.own_workload) return AdviceRank::FreeOwn;
    if (!facts.works) return AdviceRank::FreeUnused;
    return facts.lower_priority ? AdviceRank::FreeLower : AdviceRank::FreeOthers;
  }
  AdviceRank operator()(const AddNode&) const {
    return facts.of_node_pool ? AdviceRank::AddNodeOfPool : AdviceRank::AddNode;
  }
  AdviceRank operator()(const JoinNodes&) const { return AdviceRank::AddNode; }
  AdviceRank operator()(const RemoveNode&) const { return AdviceRank::FreeOthers; }
  AdviceRank operator()(const Drain&) const { return AdviceRank::FreeOthers; }
};

}  // namespace

AdviceRank rank_of(const Change& change, const RankFacts& facts) {
  return std::visit(RankOf{facts}, change);
}

AdviceRank rank_of(std::span<const Change> changes, const RankFacts& facts) {
  AdviceRank most = AdviceRank::Wait;
  for (const Change& change : changes)
    most = std::max(most, rank_of(change, facts));
  return most;
}

}  // namespace dra::engine

// src/engine/whatif/conflicts.cpp: see conflicts.h.

#include "dra/engine/whatif/conflicts.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "dra/base/minimal_set.h"
#include "src/engine/whatif/advice_nodes.h"
#include "src/engine/whatif/sample.h"

namespace dra::engine {
namespace {

using Parts = std::vector<DemandPart>;

constexpr std::size_t kMaxConflictSample = 12;
constexpr std::int64_t kMaxTrials = 600;  // on the sample, for all conflicts
constexpr int kMaxRounds = 6;             // with a node more in the sample

class ConflictFinder {
 public:
  ConflictFinder(const TrialGround& ground, const Wanted& wanted,
                 std::span<const NodeStanding> nodes)
      : ground_(ground), wanted_(wanted), budget_{.trials = kMaxTrials} {
    for (const std::size_t i : sample_of(nodes, kMaxConflictSample))
      names_.insert(nodes[i].name);
    take_sample();
  }

  ConflictsFound find();

 private:
  void take_sample();
  bool feasible(const Parts& kept);
  std::optional<Conflict> on_sample(const Parts& parts);
  std::optional<Conflict> proven(const Parts& parts);
  Conflict without_needless(Conflict conflict);

  const TrialGround& ground_;
  const Wanted& wanted_;
  TrialBudget budget_;
  bool unknown_ = false;  // some trial was not decided
  std::set<std::string_view> names_;
  std::unique_ptr<const snapshot::Snapshot> part_;
  std::unique_ptr<const TrialGround> sample_;
};

void ConflictFinder::take_sample() {
  sample_.reset();
  part_ =
      std::make_unique<const snapshot::Snapshot>(ground_part(ground_.snapshot(), wanted_, names_));
  sample_ = std::make_unique<const TrialGround>(*part_);
}

bool ConflictFinder::feasible(const Parts& kept) {
  if (!budget_.take()) return true;
  const Tried tried = attempt_with(*sample_, wanted_, kept);
  unknown_ = unknown_ || (!tried.works() && !tried.fails());
  return tried.works();
}

std::optional<Conflict> ConflictFinder::on_sample(const Parts& parts) {
  if (parts.empty() || feasible(parts) || !feasible({})) return std::nullopt;
  Conflict conflict =
      base::minimal_set(parts, [this](const Parts& kept) { return !feasible(kept); });
  if (feasible(conflict)) conflict = parts;
  conflict = without_needless(std::move(conflict));
  if (budget_.used_up || unknown_) return std::nullopt;
  return conflict;
}

// What cannot be met may become so with one part more: an error that ends the allocator comes of
// one part and goes with another, and a selector spares a request for all devices those that are in
// use. So what was found need not be minimal, nor a conflict at all. Of an infeasible set parts are
// left out until each that is left is needed.
Conflict ConflictFinder::without_needless(Conflict conflict) {
  for (std::size_t i = conflict.size(); i > 0;) {
    Parts fewer = conflict;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i - 1));
    if (feasible(fewer)) {
      --i;
    } else {
      conflict = std::move(fewer);
      i = conflict.size();
    }
  }
  return conflict;
}

// A node that can serve a set which the sample cannot becomes part of the sample.
std::optional<Conflict> ConflictFinder::proven(const Parts& parts) {
  for (int round = 0; round < kMaxRounds; ++round) {
    auto conflict = on_sample(parts);
    if (!conflict) return std::nullopt;
    if (names_.size() == ground_.nodes().nodes.size()) return conflict;
    const Tried tried = attempt_with(ground_, wanted_, *conflict);
    if (tried.fails()) return conflict;
    if (!tried.works()) break;
    names_.insert(tried.nodes.front());
    take_sample();
  }
  budget_.used_up = true;
  return std::nullopt;
}

// The next has to do without something of each that is known; what comes last in a set is what is
// asked for least.
ConflictsFound ConflictFinder::find() {
  ConflictsFound found;
  Parts parts = parts_of(ground_, wanted_);
  while (found.conflicts.size() < kMaxConflicts) {
    auto conflict = proven(parts);
    if (!conflict) break;
    std::erase(parts, conflict->back());
    found.conflicts.push_back(*std::move(conflict));
  }
  found.bounded = budget_.used_up || unknown_;
  return found;
}

}  // namespace

ConflictsFound conflicts_of(const TrialGround& ground, const Wanted& wanted,
                            std::span<const NodeStanding> nodes) {
  const Subject subject = resolve(ground.snapshot(), wanted);
  const bool special = std::ranges::any_of(
      subject.claims, [](const SubjectClaim& claim) { return claim.extended != nullptr; });
  if (special || nodes.empty()) return {};
  return ConflictFinder(ground, wanted, nodes).find();
}

}  // namespace dra::engine

// src/engine/allocate.cpp: see allocate.h.

#include "dra/engine/allocate.h"

#include <algorithm>

#include "dra/api/limits.h"
#include "dra/base/text.h"
#include "src/engine/allocation_errors.h"
#include "src/engine/allocation_reasons.h"
#include "src/engine/search.h"

namespace dra::engine {
namespace {

using diag::Code;

// The claim's allocation gets a node selector; of the devices' own, only those with one term can
// become part of it, unless a device is bound to the node anyway.
std::optional<diag::Reason> no_node_selector(const Scene& scene, const Problem& problem,
                                             const std::vector<Picked>& picked, std::size_t claim) {
  for (const Picked& one : picked) {
    if (problem.demands[one.demand].claim != claim) continue;
    const SeenDevice& device = problem.devices[one.device];
    const api::SliceSpec& slice = device.published.slice->spec;
    const api::Device& published = *device.published.device;
    const bool per_device = slice.per_device_node_selection;
    const bool binds = published.binds_to_node && scene.knows_binding_and_capacity();
    if (binds || !(per_device ? published.node_name : slice.node_name).empty()) return std::nullopt;
    const auto& selector = per_device ? published.node_selector : slice.node_selector;
    if (selector && selector->terms.size() > 1)
      return selector_with_many_terms(device, selector->terms.size());
  }
  return std::nullopt;
}

PickedDevice result_of(const Problem& problem, const Picked& picked) {
  const DemandHere& demand = problem.demands[picked.demand];
  const SeenDevice& device = problem.devices[picked.device];
  PickedDevice result{.claim = demand.subject_claim,
                      .request = demand.name,
                      .id = device.id(),
                      .admin_access = demand.admin(),
                      .share = device.shareable};
  const CapacityDraw* draw = demand.draw_for(picked.device);
  if (!device.shareable || draw == nullptr) return result;
  for (const CapacityPart& part : draw->parts)
    result.consumed.emplace_back(part.name, part.part);
  return result;
}

void finish(const Scene& scene, const Problem& problem, const Search& search,
            NodeAllocation& allocation) {
  for (std::size_t claim = 0; claim < problem.claims.size(); ++claim) {
    auto fatal = no_node_selector(scene, problem, search.picked(), claim);
    if (!fatal) continue;
    fatal->claim = problem.claims[claim].claim->label();
    allocation.ending = Ending::Fatal;
    allocation.fatal = std::move(fatal);
    return;
  }
  allocation.ending = Ending::Fits;
  for (const Picked& picked : search.picked())
    allocation.devices.push_back(result_of(problem, picked));
}

std::vector<std::int64_t> usable_of(const Problem& problem) {
  std::vector<std::int64_t> usable;
  for (const DemandHere& demand : problem.demands)
    usable.push_back(std::ranges::count_if(demand.judged, &Judgement::usable));
  return usable;
}

NodeAllocation search_for(const Scene& scene, Problem& problem, SearchBudget& budget) {
  NodeAllocation allocation{.usable = usable_of(problem)};
  Search search(scene, problem, std::min(budget.each_node, budget.all_nodes));
  const Step step = search.run();
  budget.all_nodes = std::max<std::int64_t>(budget.all_nodes - search.looked_at(), 0);
  switch (step) {
    case Step::Found:
      finish(scene, problem, search, allocation);
      break;
    case Step::Failed:
      allocation.ending =
          problem.invalid_pool && !scene.as_in_34() ? Ending::PoolError : Ending::NoSolution;
      break;
    case Step::TooMany:
      allocation.ending = Ending::Fatal;
      allocation.fatal =
          diag::Reason{.code = Code::TooManyResults,
                       .claim = problem.claims.front().claim->label(),
                       .message = base::format(
                           "whichever alternatives are taken, the claim would have more than "
                           "{} devices",
                           api::kMaxResults)};
      break;
    case Step::Fatal:
      allocation.ending = Ending::Fatal;
      allocation.fatal = search.fatal();
      break;
    case Step::Budget:
      allocation.ending = Ending::Budget;
      allocation.fatal =
          diag::Reason{.code = Code::Budget,
                       .message = "there are too many combinations of devices to try them all"};
      break;
  }
  if (allocation.ending != Ending::Fits)
    allocation.reasons = reasons_against(scene, problem, &search);
  return allocation;
}

}  // namespace

Allocator::Allocator(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                     const Demands& demands, const Subject& subject)
    : snapshot_(snapshot),
      inventory_(inventory),
      demands_(demands),
      subject_(subject),
      features_(features_of(snapshot.server())),
      release_(minor_release(snapshot.server())),
      copy_(allocator_copy(features_, release_)) {}

NodeAllocation Allocator::allocate(const api::Node& node, const SeenPools& pools,
                                   SearchBudget& budget) const {
  const Scene scene{snapshot_, inventory_, demands_, subject_,
                    features_, release_,   copy_,    evidence_};
  Problem problem = problem_of(scene, node, pools);
  if (problem.unknown) return {};
  if (problem.fatal) {
    NodeAllocation allocation{
        .ending = Ending::Fatal, .fatal = problem.fatal, .usable = usable_of(problem)};
    allocation.reasons = reasons_against(scene, problem, nullptr);
    return allocation;
  }
  return search_for(scene, problem, budget);
}

}  // namespace dra::engine

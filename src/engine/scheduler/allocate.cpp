// src/engine/scheduler/allocate.cpp: assembles the problem, searches, and words the outcome.

#include "dra/engine/scheduler/allocate.h"

#include <algorithm>

#include "dra/api/cluster_objects.h"
#include "src/engine/scheduler/allocation_errors.h"
#include "src/engine/scheduler/allocation_reasons.h"
#include "src/engine/scheduler/search.h"

namespace dra::engine {
namespace {

PickedDevice result_of(const Problem& problem, const Picked& picked) {
  const DemandHere& demand = problem.demands[picked.demand];
  const SeenDevice& device = problem.devices[picked.device];
  PickedDevice result{.claim = demand.subject_claim,
                      .request = demand.name,
                      .published = device.published,
                      .admin_access = demand.admin(),
                      .share = device.shareable};
  const CapacityDraw* draw = demand.draw_for(picked.device);
  if (!device.shareable || draw == nullptr) return result;
  for (const CapacityPart& part : draw->parts)
    result.consumed.emplace_back(part.name, part.part);
  return result;
}

void finish(const AllocationInput& input, const Problem& problem, const Search& search,
            NodeAllocation& allocation) {
  if (auto fatal = fatal_of_results(input, problem, search.picked())) {
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

NodeAllocation search_for(const AllocationInput& input, Problem& problem, SearchBudget& budget) {
  NodeAllocation allocation{.usable = usable_of(problem)};
  Search search(input, problem, std::min(budget.each_node, budget.all_nodes));
  const SearchEnd step = search.run();
  budget.all_nodes = std::max<std::int64_t>(budget.all_nodes - search.looked_at(), 0);
  switch (step) {
    case SearchEnd::Found:
      finish(input, problem, search, allocation);
      break;
    case SearchEnd::Failed:
      allocation.ending =
          problem.invalid_pool && !input.as_in_34() ? Ending::PoolError : Ending::NoSolution;
      break;
    case SearchEnd::TooMany:
      allocation.ending = Ending::Fatal;
      allocation.fatal = too_many_results(problem);
      break;
    case SearchEnd::Fatal:
      allocation.ending = Ending::Fatal;
      allocation.fatal = search.fatal();
      break;
    case SearchEnd::Budget:
      allocation.ending = Ending::Budget;
      allocation.fatal = out_of_budget();
      break;
  }
  if (allocation.ending != Ending::Fits && input.depth != Depth::Answer)
    allocation.reasons = reasons_against(input, problem, &search);
  return allocation;
}

}  // namespace

Allocator::Allocator(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                     const Demands& demands, const Subject& subject, Depth depth)
    : snapshot_(snapshot),
      inventory_(inventory),
      demands_(demands),
      subject_(subject),
      features_(features_of(snapshot.server())),
      release_(minor_release(snapshot.server())),
      variant_(allocator_variant(features_, release_)),
      depth_(depth) {}

AllocationInput Allocator::input() const {
  return {snapshot_, inventory_, demands_, subject_, features_, release_, variant_, depth_};
}

NodeAllocation Allocator::allocate(const api::Node& node, const SeenPools& pools,
                                   SearchBudget& budget) const {
  const AllocationInput input = this->input();
  Problem problem = problem_of(input, node, pools);
  if (problem.unknown) return {};
  if (problem.fatal) {
    NodeAllocation allocation{
        .ending = Ending::Fatal, .fatal = problem.fatal, .usable = usable_of(problem)};
    if (depth_ != Depth::Answer) allocation.reasons = reasons_against(input, problem, nullptr);
    return allocation;
  }
  return search_for(input, problem, budget);
}

}  // namespace dra::engine

// src/engine/scheduler/device_verdict.cpp: asks all rules of the device first, in a problem
// assembled past errors and unusable pools; only if none rejects it, a search with the device
// pinned decides.

#include "dra/engine/scheduler/device_verdict.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "dra/base/text.h"
#include "dra/engine/scheduler/node_result.h"
#include "src/engine/scheduler/allocation_errors.h"
#include "src/engine/scheduler/allocation_reasons.h"
#include "src/engine/scheduler/search.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

// Of devices in pools that cannot be used, too, everything else is asked that is asked of others.
SeenPools as_if_complete(const SeenPools& pools) {
  SeenPools all;
  for (const Pool& pool : pools) {
    Pool whole = pool;
    whole.state = PoolState::Complete;
    all.add(std::move(whole));
  }
  return all;
}

std::optional<std::size_t> find(const Problem& problem, const DeviceId& device) {
  const auto found = std::ranges::find(problem.devices, device, &SeenDevice::id);
  if (found == problem.devices.end()) return std::nullopt;
  return static_cast<std::size_t>(found - problem.devices.begin());
}

const Pool* pool_of(const SeenPools& pools, const DeviceId& device) {
  for (const Pool& pool : pools) {
    if (pool.driver == device.driver && pool.name == device.pool) return &pool;
  }
  return nullptr;
}

// Whether the device can be had together with all else: the real search, but for this device. What
// was found stays taken in the problem.
void try_it(const AllocationInput& input, Problem problem, PinnedDevice pinned,
            SearchBudget& budget, DeviceVerdict& answer) {
  Search search(input, problem, std::min(budget.each_node, budget.all_nodes), pinned);
  const SearchEnd step = search.run();
  budget.all_nodes = std::max<std::int64_t>(budget.all_nodes - search.looked_at(), 0);
  std::optional<Reason> fatal = search.fatal();
  switch (step) {
    case SearchEnd::Found:
      answer.outcome = DeviceOutcome::Possible;
      fatal = fatal_of_results(input, problem, search.picked());
      break;
    case SearchEnd::Failed:
      answer.outcome = DeviceOutcome::Together;
      answer.reasons = reasons_met(input, problem, search);
      break;
    case SearchEnd::TooMany:
      fatal = too_many_results(problem);
      break;
    case SearchEnd::Fatal:
      break;
    case SearchEnd::Budget:
      answer.outcome = DeviceOutcome::Unknown;
      answer.reasons = {out_of_budget()};
      return;
  }
  if (!fatal) return;
  answer.outcome = DeviceOutcome::Rejected;
  answer.reasons = {*std::move(fatal)};
}

bool is_asked_for(const PickedDevice& picked, const DeviceVerdict& asked, const DeviceId& device) {
  return picked.id() == device && picked.request == asked.request &&
         picked.claim->label() == asked.claim;
}

// What a claim that is allocated has to do with the device.
DeviceVerdict of_allocated(const SubjectClaim& claim, const std::string& request,
                           const DeviceId& device) {
  const auto& results = claim.claim->status.allocation->devices.results;
  const bool held = std::ranges::any_of(results, [&](const api::AllocationResultItem& one) {
    return one.request == request && DeviceId{one.driver, one.pool, one.device} == device;
  });
  return {claim.label(), request, held ? DeviceOutcome::Held : DeviceOutcome::Allocated};
}

// What of the node's reasons says that something is too little for the subject, or that the node is
// not for it at all.
std::vector<Reason> of_the_node(const NodeResult& node, std::initializer_list<Code> codes) {
  std::vector<Reason> reasons;
  std::ranges::copy_if(node.reasons, std::back_inserter(reasons), [&codes](const Reason& reason) {
    return std::ranges::find(codes, reason.code) != codes.end();
  });
  return reasons;
}

// The allocator is asked about devices only; what else it comes to on the node counts, too.
void judge_with_node(const NodeResult& node, const DeviceId& device, DeviceVerdict& answer) {
  const bool picked = std::ranges::any_of(
      node.allocation, [&](const PickedDevice& one) { return is_asked_for(one, answer, device); });
  if (picked) {
    answer.outcome = DeviceOutcome::Picked;
    answer.reasons.clear();
    return;
  }
  if (answer.outcome == DeviceOutcome::Together) {
    std::ranges::move(of_the_node(node, {Code::CountShort, Code::NoMatch, Code::AllNone,
                                         Code::AllUnusable, Code::PoolInvalid}),
                      std::back_inserter(answer.reasons));
    return;
  }
  if (answer.outcome != DeviceOutcome::Possible) return;
  if (node.aborts()) {
    answer.outcome = DeviceOutcome::Rejected;
    answer.reasons = {node.reasons.front()};
  } else if (node.is_ruled_out()) {
    answer.outcome = DeviceOutcome::Rejected;
    answer.reasons = of_the_node(node, {Code::ClaimElsewhere});
  } else if (!node.fits()) {
    answer.outcome = DeviceOutcome::Unknown;
  }
}

// The allocator does not come to the demand, for something that it cannot know or use.
DeviceVerdict of_the_end(const NodeResult& node, DeviceVerdict answer) {
  if (!node.aborts()) return answer;
  answer.outcome = DeviceOutcome::Rejected;
  answer.reasons = {node.reasons.front()};
  return answer;
}

}  // namespace

std::string_view name_of(DeviceOutcome outcome) {
  constexpr std::array<std::string_view, 8> names = {
      "picked", "possible", "together", "against", "held", "allocated", "byDevicePlugin", "unknown",
  };
  return names[static_cast<std::size_t>(outcome)];
}

std::vector<DeviceVerdict> Allocator::verdicts(const api::Node& node, const SeenPools& pools,
                                               const DeviceId& device, SearchBudget& budget) const {
  AllocationInput input = this->input();
  const Problem real = problem_of(input, node, pools);
  input.past_errors = true;
  const Problem whole = problem_of(input, node, as_if_complete(pools));
  input.past_errors = false;
  const auto index = find(whole, device);
  const auto there = find(real, device);
  const Pool* pool = pool_of(pools, device);
  std::vector<DeviceVerdict> answers;
  for (std::size_t demand = 0; index && demand < whole.demands.size(); ++demand) {
    const DemandHere& here = whole.demands[demand];
    DeviceVerdict answer{here.subject_claim->label(), here.name};
    if (!there && pool != nullptr) answer.reasons.push_back(pool_problem(*pool));
    std::ranges::move(reasons_against(input, whole, demand, *index),
                      std::back_inserter(answer.reasons));
    if (!answer.reasons.empty()) {
      answer.outcome = DeviceOutcome::Rejected;
    } else if (real.fatal) {
      answer.outcome = DeviceOutcome::Rejected;
      answer.reasons = {*real.fatal};
    } else if (there && !real.unknown) {
      try_it(input, problem_of(input, node, pools), {demand, *there}, budget, answer);
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

std::optional<std::vector<DeviceVerdict>> NodeEvaluator::verdicts(const api::Node& node,
                                                                  const NodeResult& result,
                                                                  const DeviceId& device) {
  const auto pools = context_.inventory.slices().seen_from(node);
  if (!pools.ok()) return std::nullopt;
  const Pool* pool = pool_of(pools.value(), device);
  if (pool == nullptr ||
      std::ranges::find(pool->devices, device, &PoolDevice::id) == pool->devices.end())
    return std::nullopt;
  const SubjectVariant& variant = variants_.on(node);
  auto asked = variant.allocator.verdicts(node, pools.value(), device, context_.budget);
  std::size_t next = 0;
  const auto answer_for = [&](const SubjectClaim& claim, const api::DeviceRequest& request,
                              const std::string& name) -> DeviceVerdict {
    if (claim.allocated()) return of_allocated(claim, name, device);
    if (!claim.asks(request)) return {claim.label(), name, DeviceOutcome::ByPlugin};
    if (next == asked.size()) return of_the_end(result, {claim.label(), name});
    judge_with_node(result, device, asked[next]);
    return std::move(asked[next++]);
  };
  std::vector<DeviceVerdict> answers;
  for (const SubjectClaim& claim : variant.subject.claims) {
    if (claim.spec == nullptr) continue;
    for (const api::DeviceRequest& request : claim.spec->devices.requests) {
      for (const api::NamedDemand& demand : api::demands_of(request))
        answers.push_back(answer_for(claim, request, demand.name));
    }
  }
  return answers;
}

}  // namespace dra::engine

// src/engine/scheduler/allocation_errors.cpp: the codes and messages of these errors.

#include "src/engine/scheduler/allocation_errors.h"

#include "dra/api/limits.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/subjects.h"
#include "src/engine/scheduler/result_selector.h"
#include "src/engine/scheduler/rules/device_rule.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

Reason selector_fault(const AllocationInput& input, const DemandHere& demand,
                      const SeenDevice& device) {
  const auto said = input.demands.said(*demand.demand, device.published);
  Reason reason =
      reason_about(said->compiles ? Code::SelectorError : Code::SelectorCompile, demand, device);
  reason.source = said->of_class ? "class" : "request";
  reason.selector = said->selector;
  reason.expression = std::string(said->expression);
  const std::string whose = said->of_class ? base::format("class {}", demand.demand->device_class)
                                           : base::format("request {}", demand.name);
  reason.message =
      base::format("selector {} of {} {}: {}", said->selector, whose,
                   said->compiles ? "fails" : "does not compile", on_one_line(*said->failure));
  return reason;
}

}  // namespace

Reason too_many(const SubjectClaim& claim, const api::DeviceRequest& request) {
  return {
      .code = Code::CountTooLarge,
      .claim = claim.label(),
      .request = std::string(request.name),
      .message = base::format("claim {} asks for more than the {} devices that a claim can hold",
                              claim.label(), api::kMaxResults)};
}

Reason feature_off(std::string_view request, std::string_view what, Gate gate) {
  return {.code = Code::FeatureOff,
          .request = std::string(request),
          .message = base::format("request {} asks for {}, and feature gate {} is off", request,
                                  what, name_of(gate))};
}

Reason unsupported(std::string_view request, std::string_view what) {
  return {
      .code = Code::FeatureOff,
      .request = std::string(request),
      .message = base::format(
          "{} {}, which the scheduler does not know",
          request.empty() ? std::string("the claim") : base::format("request {}", request), what)};
}

Reason no_class(const api::NamedDemand& demand) {
  return {.code = Code::ClassMissing,
          .request = demand.name,
          .message = base::format("device class {} does not exist", demand.demand->device_class)};
}

Reason pool_unusable(std::string_view request, const Pool& pool) {
  return {.code = Code::AllPoolUnusable,
          .request = std::string(request),
          .message = base::format("request {} needs all devices, and pool {} of {} is {}", request,
                                  pool.name, pool.driver, base::lower(name_of(pool.state)))};
}

Reason pool_problem(const Pool& pool) {
  const bool invalid = pool.state == PoolState::Invalid;
  Reason reason{.code = invalid ? Code::PoolInvalid : Code::PoolIncomplete};
  reason.devices = static_cast<std::int64_t>(pool.devices.size());
  reason.message = unusable_pool_words(pool);
  diag::Evidence evidence;
  evidence.pool = {std::string(pool.driver), std::string(pool.name), pool.generation,
                   pool.slices_seen, pool.slices_expected};
  reason.evidence = std::make_shared<const diag::Evidence>(std::move(evidence));
  return reason;
}

Reason fault_of(const AllocationInput& input, const Problem& problem, const DemandHere& demand,
                std::size_t index) {
  const SeenDevice& device = problem.devices[index];
  const Judgement& judged = demand.judged[index];
  if (judged.fault == Fault::Selector) return selector_fault(input, demand, device);
  const CapacityDraw& draw = *demand.draw_for(index);
  Reason reason = reason_about(Code::CapacityPolicy, demand, device);
  reason.message = base::format(
      "capacity {} of {} {}", draw.name, to_string(device.id()),
      draw.flaw == CapacityFlaw::Negative ? "would be a negative amount" : "cannot be computed");
  return reason;
}

Reason constraint_breaks_all(const Problem& problem, const DemandHere& demand,
                             std::size_t constraint, Objection objection, std::size_t index) {
  const SeenDevice& device = problem.devices[index];
  Reason reason = reason_about(code_of(rule_of(objection)), demand, device);
  const ConstraintState& state = problem.claims[demand.claim].constraints[constraint];
  const std::string_view what = objection == Objection::Missing   ? "does not have it"
                                : objection == Objection::Differs ? "has another value"
                                                                  : "has a value a second time";
  reason.message =
      base::format("request {} needs all devices, constraint {} is about {}, and {} {}",
                   demand.name, constraint, state.attribute(), to_string(device.id()), what);
  return reason;
}

Reason derived_fault(const DemandHere& demand, std::string_view attribute, const SeenDevice& device,
                     const std::string& error) {
  Reason reason = reason_about(Code::SelectorError, demand, device);
  reason.message = base::format("derived attribute {} of {} {}", attribute, demand.name, error);
  return reason;
}

Reason too_many_results(const Problem& problem) {
  return {.code = Code::TooManyResults,
          .claim = problem.claims.front().claim->label(),
          .message = base::format(
              "whichever alternatives are taken, the claim would have more than {} devices",
              api::kMaxResults)};
}

Reason out_of_budget() {
  return {.code = Code::Budget,
          .message = "there are too many combinations of devices to try them all"};
}

std::optional<Reason> fatal_of_results(const AllocationInput& input, const Problem& problem,
                                       const std::vector<Picked>& picked) {
  for (std::size_t claim = 0; claim < problem.claims.size(); ++claim) {
    std::vector<PoolDevice> devices;
    for (const Picked& one : picked) {
      if (problem.demands[one.demand].claim == claim)
        devices.push_back(problem.devices[one.device].published);
    }
    const ResultSelector result = result_selector(devices, input.knows_binding_and_capacity(), "");
    if (result.unsupported == nullptr) continue;
    const api::SliceSpec& slice = result.unsupported->slice->spec;
    const auto& selector = slice.per_device_node_selection
                               ? result.unsupported->device->node_selector
                               : slice.node_selector;
    const std::string id = to_string(result.unsupported->id());
    return Reason{.code = Code::PoolInvalid,
                  .claim = problem.claims[claim].claim->label(),
                  .devices = 1,
                  .examples = {id},
                  .message = base::format("{} is for nodes by a selector with {} terms, of which "
                                          "only one is supported",
                                          id, selector->terms.size())};
  }
  return std::nullopt;
}

}  // namespace dra::engine

// src/engine/allocation_errors.cpp: see allocation_errors.h.

#include "src/engine/allocation_errors.h"

#include "dra/api/limits.h"
#include "dra/base/text.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

Reason about(Code code, const DemandHere& demand, const SeenDevice& device) {
  Reason reason{.code = code, .claim = demand.subject_claim->label(), .request = demand.name};
  reason.devices = 1;
  reason.examples.push_back(to_string(device.id()));
  return reason;
}

Reason selector_fault(const Scene& scene, const DemandHere& demand, const SeenDevice& device) {
  const auto said = scene.demands.said(*demand.demand, device.published);
  Reason reason =
      about(said->compiles ? Code::SelectorError : Code::SelectorCompile, demand, device);
  reason.source = said->of_class ? "class" : "request";
  reason.selector = said->selector;
  reason.expression = std::string(said->expression);
  const std::string whose =
      said->of_class ? base::format("class {}", demand.demand->device_class) : demand.name;
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
          .message = base::format("{} asks for {}, and {} is off", request, what, name_of(gate))};
}

Reason unsupported(std::string_view request, std::string_view what) {
  return {.code = Code::FeatureOff,
          .request = std::string(request),
          .message = base::format("{} {}, which the scheduler does not know",
                                  request.empty() ? "the claim" : request, what)};
}

Reason no_class(const api::NamedDemand& demand) {
  return {.code = Code::ClassMissing,
          .request = demand.name,
          .message = base::format("device class {} does not exist", demand.demand->device_class)};
}

Reason pool_unusable(std::string_view request, const Pool& pool) {
  return {.code = Code::AllPoolUnusable,
          .request = std::string(request),
          .message = base::format("{} asks for all devices, and pool {} of {} is {}", request,
                                  pool.name, pool.driver, base::lower(name_of(pool.state)))};
}

Reason fault_of(const Scene& scene, const Problem& problem, const DemandHere& demand,
                std::size_t index) {
  const SeenDevice& device = problem.devices[index];
  const Judgement& judged = demand.judged[index];
  if (judged.fault == Fault::Selector) return selector_fault(scene, demand, device);
  const CapacityDraw& draw = *demand.draw_for(index);
  Reason reason = about(Code::CapacityPolicy, demand, device);
  reason.message = base::format(
      "capacity {} of {} {}", draw.name, to_string(device.id()),
      draw.flaw == CapacityFlaw::Negative ? "would be a negative amount" : "cannot be computed");
  return reason;
}

Reason constraint_breaks_all(const Problem& problem, const DemandHere& demand,
                             std::size_t constraint, Objection objection, std::size_t index) {
  const SeenDevice& device = problem.devices[index];
  Reason reason = about(code_of(rule_of(objection)), demand, device);
  const ConstraintState& state = problem.claims[demand.claim].constraints[constraint];
  const std::string_view what = objection == Objection::Missing   ? "does not have it"
                                : objection == Objection::Differs ? "has another value"
                                                                  : "has a value a second time";
  reason.message =
      base::format("{} asks for all devices, constraint {} is about {}, and {} {}", demand.name,
                   constraint, state.attribute(), to_string(device.id()), what);
  return reason;
}

Reason derived_fault(const DemandHere& demand, std::string_view attribute, const SeenDevice& device,
                     const std::string& error) {
  Reason reason = about(Code::SelectorError, demand, device);
  reason.message = base::format("derived attribute {} of {} {}", attribute, demand.name, error);
  return reason;
}

Reason selector_with_many_terms(const SeenDevice& device, std::size_t terms) {
  return {
      .code = Code::PoolInvalid,
      .devices = 1,
      .examples = {to_string(device.id())},
      .message = base::format("{} is for nodes by a selector with {} terms, of which only one is "
                              "supported",
                              to_string(device.id()), terms)};
}

}  // namespace dra::engine

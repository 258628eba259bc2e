// src/answers/explain/alternatives.cpp: takes the first reason of the node against an alternative,
// and without one derives a shortage from its counts.

#include "dra/answers/explain/alternatives.h"

#include <algorithm>
#include <map>

#include "dra/base/text.h"

namespace dra::answers {
namespace {

using diag::Code;
using diag::Reason;

// The node's first reason against one demand; decisive reasons come first.
const Reason* first_against_alternative(const engine::NodeResult& node, const std::string& claim,
                                        const std::string& request) {
  const auto found = std::ranges::find_if(node.reasons, [&](const Reason& reason) {
    return reason.claim == claim && reason.request == request;
  });
  return found == node.reasons.end() ? nullptr : &*found;
}

// The shortage is computed here, because the node has reasons for it only if every alternative has
// one.
diag::AlternativeEvidence alternative_of(const engine::NodeResult& node, const std::string& claim,
                                         const api::NamedDemand& named) {
  diag::AlternativeEvidence alternative{
      .request = named.name,
      .code = std::nullopt,
      .message = base::format("{} would be available if nothing else were requested", named.name)};
  for (const engine::DemandResult& demand : node.demands) {
    if (demand.claim != claim || demand.request != named.name) continue;
    alternative.matching = demand.matching;
    alternative.in_use = demand.in_use;
    alternative.usable = demand.usable;
  }
  const std::int64_t wanted = named.demand->wanted();
  if (const Reason* reason = first_against_alternative(node, claim, named.name)) {
    alternative.code = reason->code;
    alternative.message = reason->message;
  } else if (!named.demand->all() && alternative.usable < wanted) {
    alternative.code = alternative.matching == 0 ? Code::NoMatch : Code::CountShort;
    alternative.message =
        base::format("request {} needs {}, and {} of {} that match can be allocated", named.name,
                     base::plural(wanted, "device"), alternative.usable, alternative.matching);
  }
  return alternative;
}

Reason no_alternative(const engine::NodeResult& node, const engine::SubjectClaim& claim,
                      const api::DeviceRequest& request) {
  diag::Evidence evidence;
  for (const api::NamedDemand& demand : api::demands_of(request))
    evidence.alternatives.push_back(alternative_of(node, claim.label(), demand));
  const auto possible = std::ranges::count_if(
      evidence.alternatives, [](const auto& alternative) { return !alternative.code; });
  const std::size_t all = evidence.alternatives.size();
  Reason reason{
      .code = Code::NoAlternative, .claim = claim.label(), .request = std::string(request.name)};
  reason.message =
      possible == 0
          ? base::format("none of the {} alternatives of {} can be served", all, request.name)
          : base::format("none of the {} alternatives of {} can be served with the other requests",
                         all, request.name);
  reason.evidence = std::make_shared<const diag::Evidence>(std::move(evidence));
  return reason;
}

bool is_taken(const engine::NodeResult& node, const engine::SubjectClaim& claim,
              const std::string& request) {
  return std::ranges::any_of(node.allocation, [&](const engine::PickedDevice& picked) {
    return picked.claim->label() == claim.label() && picked.request == request;
  });
}

}  // namespace

std::vector<Reason> alternatives_against(const engine::Subject& subject,
                                         const engine::NodeResult& node) {
  std::vector<Reason> reasons;
  if (!node.does_not_fit()) return reasons;
  engine::for_each_unmet(subject,
                         [&](const engine::SubjectClaim& claim, const api::DeviceRequest& request) {
                           if (api::demands_of(request).size() > 1)
                             reasons.push_back(no_alternative(node, claim, request));
                         });
  return reasons;
}

std::string outcome_of(const Explanation& explanation, const engine::SubjectClaim& claim,
                       const api::NamedDemand& demand) {
  std::map<Code, std::int64_t> against;
  std::int64_t taken = 0;
  for (const engine::NodeResult& node : explanation.nodes) {
    if (is_taken(node, claim, demand.name)) ++taken;
    if (!node.does_not_fit()) continue;
    if (const auto code = alternative_of(node, claim.label(), demand).code) ++against[*code];
  }
  std::vector<std::string> parts;
  if (taken > 0) parts.push_back(base::format("taken on {}", base::plural(taken, "node")));
  for (const auto& [code, nodes] : against)
    parts.push_back(
        base::format("{} on {}", diag::info_of(code).title, base::plural(nodes, "node")));
  return base::join(parts, ", ");
}

}  // namespace dra::answers

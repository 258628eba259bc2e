// src/answers/explain/claims_elsewhere.cpp: says for which nodes the claims are allocated, and what
// is against these, or who keeps the claims there.

#include "src/answers/explain/claims_elsewhere.h"

#include <algorithm>
#include <optional>
#include <set>

#include "dra/answers/explain/headline.h"
#include "dra/api/daemon_pod.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/facts/node_match.h"
#include "src/answers/explain/device_remedies.h"

namespace dra::answers {
namespace {

using diag::Code;
using diag::Reason;

bool is_elsewhere(const Reason& reason) { return reason.code == Code::ClaimElsewhere; }

// "claim a is allocated for n1 and claim b for n2": what keeps allocated claims of the subject from
// each other's nodes, and from nodes that are there.
std::string elsewhere_words(const std::vector<engine::NodeResult>& nodes) {
  std::set<std::string_view> messages;
  for (const engine::NodeResult& node : nodes) {
    for (const Reason& reason : node.reasons) {
      if (is_elsewhere(reason)) messages.insert(reason.message);
    }
  }
  return base::join(std::vector<std::string>(messages.begin(), messages.end()), ", and ");
}

// What is against the node for which the claims are allocated. nullptr: there is no such node.
const engine::NodeResult* node_of_claims(const std::vector<engine::NodeResult>& nodes) {
  const auto found = std::ranges::find_if(nodes, [](const engine::NodeResult& node) {
    return std::ranges::none_of(node.reasons, is_elsewhere);
  });
  return found == nodes.end() ? nullptr : &*found;
}

// "; pod ns/a, which is being deleted, keeps it there". Empty: it is not known who does.
std::string keeper_words(const Grounds& grounds) {
  for (const engine::SubjectClaim& claim : grounds.subject.claims) {
    if (!claim.allocated()) continue;
    for (const api::Consumer& consumer : claim.claim->status.reserved_for) {
      const api::Pod* pod =
          engine::consuming_pod(grounds.cluster.snapshot, claim.namespace_, consumer);
      if (pod == nullptr || pod == grounds.subject.pod) continue;
      return base::format("; pod {}/{} ({}) keeps it there", pod->meta.namespace_, pod->meta.name,
                          phase_of(grounds.cluster.snapshot, *pod));
    }
  }
  return {};
}

// All pods of a DaemonSet that name one claim have to use it, each on its own node.
std::optional<Candidate> shared_by_daemon_set(const Grounds& grounds) {
  const api::Pod* pod = grounds.subject.pod;
  const api::OwnerReference* set = pod == nullptr ? nullptr : api::daemon_set_of(*pod);
  if (set == nullptr) return std::nullopt;
  for (const engine::SubjectClaim& claim : grounds.subject.claims) {
    if (!claim.allocated() || !claim.template_name.empty()) continue;
    const auto& selector = claim.claim->status.allocation->node_selector;
    const std::string_view node = selector ? engine::only_node(*selector) : std::string_view();
    if (node.empty() || claim.extended != nullptr) continue;
    return Candidate{
        Code::ClaimElsewhere,
        base::format("all pods of DaemonSet {} share claim {}, which is allocated on {} only, and "
                     "this one has to run on another node",
                     set->name, claim.label(), node),
        {base::format("Give each pod a claim of its own: in the DaemonSet, write "
                      "resourceClaimTemplateName in place of resourceClaimName: {}.",
                      claim.name),
         diag::kubectl("edit daemonset").name(set->name).in(pod->meta.namespace_).text()}};
  }
  return std::nullopt;
}

}  // namespace

// Of a subject with claims that are allocated for other nodes.
Candidate allocated_elsewhere(const Grounds& grounds) {
  const auto& nodes = grounds.survey.nodes;
  std::string text = elsewhere_words(nodes);
  const engine::NodeResult* node = node_of_claims(nodes);
  if (node != nullptr && !node->passes_filters()) {
    if (auto shared = shared_by_daemon_set(grounds);
        shared && node->other_reasons.front().code == Code::NodeAffinity)
      return *std::move(shared);
    const Reason& against = node->other_reasons.front();
    return {Code::ClaimElsewhere, base::format("{}, and there {}", text, against.message),
            remedy_against(grounds, *node, against)};
  }
  const std::size_t claims = static_cast<std::size_t>(
      std::ranges::count_if(grounds.subject.claims, &engine::SubjectClaim::allocated));
  if (node == nullptr && !grounds.survey.nodes_chosen)
    text += claims > 1 && text.find(", and ") != std::string::npos
                ? std::string(": no node has both")
                : base::format(", a node that does not exist{}", keeper_words(grounds));
  return {Code::ClaimElsewhere, text};
}

}  // namespace dra::answers

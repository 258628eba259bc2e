// src/answers/diff/cluster_state.cpp: reduces an explanation to verdict, code, summary and the
// first trouble. A subject that does not exist gets the empty answer, unless the claims of its
// namespace could not be read.

#include "src/answers/diff/cluster_state.h"

#include <algorithm>

namespace dra::answers {
namespace {

std::optional<engine::Trouble> first_trouble(const Explanation& explanation) {
  if (explanation.verdict != Verdict::Scheduled || explanation.after.empty()) return std::nullopt;
  return engine::trouble_of(explanation.after.front());
}

StateAnswer answer_of(const Explanation& explanation) {
  return {.exists = true,
          .verdict = explanation.verdict,
          .code = explanation.code,
          .summary = explanation.headline.plain(),
          .trouble = first_trouble(explanation)};
}

bool any_claim_exists(const snapshot::Snapshot& snapshot, const engine::Wanted& wanted) {
  return std::ranges::any_of(wanted.claims, [&](const std::string& name) {
    return snapshot.find<api::ResourceClaim>(wanted.namespace_, name) != nullptr;
  });
}

}  // namespace

StateAnswer ClusterState::answer(const engine::Wanted& wanted) const {
  if (wanted.pod.empty()) {
    if (!any_claim_exists(snapshot_, wanted) &&
        snapshot_.coverage().saw(api::Kind::Claim, wanted.namespace_))
      return {};
    return answer_of(
        explain_claims(snapshot_, inventory_, loads_, wanted.namespace_, wanted.claims));
  }
  const api::Pod* pod = snapshot_.find<api::Pod>(wanted.namespace_, wanted.pod);
  return pod == nullptr ? StateAnswer()
                        : answer_of(explain_pod(snapshot_, inventory_, loads_, *pod));
}

SubjectName subject_of(const engine::Wanted& wanted) {
  if (!wanted.pod.empty()) return {"Pod", wanted.namespace_, wanted.pod};
  return {"ResourceClaim", wanted.namespace_,
          wanted.claims.empty() ? std::string() : wanted.claims.front()};
}

}  // namespace dra::answers

// src/engine/scheduler/binding.cpp: failures that follow from the claims alone.

#include "dra/engine/scheduler/binding.h"

#include <algorithm>

#include "dra/api/pod.h"
#include "dra/base/text.h"

namespace dra::engine {
namespace {

using diag::Code;
using diag::Reason;

// With binding conditions the scheduler adds a missing time to an allocation when it reserves the
// claim, and the API server refuses any change of an allocation.
std::optional<Reason> allocated_without_time(const Subject& subject, const Features& features) {
  if (subject.pod == nullptr || !features.on(Gate::DRADeviceBindingConditions) ||
      !features.on(Gate::DRAResourceClaimDeviceStatus))
    return std::nullopt;
  for (const SubjectClaim& claim : subject.claims) {
    if (!claim.allocated() || claim.claim->status.allocation->at) continue;
    // A pod that has reserved the claim already is not written again.
    if (is_reserved(subject, *claim.claim)) continue;
    return Reason{.code = Code::BindingFailed,
                  .claim = claim.label(),
                  .message = base::format(
                      "claim {} was allocated without a time: the scheduler adds one when "
                      "it reserves the claim, and the API server refuses that",
                      claim.label())};
  }
  return std::nullopt;
}

}  // namespace

bool is_reserved(const Subject& subject, const api::ResourceClaim& claim) {
  return std::ranges::any_of(claim.status.reserved_for, [&subject](const api::Consumer& consumer) {
    return (consumer.is_pod() && consumer.uid == subject.pod->meta.uid) ||
           (subject.group && subject.group->is(consumer));
  });
}

std::optional<Reason> binding_failure(const Subject& subject, const Features& features) {
  if (!subject.has_empty_claim()) return allocated_without_time(subject, features);
  return Reason{.code = Code::ExtendedClaimEmpty,
                .message =
                    "the node's device plugin serves all extended resources, and binding "
                    "the pod fails as it has claims, too"};
}

}  // namespace dra::engine

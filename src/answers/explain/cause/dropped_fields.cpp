// src/answers/explain/cause/dropped_fields.cpp: see dropped_fields.h.

#include "dra/answers/explain/dropped_fields.h"

#include <optional>
#include <utility>

#include "dra/base/text.h"
#include "src/answers/explain/cause_candidates.h"

namespace dra::answers {
namespace {

struct Dropped {
  std::string object;  // "claim ml/a"
  checks::LostField lost;
};

// The first field that a claim of the subject, or the template of one, has lost.
std::optional<Dropped> first_dropped(const Grounds& grounds) {
  const snapshot::Snapshot& snapshot = grounds.cluster.snapshot;
  const engine::Features gates = engine::features_of(snapshot.server());
  for (const engine::SubjectClaim& claim : grounds.subject.claims) {
    const auto* made_from =
        snapshot.find<api::ResourceClaimTemplate>(claim.namespace_, claim.template_name);
    auto lost = made_from != nullptr     ? checks::lost_fields(*made_from, gates)
                : claim.claim != nullptr ? checks::lost_fields(*claim.claim, gates)
                                         : std::vector<checks::LostField>();
    if (lost.empty()) continue;
    return Dropped{made_from != nullptr
                       ? base::format("template {}/{}", claim.namespace_, claim.template_name)
                       : base::format("claim {}", claim.label()),
                   std::move(lost.front())};
  }
  return std::nullopt;
}

}  // namespace

std::string why_dropped(const snapshot::Server& server, engine::Gate gate) {
  return base::format("the API server dropped it (feature gate {}, {})", name_of(gate),
                      engine::is_assumed(server, gate)
                          ? base::format("off by default in v1.{}", engine::minor_release(server))
                          : std::string("which is off"));
}

std::string remedy_of_dropped(engine::Gate gate) {
  return base::format(
      "Switch {} on in the API server, the scheduler, the controller manager and the kubelets, or "
      "upgrade to a release in which it is on; then delete and apply again what has lost the "
      "field.",
      name_of(gate));
}

void name_dropped(const Grounds& grounds, Candidate& cause) {
  const auto dropped = first_dropped(grounds);
  if (!dropped) return;
  const engine::Gate gate = dropped->lost.gate;
  cause.text +=
      base::format("; {} was applied with {}, which is not in it: {}", dropped->object,
                   dropped->lost.field, why_dropped(grounds.cluster.snapshot.server(), gate));
  if (cause.remedy.text.empty()) cause.remedy = {remedy_of_dropped(gate)};
}

}  // namespace dra::answers

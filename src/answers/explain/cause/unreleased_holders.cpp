// src/answers/explain/cause/unreleased_holders.cpp: see unreleased_holders.h.

#include "dra/answers/explain/unreleased_holders.h"

#include <algorithm>
#include <map>
#include <set>

#include "dra/api/release.h"
#include "dra/base/ages.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/components.h"
#include "dra/engine/cluster/holder_state.h"
#include "dra/engine/cluster/unreleased.h"
#include "dra/engine/facts/full_name.h"
#include "src/answers/explain/cause_candidates.h"
#include "src/answers/explain/holders.h"

namespace dra::answers {
namespace {

constexpr std::size_t kNamedUnreleased = 3;  // claims
constexpr int kForgetsNone = 34;             // the controller's minor release

using Claims = std::vector<const api::ResourceClaim*>;

bool are_deleted(const Claims& claims) {
  return std::ranges::all_of(
      claims, [](const api::ResourceClaim* claim) { return claim->meta.deleted.has_value(); });
}

// "deleted 45m ago and never released", of many the shortest time.
std::string since_words(const Claims& claims, base::Instant now) {
  if (!are_deleted(claims)) return "never released";
  const auto last = *std::ranges::max_element(
      claims, {}, [](const api::ResourceClaim* claim) { return *claim->meta.deleted; });
  return base::format("deleted {}{} ago and never released", claims.size() == 1 ? "" : "at least ",
                      base::age_of(last->meta.deleted, now));
}

// "claim ml/a, whose pod a-0 has ended 40m ago and which was never released".
std::string one_claim(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim,
                      base::Instant now) {
  const std::string name = engine::full_name(claim.meta);
  if (const api::Pod* pod = engine::ended_holder(snapshot, claim)) {
    const api::Time ended = engine::ended_at(*pod);
    return base::format("claim {}, whose pod {} has ended{} and which was never released", name,
                        pod->meta.name,
                        ended ? base::format(" {} ago", base::age_of(ended, now)) : "");
  }
  const auto& consumers = claim.status.reserved_for;
  if (consumers.empty()) return base::format("claim {}, {}", name, since_words({&claim}, now));
  if (consumers.size() > 1)
    return base::format("claim {}, whose pods are gone, {}", name, since_words({&claim}, now));
  const std::string namesake =
      engine::words_for_namesake(snapshot, claim.meta.namespace_, consumers.front());
  return base::format("claim {}, whose pod {} {}{}, {}", name, consumers.front().name,
                      namesake.empty() ? "does not exist any more" : "is gone", namesake,
                      since_words({&claim}, now));
}

// What is against each such claim's name in a sentence about several.
std::string_view pods_words(const snapshot::Snapshot& snapshot, const Claims& claims) {
  const auto ended = std::ranges::count_if(claims, [&snapshot](const api::ResourceClaim* claim) {
    return engine::ended_holder(snapshot, *claim) != nullptr;
  });
  if (ended == 0) return "whose pods do not exist any more";
  return static_cast<std::size_t>(ended) == claims.size() ? "whose pods have ended"
                                                          : "whose pods have ended or are gone";
}

bool may_forget(const snapshot::Server& server, const Claims& claims) {
  const auto release = api::release_of(server.version);
  return are_deleted(claims) && release && release->minor < kForgetsNone;
}

// What should have released them, and why it may not have.
std::string why_not_released(const snapshot::Snapshot& snapshot, const UnreleasedHolders& holders) {
  const engine::Component component = engine::component_named(snapshot, engine::kControllerManager);
  if (component.down != nullptr)
    return base::format("{} releases such devices, and does not run: {}",
                        engine::kControllerManager, component.trouble);
  return base::format(
      "{} releases such devices within seconds, and has not: see that it runs (`{}`){}",
      engine::kControllerManager, diag::kControllerLease,
      may_forget(snapshot.server(), holders.claims)
          ? "; before v1.34 it forgets claims in deletion when it restarts, so update it"
          : "");
}

// ", once no container of that pod runs any more": of many claims, of all their pods.
std::string containers_words(const snapshot::Snapshot& snapshot, const Claims& claims) {
  if (claims.size() > 1) return ", once no container of those pods runs any more";
  const api::ResourceClaim& claim = *claims.front();
  const api::Consumer& consumer = claim.status.reserved_for.front();
  if (engine::namesake_of(snapshot, claim.meta.namespace_, consumer) == nullptr)
    return ", once no container of that pod runs any more";
  return base::format(", once no container of the pod with uid {} runs any more", consumer.uid);
}

}  // namespace

UnreleasedHolders unreleased_in(const snapshot::Snapshot& snapshot,
                                const std::vector<engine::NodeResult>& nodes) {
  UnreleasedHolders found;
  if (!snapshot.now()) return found;
  std::map<std::string_view, bool> known;
  std::set<std::string_view> devices;
  const auto look_at = [&](const diag::Holder& holder) {
    const auto [entry, is_new] = known.try_emplace(holder.claim, false);
    if (is_new) {
      const auto* claim = claim_called(snapshot, holder.claim);
      entry->second = claim != nullptr && engine::is_unreleased(snapshot, *claim, *snapshot.now());
      if (entry->second) found.claims.push_back(claim);
    }
    if (entry->second) devices.insert(holder.device);
  };
  for (const engine::NodeResult& node : nodes) {
    for (const diag::Reason& reason : node.reasons)
      std::ranges::for_each(reason.holders, look_at);
  }
  found.devices = std::ssize(devices);
  return found;
}

std::string words_of(const snapshot::Snapshot& snapshot, const UnreleasedHolders& holders) {
  const base::Instant now = *snapshot.now();
  if (holders.claims.size() == 1) return one_claim(snapshot, *holders.claims.front(), now);
  std::vector<std::string> names;
  names.reserve(holders.claims.size());
  for (const api::ResourceClaim* claim : holders.claims)
    names.push_back(engine::full_name(claim->meta));
  return base::format("claims {} ({}), {}", pods_words(snapshot, holders.claims),
                      base::join_first(names, kNamedUnreleased), since_words(holders.claims, now));
}

diag::Remedy remedy_of(const snapshot::Snapshot& snapshot, const UnreleasedHolders& holders) {
  const bool one = holders.claims.size() == 1;
  const bool ended = std::ranges::all_of(holders.claims, [&snapshot](const auto* claim) {
    return engine::ended_holder(snapshot, *claim) != nullptr;
  });
  const bool unused = std::ranges::all_of(
      holders.claims, [](const auto* claim) { return claim->status.reserved_for.empty(); });
  return {base::format("{}. By hand{}{}:", why_not_released(snapshot, holders),
                       ended || unused ? "" : containers_words(snapshot, holders.claims),
                       one ? "" : ", for each of these claims"),
          command_to_free(*holders.claims.front())};
}

void name_unreleased(const Grounds& grounds, Candidate& cause) {
  using diag::Code;
  if (cause.code != Code::CountShort && cause.code != Code::AllUnusable) return;
  if (!cause.remedy.text.empty()) return;
  const snapshot::Snapshot& snapshot = grounds.cluster.snapshot;
  const UnreleasedHolders holders = unreleased_in(snapshot, grounds.survey.nodes);
  if (holders.claims.empty()) return;
  cause.text += base::format("; {} {} held by {}", base::plural(holders.devices, "device"),
                             holders.devices == 1 ? "is" : "are", words_of(snapshot, holders));
  cause.remedy = remedy_of(snapshot, holders);
}

}  // namespace dra::answers

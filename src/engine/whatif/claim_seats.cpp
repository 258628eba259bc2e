// src/engine/whatif/claim_seats.cpp: see claim_seats.h.

#include "src/engine/whatif/claim_seats.h"

#include <algorithm>
#include <set>

#include "dra/api/limits.h"
#include "dra/api/pod.h"
#include "dra/engine/scheduler/binding.h"
#include "dra/engine/scheduler/pod_claims.h"

namespace dra::engine {
namespace {

constexpr auto kPlaces = static_cast<std::size_t>(api::kMaxConsumers);

}  // namespace

ClaimSeats::ClaimSeats(const snapshot::Snapshot& snapshot,
                       const std::vector<const api::Pod*>& queue)
    : snapshot_(snapshot) {
  std::map<std::string, std::size_t> waiting;
  for (const api::Pod* pod : queue) {
    const Subject subject = subject_of_pod(snapshot, *pod);
    std::set<std::string> labels;
    for (const SubjectClaim& claim : subject.claims) {
      const bool more = claim.allocated() && !is_reserved(subject, *claim.claim) &&
                        labels.insert(claim.label()).second;
      if (!more) continue;
      seats_[claim.label()].taken = claim.claim->status.reserved_for.size();
      ++waiting[claim.label()];
    }
  }
  std::erase_if(seats_, [&waiting](const auto& one) {
    return one.second.taken + waiting.at(one.first) <= kPlaces;
  });
}

std::vector<std::string> ClaimSeats::claims_of(const api::Pod& pod) const {
  std::vector<std::string> labels;
  if (seats_.empty()) return labels;
  const Subject subject = subject_of_pod(snapshot_, pod);
  for (const SubjectClaim& claim : subject.claims) {
    const bool counts = seats_.contains(claim.label()) && !is_reserved(subject, *claim.claim) &&
                        std::ranges::find(labels, claim.label()) == labels.end();
    if (counts) labels.push_back(claim.label());
  }
  return labels;
}

PlanVerdict ClaimSeats::left_for(const api::Pod& pod) const {
  PlanVerdict verdict = PlanVerdict::Fits;
  for (const std::string& label : claims_of(pod)) {
    const Seats& seats = seats_.at(label);
    if (seats.taken >= kPlaces) return PlanVerdict::DoesNotFit;
    if (seats.taken + seats.perhaps >= kPlaces) verdict = PlanVerdict::Depends;
  }
  return verdict;
}

void ClaimSeats::reserve(const api::Pod& pod, bool certain) {
  for (const std::string& label : claims_of(pod)) {
    Seats& seats = seats_.at(label);
    ++(certain ? seats.taken : seats.perhaps);
    seats.pods.push_back(&pod);
  }
}

std::vector<const api::Pod*> ClaimSeats::before(const api::Pod& pod) const {
  std::vector<const api::Pod*> pods;
  for (const std::string& label : claims_of(pod)) {
    const Seats& seats = seats_.at(label);
    if (seats.taken + seats.perhaps >= kPlaces)
      pods.insert(pods.end(), seats.pods.begin(), seats.pods.end());
  }
  return pods;
}

}  // namespace dra::engine

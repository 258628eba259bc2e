// src/answers/problems/unreleased_claims.cpp: folds the problems of claims that nothing released.

#include <algorithm>
#include <map>
#include <set>

#include "dra/base/ages.h"
#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/allocated_device.h"
#include "dra/engine/cluster/holder_state.h"
#include "dra/engine/cluster/pods.h"
#include "src/answers/problems/families.h"

namespace dra::answers {
namespace {

using Claims = std::vector<const api::ResourceClaim*>;

constexpr std::size_t kMaxDescribed = 4;  // in one command

// The claims of the problems with one code that are folded, and where these problems are.
struct Unreleased {
  Claims claims;
  std::vector<SubjectName> subjects;
  std::vector<std::size_t> at;
};

// Reserved for pods that are gone or have ended, and for no other.
bool is_reserved_for_none(const ClusterInput& cluster, const api::ResourceClaim& claim) {
  const auto& consumers = claim.status.reserved_for;
  return !consumers.empty() && std::ranges::all_of(consumers, [&](const api::Consumer& consumer) {
    if (engine::is_gone(cluster.snapshot, claim, consumer)) return true;
    const api::Pod* pod = engine::consuming_pod(cluster.snapshot, claim.meta.namespace_, consumer);
    return pod != nullptr && engine::ended_long_ago(*pod, cluster.now);
  });
}

const api::ResourceClaim* unreleased_claim(const ClusterInput& cluster, const Problem& problem) {
  const diag::Finding& finding = problem.finding;
  if (finding.code != diag::Code::ReservationStale && finding.code != diag::Code::ClaimDeleting)
    return nullptr;
  if (finding.subjects.size() != 1 || finding.subjects.front().kind != "ResourceClaim")
    return nullptr;
  const SubjectName& name = finding.subjects.front();
  const auto* claim = cluster.snapshot.find<api::ResourceClaim>(name.namespace_, name.name);
  return claim != nullptr && is_reserved_for_none(cluster, *claim) ? claim : nullptr;
}

std::int64_t devices_of(const Claims& claims) {
  std::set<std::string> devices;
  for (const api::ResourceClaim* claim : claims) {
    if (!claim->status.allocation) continue;
    for (const api::AllocationResultItem& result : claim->status.allocation->devices.results) {
      if (!result.admin_access) devices.insert(engine::to_string(engine::id_of(result)));
    }
  }
  return std::ssize(devices);
}

// "are gone", "have ended", "are gone or have ended".
std::string fate_of_pods(const ClusterInput& cluster, const Claims& claims) {
  bool gone = false;
  bool ended = false;
  for (const api::ResourceClaim* claim : claims) {
    for (const api::Consumer& consumer : claim->status.reserved_for)
      (engine::is_gone(cluster.snapshot, *claim, consumer) ? gone : ended) = true;
  }
  if (!ended) return "are gone";
  return gone ? "are gone or have ended" : "have ended";
}

// "were deleted at least 20m ago and "; empty for claims that are not being deleted.
std::string deleted_words(const ClusterInput& cluster, const Claims& claims) {
  if (!claims.front()->meta.deleted) return {};
  const auto last = *std::ranges::max_element(
      claims, {}, [](const api::ResourceClaim* claim) { return *claim->meta.deleted; });
  return base::format("were deleted at least {} ago and ",
                      base::age_of(last->meta.deleted, cluster.now));
}

// Describes few claims of one namespace, else lists the claims where they are.
std::string command_about(const std::vector<SubjectName>& claims) {
  const std::string& ns = claims.front().namespace_;
  const bool is_one = std::ranges::all_of(
      claims, [&ns](const SubjectName& claim) { return claim.namespace_ == ns; });
  if (!is_one) return diag::CommandLine("claims -A").text();
  if (claims.size() > kMaxDescribed) return diag::CommandLine("claims").in(ns).text();
  diag::CommandLine line("describe claim");
  for (const SubjectName& claim : claims)
    line.name(claim.name);
  return line.in(ns).text();
}

Problem folded(const ClusterInput& cluster, diag::Detail detail, const Problem& first,
               Unreleased unreleased) {
  const std::int64_t held = devices_of(unreleased.claims);
  const bool deleted = first.finding.code == diag::Code::ClaimDeleting;
  Problem problem{.finding = {.code = first.finding.code, .severity = first.finding.severity},
                  .remedy = {.text = first.remedy.text, .command = {}}};
  problem.finding.message = base::format(
      "{} {}are {}reserved for pods that {}{}.",
      name_subjects(unreleased.subjects, {"Claim", "claims"}, detail),
      deleted_words(cluster, unreleased.claims), deleted ? "still " : "",
      fate_of_pods(cluster, unreleased.claims),
      held > 0 ? base::format(": {} allocated and not in use", base::plural(held, "device")) : "");
  problem.remedy.command = command_about(unreleased.subjects);
  problem.finding.subjects = std::move(unreleased.subjects);
  return problem;
}

}  // namespace

void fold_unreleased(const ClusterInput& cluster, diag::Detail detail,
                     std::vector<Problem>& problems) {
  std::map<diag::Code, Unreleased> by_code;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const api::ResourceClaim* claim = unreleased_claim(cluster, problems[i]);
    if (claim == nullptr) continue;
    Unreleased& unreleased = by_code[problems[i].finding.code];
    unreleased.claims.push_back(claim);
    unreleased.subjects.push_back(problems[i].finding.subjects.front());
    unreleased.at.push_back(i);
  }
  std::set<std::size_t> left;
  for (auto& [code, unreleased] : by_code) {
    if (unreleased.at.size() < 2) continue;
    const std::size_t first = unreleased.at.front();
    left.insert(unreleased.at.begin() + 1, unreleased.at.end());
    problems[first] = folded(cluster, detail, problems[first], std::move(unreleased));
  }
  std::size_t next = 0;
  std::erase_if(problems, [&](const Problem&) { return left.contains(next++); });
}

}  // namespace dra::answers

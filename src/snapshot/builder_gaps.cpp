// src/snapshot/builder_gaps.cpp: kinds of which files hold nothing, and what that says.

#include <algorithm>

#include "dra/snapshot/builder.h"
#include "src/snapshot/evident_kinds.h"
#include "src/snapshot/list_requests.h"
#include "src/snapshot/recorded_facts.h"

namespace dra::snapshot {
namespace {

// A pod whose claim was made already names it in its status, and needs the template no more.
bool names_template(const api::Pod& pod) {
  return std::ranges::any_of(pod.spec.claims, [&pod](const api::PodClaim& claim) {
    return !claim.template_name.empty() &&
           std::ranges::find(pod.status.claims, claim.name, &api::PodClaimStatus::name) ==
               pod.status.claims.end();
  });
}

}  // namespace

// Recordings of earlier releases, and most dumps, have neither what is about volumes nor pod
// groups. A recording of a server lists what it has read.
void Builder::note_further_not_in_files(const api::ConfigMap* facts) {
  std::vector<std::pair<api::Kind, std::string>> recorded;
  if (facts != nullptr) {
    if (auto read = read_recorded_facts(*facts); read.ok())
      recorded = std::move(read).take().resource_versions;
  }
  for (const api::KindInfo& kind : api::all_kinds()) {
    const bool known = std::ranges::any_of(
        recorded, [&kind](const auto& version) { return version.first == kind.kind; });
    if (is_read_behind(kind) && count(kind.kind) == 0 && !known)
      snapshot_.coverage_.add_aside(kind.kind);
  }
}

void Builder::note_kinds_not_in_files() {
  const auto& config_maps = std::get<std::vector<api::ConfigMap>>(objects_);
  const auto& namespaces = std::get<std::vector<api::Namespace>>(objects_);
  const api::ConfigMap* facts = find_recorded_facts(config_maps);
  note_further_not_in_files(facts);
  if (facts != nullptr) return;
  // Every cluster has some DaemonSet.
  if (std::ranges::none_of(std::get<std::vector<api::Workload>>(objects_),
                           [](const auto& one) { return one.origin.kind == "DaemonSet"; }))
    snapshot_.coverage_.add_aside(api::Kind::DaemonSet);
  // Rules are rare, and few dumps are asked for them.
  if (count(api::Kind::TaintRule) == 0 && !listed_.contains(api::Kind::TaintRule))
    snapshot_.coverage_.presume_none(api::Kind::TaintRule);
  const bool whole = !namespaces.empty();
  const bool uses_dra = has_dra(objects_);
  const auto evident = evident_kinds(objects_);
  for (const api::Kind kind :
       {api::Kind::Claim, api::Kind::Class, api::Kind::Node, api::Kind::Pod, api::Kind::Slice}) {
    const bool none = whole && std::ranges::find(evident, kind) == evident.end() &&
                      (uses_dra || !api::info_of(kind).is_dra());
    if (count(kind) == 0 && !none && !listed_.contains(kind))
      snapshot_.coverage_.add_not_in_files(kind);
  }
  if (whole) return;
  if (count(api::Kind::Template) > 0 || listed_.contains(api::Kind::Template)) return;
  const auto& pods = std::get<std::vector<api::Pod>>(objects_);  // that may name some
  if (std::ranges::any_of(pods, names_template)) {
    snapshot_.coverage_.add_not_in_files(api::Kind::Template);
  } else {
    snapshot_.coverage_.add_aside(api::Kind::Template);
  }
}

}  // namespace dra::snapshot

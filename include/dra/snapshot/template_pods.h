// include/dra/snapshot/template_pods.h
//
// Pods that do not exist yet, as their controller would make them from a template, with the claims
// that the claim controller would make for them: for a manifest before it is applied, for a
// workload that has no pod yet, and for one more replica. They are known by their uids.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/snapshot/draft.h"

namespace dra::snapshot {

bool is_from_template(const api::Pod& pod);
// From a template, or of a manifest: no scheduler has heard of it.
bool is_planned(const api::Pod& pod);
bool is_from_template(const api::ResourceClaim& claim);
bool is_planned(const api::ResourceClaim& claim);

// So many pods NAME-1, NAME-2, ... of a template, owned by `owner`; their names in that order.
// Names that are taken are passed over. The template must be the snapshot's.
std::vector<std::string> make_template_pods(Draft& draft, const api::Workload& owner,
                                            const api::PodRole& role, std::int64_t count);

// The name of the pod with that number, from 1, unless it is taken.
std::string template_pod_name(const api::Workload& owner, const api::PodRole& role,
                              std::int64_t number);

// As if the pods had just been created: each has a claim for every template that it names and that
// is there.
void create_claims(Draft& draft, std::string_view ns, const std::vector<std::string>& pods);

// The claims are of a manifest: they are known as planned from then on.
void mark_planned(Draft& draft, std::string_view ns, const std::vector<std::string>& claims);

// A claim NAME as it would be made from a template; nothing happens if there is no such template.
void make_template_claim(Draft& draft, std::string_view ns, std::string_view claim_template,
                         std::string_view name);

// Pods that make_template_pods() has made, and their claims.
void remove_template_pods(Draft& draft);

}  // namespace dra::snapshot

// include/dra/snapshot/template_pods.h
//
// Makes pods that do not exist yet, as their controller would make them from a template, with the
// claims that the claim controller would make: for a manifest before it is applied, for a workload
// without pods, and for one more replica. Their uids mark them.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dra/api/workload.h"
#include "dra/snapshot/draft.h"

namespace dra::snapshot {

bool is_from_template(const api::Pod& pod);
// Made from a template, or read from a manifest: it does not exist for any scheduler.
bool is_planned(const api::Pod& pod);
bool is_from_template(const api::ResourceClaim& claim);
bool is_planned(const api::ResourceClaim& claim);

// Makes `count` pods NAME-1, NAME-2, ... of a template, owned by `owner`, and returns their names
// in that order. Names that exist are skipped. The template must belong to the snapshot.
std::vector<std::string> make_template_pods(Draft& draft, const api::Workload& owner,
                                            const api::PodRole& role, std::int64_t count);

// The name of the pod with that number, from 1, before existing names are skipped.
std::string template_pod_name(const api::Workload& owner, const api::PodRole& role,
                              std::int64_t number);

// Makes a claim for every existing template that the pods name, as if they had just been created.
void create_claims(Draft& draft, std::string_view ns, const std::vector<std::string>& pods);

// Marks claims of a manifest, so that is_planned() is true for them.
void mark_planned(Draft& draft, std::string_view ns, const std::vector<std::string>& claims);

// Makes a claim from a template; does nothing if there is no such template.
void make_template_claim(Draft& draft, std::string_view ns, std::string_view claim_template,
                         std::string_view name);

// Removes the pods that make_template_pods() made, and their claims.
void remove_template_pods(Draft& draft);

}  // namespace dra::snapshot

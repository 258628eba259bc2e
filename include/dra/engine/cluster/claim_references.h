// include/dra/engine/cluster/claim_references.h: how a pod names a claim of its namespace.

#pragma once

#include <string_view>
#include <vector>

#include "dra/api/pod.h"
#include "dra/api/types.h"

namespace dra::engine {

// The names by which a pod refers to a claim, that of extended resources left out.
std::vector<std::string_view> claim_references(const api::Pod& pod, std::string_view claim);

// True if the pod refers to the claim: by name, through a template, or for extended resources.
bool names_claim(const api::Pod& pod, std::string_view claim);

}  // namespace dra::engine

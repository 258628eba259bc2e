// include/dra/report/phrases/subject_json.h
//
// The subject of a report as JSON: {"kind", "namespace"?, "name"?}. Empty members are left out.

#pragma once

#include <vector>

#include "dra/api/pod.h"
#include "dra/api/types.h"
#include "dra/diag/subject.h"
#include "dra/json/value.h"

namespace dra::report {

json::Value subject_json(const diag::SubjectName& subject);

// The pods as an array of "namespace/name".
json::Value pods_json(const std::vector<const api::Pod*>& pods);

// A condition on labels in the form of the API: {"key", "operator", "values"?}.
json::Value requirement_json(const api::NodeSelectorRequirement& requirement);

// A selector of nodes in the form of the API: {"nodeSelectorTerms"}.
json::Value node_selector_json(const api::NodeSelector& selector);

}  // namespace dra::report

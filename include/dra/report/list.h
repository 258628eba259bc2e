// include/dra/report/list.h
//
// What all lists have in common: how a table of them looks, and API objects printed as kubectl
// does.

#pragma once

#include <vector>

#include "dra/api/meta.h"
#include "dra/base/time.h"
#include "dra/json/value.h"
#include "dra/snapshot/coverage.h"
#include "dra/view/document.h"

namespace dra::report {

struct ListOptions {
  base::Instant now = {};
  bool all_namespaces = false;  // a column with the namespace comes first
};

// An API object as `kubectl get -o json` prints it: keys sorted, apiVersion and kind there, no
// managedFields.
json::Value api_object(const api::Origin& origin);
// `kind: List`, also of one object; kubectl prints an object that was asked for by name bare.
json::Value api_list(const std::vector<const api::Origin*>& origins);

// The envelope of our own lists: {"apiVersion": "dra.kubectl/v1", "kind": KIND, ...}.
json::Value report_object(std::string_view kind);

// `coverage.missing`, when something could not be read.
void add_coverage(json::Value& report, const snapshot::Coverage& coverage);

}  // namespace dra::report

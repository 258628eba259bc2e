// include/dra/report/lists/list.h
//
// What all lists share: their options, and API objects printed as kubectl does.

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
  bool all_namespaces = false;  // adds a column NAMESPACE
};

// An API object as `kubectl get -o json` prints it: keys sorted, with apiVersion and kind, and with
// managedFields only for --show-managed-fields.
json::Value api_object(const api::Origin& origin, bool managed_fields = false);
// `kind: List`. kubectl prints a single object that was named without it.
json::Value api_list(std::vector<json::Value> objects);

}  // namespace dra::report

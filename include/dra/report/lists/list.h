// include/dra/report/lists/list.h
//
// What all lists have in common: how a table of them looks, and API objects printed as kubectl
// does.

#pragma once

#include <vector>

#include "dra/api/meta.h"
#include "dra/base/time.h"
#include "dra/json/value.h"
#include "dra/report/phrases/words.h"
#include "dra/snapshot/coverage.h"
#include "dra/view/document.h"

namespace dra::report {

struct ListOptions {
  base::Instant now = {};
  bool all_namespaces = false;  // a column with the namespace comes first
};

// A table of namespaced objects gets a column with the namespace where the options say so.
view::Table object_table(const ListOptions& options, Titles titles, Titles wide_titles = {});
void add_object(view::Table& table, const ListOptions& options, std::string_view ns,
                std::vector<view::Cell> cells);

// An API object as `kubectl get -o json` prints it: keys sorted, apiVersion and kind there, and
// managedFields only with --show-managed-fields.
json::Value api_object(const api::Origin& origin, bool managed_fields = false);
// `kind: List`; kubectl prints an object that was asked for by name, alone, without it.
json::Value api_list(std::vector<json::Value> objects);

}  // namespace dra::report

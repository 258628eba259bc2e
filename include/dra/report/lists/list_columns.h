// include/dra/report/lists/list_columns.h
//
// What kubectl adds to the table of any kind: columns for labels, and the kind before the name.
// Upstream: k8s.io/cli-runtime/pkg/printers, decorateTable.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "dra/api/kinds.h"
#include "dra/api/meta.h"
#include "dra/view/document.h"

namespace dra::report {

// The objects of a table's rows, in their order.
using RowObjects = std::span<const api::ObjectMeta* const>;

// A column for each label (`app.kubernetes.io/name` under NAME), then all labels if asked for.
void add_label_columns(view::Table& table, RowObjects objects,
                       const std::vector<std::string>& labels, bool all_labels);

// "resourceclaim.resource.k8s.io/NAME" in the column NAME.
void add_kind(view::Table& table, api::Kind kind);

// "resourceclaim.resource.k8s.io", "pod": how kubectl writes a kind before a name.
std::string kind_prefix(api::Kind kind);

}  // namespace dra::report

// include/dra/report/lists/list_columns.h
//
// The columns that kubectl can add to any table: labels, and the kind before the name.
// Upstream: k8s.io/cli-runtime/pkg/printers, decorateTable.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "dra/api/kinds.h"
#include "dra/api/meta.h"
#include "dra/view/document.h"

namespace dra::report {

// The objects of a table's rows, in order.
using RowObjects = std::span<const api::ObjectMeta* const>;

// Adds a column for each label (`app.kubernetes.io/name` under NAME), then LABELS if `all_labels`.
void add_label_columns(view::Table& table, RowObjects objects,
                       const std::vector<std::string>& labels, bool all_labels);

// Writes "resourceclaim.resource.k8s.io/NAME" in the column NAME.
void add_kind(view::Table& table, api::Kind kind);

// The kind as kubectl writes it before a name: "resourceclaim.resource.k8s.io", "pod".
std::string kind_prefix(api::Kind kind);

}  // namespace dra::report

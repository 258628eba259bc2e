// include/dra/report/lists/list_templates.h
//
// `kubectl dra templates`: the requests of each template, and the number of its claims and pods.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dra/report/lists/list.h"
#include "dra/snapshot/snapshot.h"

namespace dra::report {

struct TemplateRow {
  const api::ResourceClaimTemplate* from;
  std::string requests;  // "1 x gpu.nvidia.com"
  // A claim does not name its template. It is found by the pod that owns it and the pod's name for
  // the claim, so a claim whose pod is deleted is not counted.
  std::optional<std::int64_t> claims;
  std::optional<std::int64_t> pods;  // that refer to it, in any phase
};

// In the order of `templates`.
std::vector<TemplateRow> template_rows(
    const snapshot::Snapshot& snapshot,
    std::span<const api::ResourceClaimTemplate* const> templates);
view::Document templates_view(std::span<const TemplateRow> rows, const ListOptions& options);

}  // namespace dra::report

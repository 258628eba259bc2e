// include/dra/report/lists/list_templates.h
//
// `kubectl dra templates`: what each template asks for, how many claims were made from it, and how
// many pods refer to it. `-o json` prints the API objects.

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
  // Claims that are there now. A claim does not name its template: it is found by the pod that owns
  // it and the pod's name for it, so a claim whose pod is gone is not counted.
  std::optional<std::int64_t> claims;
  std::optional<std::int64_t> pods;  // that refer to it, in whatever phase
};

// In the order given.
std::vector<TemplateRow> template_rows(
    const snapshot::Snapshot& snapshot,
    std::span<const api::ResourceClaimTemplate* const> templates);
view::Document templates_view(std::span<const TemplateRow> rows, const ListOptions& options);

}  // namespace dra::report

// src/report/lists/list_templates.cpp: counts the claims and pods of each template, and the columns
// of `kubectl dra templates`.

#include "dra/report/lists/list_templates.h"

#include <algorithm>
#include <map>
#include <set>

#include "dra/api/pod.h"
#include "dra/report/phrases/words.h"
#include "src/report/lists/column.h"

namespace dra::report {
namespace {

// An annotation of claims that the claim controller creates: the pod's name for the claim.
constexpr std::string_view kPodClaimName = "resource.kubernetes.io/pod-claim-name";

using TemplateKey = std::pair<std::string_view, std::string_view>;  // namespace, template

struct Use {
  std::int64_t claims = 0;
  std::int64_t pods = 0;
};

// The template of a claim; empty if its pod does not exist or has no such reference.
std::string_view template_of(const snapshot::Snapshot& snapshot, const api::ResourceClaim& claim) {
  const std::string_view* pod_claim = api::find(claim.meta.annotations, kPodClaimName);
  const api::OwnerReference* owner = api::controller_of(claim.meta);
  if (pod_claim == nullptr || owner == nullptr || owner->kind != "Pod") return {};
  const auto* pod = snapshot.find<api::Pod>(claim.meta.namespace_, owner->name);
  if (pod == nullptr || pod->meta.uid != owner->uid) return {};
  const auto reference = std::ranges::find(pod->spec.claims, *pod_claim, &api::PodClaim::name);
  return reference == pod->spec.claims.end() ? std::string_view() : reference->template_name;
}

std::map<TemplateKey, Use> uses_of(const snapshot::Snapshot& snapshot) {
  std::map<TemplateKey, Use> uses;
  for (const api::ResourceClaim& claim : snapshot.all<api::ResourceClaim>())
    ++uses[{claim.meta.namespace_, template_of(snapshot, claim)}].claims;
  for (const api::Pod& pod : snapshot.all<api::Pod>()) {
    std::set<std::string_view> names;  // a pod may refer to a template twice
    for (const api::PodClaim& reference : pod.spec.claims)
      names.insert(reference.template_name);
    for (const std::string_view name : names)
      ++uses[{pod.meta.namespace_, name}].pods;
  }
  return uses;
}

Columns<TemplateRow> template_columns(const ListOptions& options) {
  return {
      namespace_column<TemplateRow>(
          options, [](const TemplateRow& row) { return row.from->meta.namespace_; }),
      {.title = "NAME", .value = [](const TemplateRow& row) { return row.from->meta.name; }},
      {.title = "REQUESTS", .value = &TemplateRow::requests},
      {.title = "CLAIMS", .value = if_known(&TemplateRow::claims)},
      {.title = "PODS", .value = if_known(&TemplateRow::pods)},
      {.title = "AGE",
       .value = [now = options.now](
                    const TemplateRow& row) { return age_of(row.from->meta.created, now); }},
  };
}

}  // namespace

std::vector<TemplateRow> template_rows(
    const snapshot::Snapshot& snapshot,
    std::span<const api::ResourceClaimTemplate* const> templates) {
  std::map<TemplateKey, Use> uses = uses_of(snapshot);
  const snapshot::Coverage& coverage = snapshot.coverage();
  std::vector<TemplateRow> rows;
  for (const api::ResourceClaimTemplate* from : templates) {
    const Use use = uses[{from->meta.namespace_, from->meta.name}];
    TemplateRow row{.from = from, .requests = describe_requests(from->spec.spec)};
    const bool saw_pods = coverage.saw(api::Kind::Pod, from->meta.namespace_);
    const bool saw_claims = coverage.saw(api::Kind::Claim, from->meta.namespace_);
    if (saw_pods) row.pods = use.pods;
    if (saw_pods && saw_claims) row.claims = use.claims;
    rows.push_back(std::move(row));
  }
  return rows;
}

view::Document templates_view(std::span<const TemplateRow> rows, const ListOptions& options) {
  return list_view(template_columns(options), rows);
}

}  // namespace dra::report

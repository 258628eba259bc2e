// src/report/lists/list_pods.cpp: which pods use claims, their status in kubectl's words, and the
// columns of `kubectl dra pods`.

#include "dra/report/lists/list_pods.h"

#include "dra/api/pod.h"
#include "dra/base/text.h"
#include "dra/engine/cluster/pods.h"
#include "dra/engine/scheduler/pod_claims.h"
#include "dra/report/phrases/words.h"
#include "src/report/lists/column.h"

namespace dra::report {
namespace {

view::Tone tone_of_status(std::string_view status) {
  if (status == "Running" || status == "Succeeded") return view::Tone::Plain;
  return status == "Failed" ? view::Tone::Bad : view::Tone::Warn;
}

Columns<PodRow> pod_columns(const ListOptions& options) {
  return {
      namespace_column<PodRow>(options, [](const PodRow& row) { return row.pod->meta.namespace_; }),
      {.title = "NAME", .value = [](const PodRow& row) { return row.pod->meta.name; }},
      {.title = "STATUS",
       .cell = [](const PodRow& row) { return cell(row.status, tone_of_status(row.status)); }},
      {.title = "CLAIMS", .value = &PodRow::claims},
      {.title = "DEVICES", .value = &PodRow::devices},
      {.title = "NODE",
       .value = [](const PodRow& row) { return or_none(row.pod->spec.node_name); }},
      {.title = "AGE",
       .value =
           [now = options.now](const PodRow& row) { return age_of(row.pod->meta.created, now); }},
  };
}

}  // namespace

PodRow pod_row(const snapshot::Snapshot& snapshot, const api::Pod& pod) {
  PodRow row{.pod = &pod, .status = engine::pod_status(pod)};
  const engine::Subject subject = engine::subject_of_pod(snapshot, pod);
  std::vector<std::string_view> devices;
  std::size_t allocated = 0;
  for (const engine::SubjectClaim& claim : subject.claims) {
    if (claim.claim == nullptr || !claim.claim->allocated()) continue;
    ++allocated;
    for (const auto& result : claim.claim->status.allocation->devices.results) {
      devices.push_back(result.device);
    }
  }
  const bool known = snapshot.coverage().saw(api::Kind::Claim, pod.meta.namespace_);
  row.claims =
      known ? base::format("{}/{}", allocated, subject.claims.size()) : std::string(kUnknown);
  row.devices = known ? or_none(fold_names(devices)) : std::string(kUnknown);
  return row;
}

view::Document pods_view(const std::vector<PodRow>& rows, const ListOptions& options) {
  return list_view(pod_columns(options), rows);
}

}  // namespace dra::report

// cmd/needs.cpp: see needs.h.

#include "cmd/needs.h"

#include <algorithm>
#include <iterator>

#include "dra/base/text.h"
#include "dra/engine/running/kubelet_words.h"

namespace dra::cmd {

std::vector<snapshot::Need> also_within(std::vector<snapshot::Need> needs, const std::string& ns) {
  const std::size_t wide = needs.size();
  for (std::size_t i = 0; i < wide; ++i) {
    snapshot::Need need = needs[i];
    if (!need.namespace_.empty() || !api::info_of(need.kind).namespaced) continue;
    need.namespace_ = ns;
    needs.push_back(std::move(need));
  }
  return needs;
}

std::vector<snapshot::Need> verbatim(std::vector<snapshot::Need> needs) {
  for (snapshot::Need& need : needs)
    need.verbatim = true;
  return needs;
}

namespace {

// What decides where volumes can be. Without it, pods that wait with such volumes are undetermined.
std::vector<snapshot::Need> needs_of_volumes() {
  std::vector<snapshot::Need> needs;
  for (const api::KindInfo& kind : api::all_kinds()) {
    if (kind.is_of_volumes())
      needs.push_back({.kind = kind.kind, .aside = true, .if_volumes_wait = true});
  }
  return needs;
}

}  // namespace

std::vector<snapshot::Need> with_volumes(std::vector<snapshot::Need> needs) {
  for (snapshot::Need& need : needs)
    need.if_volumes_wait = false;
  return needs;
}

std::vector<snapshot::Need> surroundings() {
  std::vector<snapshot::Need> needs = {{.kind = api::Kind::ComputeDomain, .aside = true},
                                       {.kind = api::Kind::DaemonSet, .aside = true},
                                       {.kind = api::Kind::DisruptionBudget, .aside = true},
                                       {.kind = api::Kind::Namespace, .aside = true},
                                       {.kind = api::Kind::QueuedWorkload, .aside = true}};
  std::ranges::move(needs_of_volumes(), std::back_inserter(needs));
  needs.push_back({.kind = api::Kind::PodGroup, .if_groups_wait = true});
  return needs;
}

std::vector<snapshot::Need> failures_around() {
  std::vector<snapshot::Need> needs;
  for (const std::string_view reason : {std::string_view("FailedCreate"), engine::kFailedPrepare})
    needs.push_back({.kind = api::Kind::Event,
                     .field_selector = base::format("reason={}", reason),
                     .aside = true});
  return needs;
}

}  // namespace dra::cmd

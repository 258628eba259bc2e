// src/engine/scheduler/subject_variants.cpp: makes one copy of the subject and one allocator for
// each set of extended resources that device plugins serve, and keeps them by that set.

#include "dra/engine/scheduler/subject_variants.h"

#include <utility>

#include "dra/api/cluster_objects.h"

namespace dra::engine {
namespace {

Subject left_to_dra(const Subject& subject, const std::vector<std::string_view>& by_plugin) {
  Subject left{.pod = subject.pod, .claims = subject.claims, .blockers = {}};
  left.group = subject.group;
  for (SubjectClaim& claim : left.claims) {
    if (claim.extended != nullptr) claim.by_plugin = by_plugin;
  }
  return left;
}

}  // namespace

SubjectVariant::SubjectVariant(Subject left_to_dra, const snapshot::Snapshot& snapshot,
                               const Inventory& inventory, const Demands& demands, Depth depth)
    : subject(std::move(left_to_dra)), allocator(snapshot, inventory, demands, subject, depth) {}

SubjectVariants::SubjectVariants(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                                 const Demands& demands, const Subject& subject, Depth depth)
    : snapshot_(snapshot),
      inventory_(inventory),
      demands_(demands),
      subject_(subject),
      depth_(depth) {}

const SubjectVariant& SubjectVariants::on(const api::Node& node) {
  std::vector<std::string_view> by_plugin;
  if (subject_.extended != nullptr)
    by_plugin = served_by_plugin(snapshot_.server(), node, subject_.extended->resources);
  if (const auto known = variants_.find(by_plugin); known != variants_.end()) return known->second;
  return variants_
      .try_emplace(by_plugin, left_to_dra(subject_, by_plugin), snapshot_, inventory_, demands_,
                   depth_)
      .first->second;
}

}  // namespace dra::engine

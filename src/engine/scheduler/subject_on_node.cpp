// src/engine/scheduler/subject_on_node.cpp: makes one copy of the subject and one allocator for
// each set of extended resources that device plugins serve, and keeps them by that set.

#include "dra/engine/scheduler/subject_on_node.h"

namespace dra::engine {
namespace {

Subject with(const Subject& subject, const std::vector<std::string_view>& by_plugin) {
  Subject here{.pod = subject.pod, .claims = subject.claims, .blockers = {}};
  here.group = subject.group;
  for (SubjectClaim& claim : here.claims) {
    if (claim.extended != nullptr) claim.by_plugin = by_plugin;
  }
  return here;
}

}  // namespace

SubjectOnNode::SubjectOnNode(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                             const Demands& demands, const Subject& subject, Depth depth)
    : snapshot_(snapshot),
      inventory_(inventory),
      demands_(demands),
      subject_(subject),
      depth_(depth) {}

SubjectOnNode::Here::Here(const SubjectOnNode& all, const std::vector<std::string_view>& by_plugin)
    : subject(with(all.subject_, by_plugin)),
      allocator(all.snapshot_, all.inventory_, all.demands_, subject, all.depth_) {}

const SubjectOnNode::Here& SubjectOnNode::on(const api::Node& node) {
  std::vector<std::string_view> by_plugin;
  if (subject_.extended != nullptr)
    by_plugin = served_by_plugin(node, subject_.extended->resources);
  return known_.try_emplace(by_plugin, *this, by_plugin).first->second;
}

}  // namespace dra::engine

// include/dra/engine/scheduler/subject_on_node.h
//
// The subject as each node has to serve it. Nodes differ in which of a pod's extended resources
// their device plugins have, and so in what is left for DRA; all that have the same share the
// allocator for it.

#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "dra/engine/scheduler/allocate.h"
#include "dra/engine/scheduler/pod_claims.h"

namespace dra::engine {

class SubjectOnNode {
 public:
  // All must outlive this object; the inventory and the demands are of this snapshot and subject.
  SubjectOnNode(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                const Demands& demands, const Subject& subject, Depth depth);

  struct Here {
    // The same claims in the same order; without blockers.
    Subject subject;
    Allocator allocator;

    Here(const SubjectOnNode& all, const std::vector<std::string_view>& by_plugin);
    Here(const Here&) = delete;
    Here& operator=(const Here&) = delete;
  };
  // Valid as long as this object.
  const Here& on(const api::Node& node);

 private:
  const snapshot::Snapshot& snapshot_;
  const Inventory& inventory_;
  const Demands& demands_;
  const Subject& subject_;
  Depth depth_;
  std::map<std::vector<std::string_view>, Here> known_;  // by what plugins serve
};

}  // namespace dra::engine

// include/dra/engine/scheduler/subject_variants.h
//
// The subject as each node has to serve it. Nodes differ in which extended resources of a pod their
// device plugins serve, and so in the requests that are left to DRA. Nodes with the same requests
// left share one variant.

#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "dra/engine/scheduler/allocate.h"
#include "dra/engine/scheduler/pod_claims.h"

namespace dra::engine {

struct SubjectVariant {
  SubjectVariant(Subject left_to_dra, const snapshot::Snapshot& snapshot,
                 const Inventory& inventory, const Demands& demands, Depth depth);
  SubjectVariant(const SubjectVariant&) = delete;
  SubjectVariant& operator=(const SubjectVariant&) = delete;

  // Same claims in the same order, without blockers.
  Subject subject;
  Allocator allocator;  // of this subject
};

class SubjectVariants {
 public:
  // All arguments must outlive this object, and belong to the snapshot and the subject.
  SubjectVariants(const snapshot::Snapshot& snapshot, const Inventory& inventory,
                  const Demands& demands, const Subject& subject, Depth depth);

  // The reference is valid as long as this object.
  const SubjectVariant& on(const api::Node& node);

 private:
  const snapshot::Snapshot& snapshot_;
  const Inventory& inventory_;
  const Demands& demands_;
  const Subject& subject_;
  Depth depth_;
  // By the extended resources that plugins serve.
  std::map<std::vector<std::string_view>, SubjectVariant> variants_;
};

}  // namespace dra::engine

// include/dra/report/explain/pending.h
//
// `kubectl dra explain --pending`: every pod that waits for devices, by cause, the most frequent
// first, each with the command that explains one of them.

#pragma once

#include <string>
#include <string_view>

#include "dra/answers/explain/pods_by_cause.h"
#include "dra/report/explain/explanation.h"

namespace dra::report {

struct Pending {
  std::string namespace_;  // empty: all
  std::size_t pods = 0;
  std::size_t elsewhere = 0;  // that wait in other namespaces, as far as they were read
  answers::PodsByCause alike;
};

Pending pending_pods(const snapshot::Snapshot& snapshot, std::string_view ns);

// An ExplanationList: an item for each cause, which is the explanation of its first pod with the
// names of all, so that its counts add up to the pods that wait.
json::Value to_json(const Pending& pending, const snapshot::Snapshot& snapshot);

// `program` and `flags` are what stands before and after a command that is proposed.
struct PendingViewOptions {
  bool wide = false;  // every cause and every pod
  std::string program;
  std::string flags;
};
view::Document to_view(const Pending& pending, const PendingViewOptions& options);

}  // namespace dra::report

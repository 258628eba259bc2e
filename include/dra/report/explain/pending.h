// include/dra/report/explain/pending.h
//
// `kubectl dra explain --pending`: all pods that wait for devices, by cause, the most frequent
// first, each cause with the command that explains one of its pods.

#pragma once

#include <string>
#include <string_view>

#include "dra/answers/explain/pods_by_cause.h"
#include "dra/report/explain/explanation.h"

namespace dra::report {

struct Pending {
  std::string namespace_;  // empty: all
  std::size_t pods = 0;
  std::size_t elsewhere = 0;  // pods that wait in other namespaces, as far as these were read
  answers::PodsByCause alike;
};

Pending pending_pods(const snapshot::Snapshot& snapshot, std::string_view ns);

// An ExplanationList with an item for each cause. The item is the explanation of its first pod with
// the names of all, so that the counts add up to the number of waiting pods.
json::Value to_json(const Pending& pending, const snapshot::Snapshot& snapshot);

// `program` and `flags` enclose each proposed command.
struct PendingViewOptions {
  bool wide = false;  // every cause and every pod
  std::string program;
  std::string flags;
};
view::Document to_view(const Pending& pending, const PendingViewOptions& options);

}  // namespace dra::report

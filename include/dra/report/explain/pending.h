// include/dra/report/explain/pending.h
//
// Presents all pods that wait for devices, by cause, each cause with the command that explains one
// of its pods.

#pragma once

#include <string>

#include "dra/answers/explain/pending_pods.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

// An ExplanationList with an item for each cause. The item is the explanation of its first pod with
// the names of all, so that the counts add up to the number of waiting pods.
json::Value to_json(const answers::PendingPods& pending);
// The same in parts: without any item, and one item with the explanation of its first pod.
json::Value pending_frame(const answers::PendingPods& pending);
json::Value pending_item(const answers::PodsOfCause& pods, const answers::Explanation& explanation);

// `program` and `flags` enclose each proposed command.
struct PendingViewOptions {
  bool wide = false;  // every cause and every pod
  std::string program;
  std::string flags;
};
view::Document to_view(const answers::PendingPods& pending, const PendingViewOptions& options);

}  // namespace dra::report

// include/dra/report/explain/pod_plan.h
//
// Presents what all waiting pods get, in the order of the scheduler's queue.

#pragma once

#include <string>

#include "dra/answers/explain/pod_plan.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

json::Value to_json(const answers::PodPlan& plan);

// `program` and `flags` enclose each proposed command.
struct PlanViewOptions {
  bool wide = false;  // every pod, with every node that it may get
  std::string program = "kubectl dra";
  std::string flags = {};
};
view::Document to_view(const answers::PodPlan& plan, const PlanViewOptions& options);

}  // namespace dra::report

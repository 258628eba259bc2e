// include/dra/report/explain/pod_plan.h
//
// Presents what all waiting pods get, in the order of the scheduler's queue.

#pragma once

#include "dra/answers/explain/pod_plan.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

json::Value to_json(const answers::PodPlan& plan);
// `wide`: every pod, with every node that it may get.
view::Document to_view(const answers::PodPlan& plan, bool wide);

}  // namespace dra::report

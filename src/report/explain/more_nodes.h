// src/report/explain/more_nodes.h: how many of the waiting pods of a plan more nodes would place.

#pragma once

#include "dra/answers/explain/pod_plan.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

// Nothing where every pod gets a node.
void add_more_nodes(json::Value& out, const answers::PodPlan& plan);
void add_more_nodes(view::Document& document, const answers::PodPlan& plan, bool wide);

}  // namespace dra::report

// src/report/explain/plan_drain.h: the part of a plan that is about nodes to be drained.

#pragma once

#include <string>

#include "dra/report/explain/pod_plan.h"

namespace dra::report {

// "Drain of n1: 3 of 5 pods fit elsewhere; train-0 and train-1 do not: ...".
std::string drain_headline(const answers::PodPlan& plan);
view::Tone drain_tone(const answers::PodPlan& plan);

// Below the headline: which data is lost, which pods do not come back, and which budgets delay it;
// then what to do next.
void add_drain_notes(view::Document& document, const answers::PodPlan& plan,
                     const PlanViewOptions& options);
void add_drain_command(view::Document& document, const answers::PodPlan& plan,
                       const PlanViewOptions& options);

// There is a pod at which the drain stops or fails.
bool may_stop(const answers::PodPlan& plan);

// The node that a pod leaves, with the devices that it has there: "n1 gpu-0…3".
std::string left_behind(const answers::PodPlan& plan, const answers::PlannedPod& pod);

json::Value drain_json(const answers::DrainFacts& drain);

}  // namespace dra::report

// include/dra/report/explain/workload_explanation.h: presents the explanation of a workload as JSON
// and as text.

#pragma once

#include "dra/answers/explain/workload_explanation.h"
#include "dra/report/explain/explanation.h"

namespace dra::report {

using answers::PodsOfCause;
using answers::RoleFit;
using answers::WorkloadExplanation;

json::Value to_json(const WorkloadExplanation& explanation);
view::Document to_view(const WorkloadExplanation& explanation, const ExplainViewOptions& options);

}  // namespace dra::report

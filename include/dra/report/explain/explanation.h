// include/dra/report/explain/explanation.h: an explanation as JSON and as text.

#pragma once

#include <optional>
#include <vector>

#include "dra/answers/explain/explanation.h"
#include "dra/answers/explain/workload_explanation.h"
#include "dra/base/time.h"
#include "dra/json/value.h"
#include "dra/view/document.h"

namespace dra::report {

using answers::DemandFacts;
using answers::DeviceAnswer;
using answers::DeviceOnNode;
using answers::Explanation;
using answers::PodsThen;
using answers::SchedulerWord;
using answers::SelectorFacts;
using answers::SelectorFinding;
using answers::Verdict;
using diag::SubjectName;

json::Value to_json(const Explanation& explanation);

struct ExplainViewOptions {
  base::Instant now = {};
  bool wide = false;                      // every node and every device, nothing folded
  const view::Document* above = nullptr;  // replaces the first line
  // Set if the explanation represents several pods: for each piece of advice, how many pods fit
  // then; no value: not computed.
  const std::vector<std::optional<PodsThen>>* pods_then = nullptr;
  std::string flags = {};  // of every proposed command, quoted for a shell: " --demo"
};
view::Document to_view(const Explanation& explanation, const ExplainViewOptions& options);

}  // namespace dra::report

// src/report/phrases/gain_words.cpp: what a piece of advice brings, and what was tried.

#include <variant>

#include "dra/base/text.h"
#include "dra/report/phrases/advice_words.h"

namespace dra::report {

std::string gain_words(const engine::Advice& advice) {
  std::string text = std::holds_alternative<engine::AddNode>(advice.changes.back())
                         ? "fits there"
                         : base::format("fits on {}", base::plural(advice.nodes, "node"));
  const auto& all = advice.in_front;
  if (all.empty()) return text;
  return text + base::format(", unless pod {}{}, before it in the queue, takes them", all.front(),
                             all.size() == 1 ? "" : " or another");
}

std::string_view means_words(engine::Means means) {
  using engine::Means;
  switch (means) {
    case Means::Wait:
      return "waiting for missing slices";
    case Means::EditSelector:
      return "other values in selectors";
    case Means::Tolerate:
      return "tolerations";
    case Means::Release:
      return "freeing devices that others hold";
    case Means::SplitRequests:
      return "splitting requests into aligned parts";
    case Means::RelaxConstraint:
      return "matching a wider attribute";
    case Means::SetCount:
      return "another count of devices";
    case Means::DropConstraint:
      return "removing a constraint";
    case Means::UseAlternative:
      return "a single alternative";
    case Means::DropSelector:
      return "removing a condition of a selector";
    case Means::SelectNodes:
      return "selecting other nodes";
    case Means::AddNode:
      return "one more node like these";
    case Means::RemoveNode:
    case Means::JoinNodes:
    case Means::Drain:
      break;
  }
  return "";
}

}  // namespace dra::report

// src/report/explain/explanation_reasons.cpp: a switch over the codes whose reasons the figures of
// a node show.

#include "src/report/explain/explanation_reasons.h"

#include <algorithm>
#include <iterator>

#include "dra/base/text.h"
#include "src/report/explain/explanation_nodes.h"

namespace dra::report {
namespace {

using diag::Code;

constexpr std::int64_t kMostAlike = 3;  // reasons of one code that a node's row has in full

// Device plugins serve some of the demands, so reasons are shown for each node and not by figures
// alone.
bool some_is_left_to_plugins(const Explanation& explanation) {
  return std::ranges::any_of(explanation.nodes, [](const engine::NodeResult& node) {
    return std::ranges::any_of(node.demands, &engine::DemandResult::by_plugin);
  });
}

}  // namespace

NodeReasons::NodeReasons(const Explanation& explanation, bool wide)
    : explanation_(explanation),
      wide_(wide),
      asked_(explanation.subject),
      shows_matches_(shows_matches(explanation)),
      left_to_plugins_(some_is_left_to_plugins(explanation)) {}

bool NodeReasons::is_first_line(const diag::Reason& reason) const {
  return explanation_.cause.find(reason.message) != std::string::npos;
}

bool NodeReasons::is_shown(const diag::Reason& reason, const engine::NodeResult& node) const {
  switch (reason.code) {
    case Code::DeviceInUse:
    case Code::NotSimulated:
    case Code::ClassSelectorFalse:
    case Code::SelectorFalse:
    case Code::NoAlternative:  // the reasons against each alternative say it
      return true;
    case Code::NoMatch:
    case Code::AllNone:
      return shows_matches_;
    case Code::AllUnusable:
    case Code::NoSlices:
      return !wide_ && shows_matches_;
    case Code::CountShort: {
      if (!wide_ && !reason.request.empty() && shows_matches_) return !left_to_plugins_;
      // The shortage follows from a selector that fails.
      return std::ranges::any_of(node.reasons, [&reason](const diag::Reason& other) {
        const bool fails = other.code == Code::SelectorError || other.code == Code::SelectorCompile;
        return fails && other.claim == reason.claim && other.request == reason.request;
      });
    }
    case Code::SelectorError:
    case Code::SelectorCompile:
      return !wide_ && is_first_line(reason);
    case Code::CountersShort:
      return !wide_ && (shows_matches_ || is_first_line(reason));
    default:
      // Of several rows each has its own reason.
      return !wide_ && explanation_.groups.size() == 1 && is_first_line(reason);
  }
}

std::vector<const diag::Reason*> NodeReasons::against(const engine::NodeResult& node) const {
  std::vector<const diag::Reason*> reasons;
  for (const diag::Reason& reason : node.other_reasons)
    reasons.push_back(&reason);
  if (node.is_feasible() && !wide_) return reasons;
  for (const diag::Reason& reason : node.reasons) {
    if (!is_shown(reason, node)) reasons.push_back(&reason);
  }
  return reasons;
}

// Where none is usable, the states of the devices say why.
std::string NodeReasons::needs(const engine::DemandResult& demand) const {
  const api::DeviceDemand* asked = asked_.of(demand.claim, demand.request);
  if (asked == nullptr || asked->all()) return {};
  const std::int64_t wanted = asked->wanted();
  const bool too_few = demand.matching > 0 && demand.matching < wanted;
  const bool too_few_free = demand.usable > 0 && demand.usable < wanted;
  if (demand.by_plugin || (!too_few && !too_few_free)) return {};
  const std::size_t own = demand.request.find('/') + 1;  // 0 without a slash
  const bool one = explanation_.nodes.front().demands.size() == 1;
  return one ? base::format("needs {}", wanted)
             : base::format("{}{} needs {}", demand.request.substr(own),
                            of_claim(explanation_, demand.claim, demand.request), wanted);
}

std::vector<std::string> NodeReasons::sentences(const engine::NodeResult& node) const {
  std::vector<std::string> all;
  const auto add = [&all](std::string text) {
    if (!text.empty() && std::ranges::find(all, text) == all.end()) all.push_back(std::move(text));
  };
  const std::vector<const diag::Reason*> reasons = against(node);
  std::vector<Code> summed_up;
  for (const diag::Reason* reason : reasons) {
    const std::int64_t alike =
        wide_ ? 0 : std::ranges::count(reasons, reason->code, &diag::Reason::code);
    if (alike <= kMostAlike) {
      add(reason->message);
    } else if (std::ranges::find(summed_up, reason->code) == summed_up.end()) {
      summed_up.push_back(reason->code);
      add(base::format("{}, and {} like it", reason->message, base::plural(alike - 1, "reason")));
    }
  }
  if (node.fits() || !shows_matches_ || left_to_plugins_) return all;
  for (const engine::DemandResult& demand : node.demands)
    add(needs(demand));
  return all;
}

}  // namespace dra::report

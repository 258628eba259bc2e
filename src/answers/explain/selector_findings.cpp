// src/answers/explain/selector_findings.cpp: collects failures by message; without failures,
// reports the condition that excludes the most devices.

#include "dra/answers/explain/selector_findings.h"

#include <algorithm>

#include "dra/base/prose.h"
#include "dra/base/text.h"
#include "dra/engine/facts/device_attribute.h"
#include "src/answers/explain/selector_evidence.h"

namespace dra::answers {
namespace {

using diag::Code;

constexpr std::size_t kMaxFailures = 3;  // different messages

constexpr std::string_view kNoKey = "no such key: ";

template <class T>
std::vector<std::string> full_names(std::string_view driver, const T& properties) {
  std::vector<std::string> names;
  names.reserve(properties.size());
  for (const auto& property : properties)
    names.push_back(engine::full_attribute_name(driver, property.key));
  std::ranges::sort(names);
  return names;
}

// The names of the device's attributes or capacities, whichever the part reads.
std::vector<std::string> names_of(const engine::Candidate& device, std::string_view part) {
  return part.find(".capacity") == std::string_view::npos
             ? full_names(device.driver, device.device->attributes)
             : full_names(device.driver, device.device->capacity);
}

class Finder {
 public:
  Finder(const engine::Demands& demands, const api::DeviceDemand& demand,
         const std::optional<engine::ClauseTable>& clauses)
      : demands_(demands), clauses_(clauses), of_class_(demands.of_class(demand)) {}

  std::vector<SelectorFinding> find(const engine::Selection& selection) {
    for (const engine::FailureGroup& group : engine::failures_of(selection)) {
      if (findings_.size() < kMaxFailures) findings_.push_back(failure(selection, group));
    }
    if (findings_.empty() && selection.chosen == 0) add_unmet(selection);
    return std::move(findings_);
  }

 private:
  SelectorFinding about(std::size_t selector, Code code) const {
    const bool of_class = selector < of_class_;
    return {.finding = {.code = code},
            .of_class = of_class,
            .index = of_class ? selector : selector - of_class_};
  }

  SelectorFinding failure(const engine::Selection& selection,
                          const engine::FailureGroup& group) const {
    const engine::SelectorCount& count = selection.selectors[group.selector];
    const engine::Selector& selector = count.answer->selector;
    SelectorFinding finding =
        about(group.selector, count.answer->devices ? Code::SelectorError : Code::SelectorCompile);
    finding.finding.message = engine::on_one_line(*group.failure);
    finding.devices = group.devices.size();
    finding.of = count.reached;
    finding.span = place_of_failure(selector, group.devices.front());
    finding.part = base::one_line(selector.source().text_of(finding.span));
    if (finding.finding.message.starts_with(kNoKey)) {
      finding.key = finding.finding.message.substr(kNoKey.size());
      finding.names = names_of(demands_.fleet()[group.devices.front()], finding.part);
    }
    return finding;
  }

  // The part that failed for this device; falls back to the whole expression.
  cel::Span place_of_failure(const engine::Selector& selector, std::size_t device) const {
    if (selector.program() != nullptr) {
      const auto trace = engine::trace_of(selector, demands_.fleet()[device]);
      if (trace) return deciding_part(selector, *trace);
    }
    return {0, static_cast<std::uint32_t>(selector.expression().size())};
  }

  // Adds the most relevant condition: the one that alone excludes the most devices, or else the one
  // that the fewest devices meet.
  void add_unmet(const engine::Selection& selection) {
    if (!clauses_ || clauses_->devices == 0) return;
    const auto nearest = clauses_->nearest();
    const auto found = nearest ? nearest : clauses_->strictest();
    if (!found) return;
    const engine::ClauseCount& clause = clauses_->clauses[*found];
    SelectorFinding finding = about(clause.selector, Code::NoMatch);
    finding.span = clause.clause.span;
    finding.part = clause.clause.text;
    const engine::Selector& selector = selection.selectors[clause.selector].answer->selector;
    finding.comparison = cel::comparison_of(selector.program()->checked().ast, clause.clause);
    finding.of = clauses_->devices;
    finding.met = clause.alone;
    finding.devices = nearest ? clause.only_obstacle : clauses_->devices - clause.alone;
    finding.seen = clause.seen;
    findings_.push_back(std::move(finding));
  }

  const engine::Demands& demands_;
  const std::optional<engine::ClauseTable>& clauses_;
  std::size_t of_class_;
  std::vector<SelectorFinding> findings_;
};

}  // namespace

std::vector<SelectorFinding> findings_of(const engine::Demands& demands,
                                         const api::DeviceDemand& demand,
                                         const std::optional<engine::ClauseTable>& clauses) {
  const engine::Selection* selection = demands.of(demand);
  if (selection == nullptr) return {};
  return Finder(demands, demand, clauses).find(*selection);
}

}  // namespace dra::answers

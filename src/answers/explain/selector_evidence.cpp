// src/answers/explain/selector_evidence.cpp: traces the selector for one device of each group of
// equal devices, and keeps the result for the group.

#include "src/answers/explain/selector_evidence.h"

#include <algorithm>
#include <iterator>

#include "dra/base/prose.h"
#include "dra/cel/hints/blame.h"
#include "dra/engine/selectors/part_values.h"

namespace dra::answers {

cel::Span deciding_part(const engine::Selector& selector, const cel::Trace& trace) {
  const cel::Ast& ast = selector.program()->checked().ast;
  const cel::Blame blame = cel::blame_of(*selector.program(), selector.source(), trace, ast.root);
  if (trace.answer.is_error()) {
    const auto leaf = std::ranges::find_if(
        blame.leaves, [](const cel::Leaf& one) { return one.value.is_error(); });
    if (leaf != blame.leaves.end() && leaf->cause.begin < leaf->cause.end) return leaf->cause;
  } else {
    for (const cel::Clause& clause : cel::clauses_of(ast, selector.source())) {
      if (engine::truth_of(selector, trace, clause) == engine::Truth::False) return clause.span;
    }
  }
  return {0, static_cast<std::uint32_t>(selector.expression().size())};
}

const SelectorEvidence::Known& SelectorEvidence::known_of(const engine::SelectorAnswer& answer,
                                                          std::size_t device) {
  const auto [entry, is_new] = known_.try_emplace({&answer, answer.devices->group_of(device)});
  Known& known = entry->second;
  if (!is_new) return known;
  const auto trace = engine::trace_of(answer.selector, demands_.fleet()[device]);
  if (!trace) return known;
  known.span = deciding_part(answer.selector, *trace);
  for (engine::PartValue& part : engine::part_values(answer.selector, *trace))
    known.values.emplace_back(std::move(part.text), std::move(part.value));
  return known;
}

SelectorEvidence::About SelectorEvidence::about(const diag::Reason& reason,
                                                const api::DeviceDemand& demand) {
  const engine::Selection* selection = demands_.of(demand);
  if (!reason.selector || reason.examples.empty() || selection == nullptr) return {};
  if (index_.empty()) {
    for (std::size_t i = 0; i < inventory_.devices().size(); ++i)
      index_.emplace(engine::to_string(inventory_.devices()[i].published.id()), i);
  }
  const auto device = index_.find(reason.examples.front());
  const std::size_t before = reason.source == "class" ? 0 : demands_.of_class(demand);
  const engine::SelectorAnswer& answer = *selection->selectors[before + *reason.selector].answer;
  if (device == index_.end() || !answer.devices) return {};
  return {&answer, device->second};
}

void SelectorEvidence::add_to(diag::Reason& reason, const api::DeviceDemand& demand) {
  const About about = this->about(reason, demand);
  if (about.answer == nullptr) return;
  const Known& known = known_of(*about.answer, about.device);
  reason.values = known.values;
  if (known.span.begin < known.span.end) reason.span = {{known.span.begin, known.span.end}};
}

std::vector<diag::Reason> SelectorEvidence::by_condition(const diag::Reason& reason,
                                                         const api::DeviceDemand& demand) {
  std::vector<diag::Reason> reasons;
  const About about = this->about(reason, demand);
  const bool fails = reason.code == diag::Code::SelectorError;
  if (about.answer != nullptr && !fails) {
    const engine::Selector& selector = about.answer->selector;
    const auto trace = engine::trace_of(selector, demands_.fleet()[about.device]);
    const Known& known = known_of(*about.answer, about.device);
    for (const cel::Clause& clause :
         cel::clauses_of(selector.program()->checked().ast, selector.source())) {
      if (!trace || engine::truth_of(selector, *trace, clause) != engine::Truth::False) continue;
      diag::Reason& one = reasons.emplace_back(reason);
      one.span = {{clause.span.begin, clause.span.end}};
      const std::string text = base::one_line(selector.source().text_of(clause.span));
      std::ranges::copy_if(known.values, std::back_inserter(one.values), [&text](const auto& part) {
        return text.find(part.first) != std::string::npos;
      });
    }
  }
  if (!reasons.empty()) return reasons;
  reasons.push_back(reason);
  add_to(reasons.back(), demand);
  return reasons;
}

}  // namespace dra::answers

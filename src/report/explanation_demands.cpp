// src/report/explanation_demands.cpp: see explanation_demands.h.

#include "src/report/explanation_demands.h"

#include <set>

#include "dra/base/text.h"
#include "src/report/clause_words.h"
#include "src/report/suggestion_words.h"
#include "src/report/words.h"

namespace dra::report {
namespace {

using diag::Code;
using view::Tone;

constexpr std::size_t kMaxNames = 6;  // of attributes

class DemandView {
 public:
  DemandView(view::Document& document, const Explanation& explanation, bool wide)
      : document_(document), explanation_(explanation), wide_(wide) {}

  bool requests();

 private:
  void selectors(const api::DeviceDemand& demand);
  void findings(const DemandFacts& facts, const SelectorFacts& selector);
  void selector(std::string_view source, std::string_view expression, std::string_view aside);

  view::Document& document_;
  const Explanation& explanation_;
  bool wide_;
  std::set<std::string_view> shown_classes_;  // a class's selectors are said once
};

void DemandView::selector(std::string_view source, std::string_view expression,
                          std::string_view aside) {
  view::Paragraph line{
      .spans = {span(base::format("{:<9}", source), Tone::Dim), span(std::string(expression))},
      .indent = 4,
      .hang = 9};
  if (!aside.empty()) line.spans.push_back(span(base::format("  {}", aside), Tone::Dim));
  document_.add(std::move(line));
}

// "4 of 16 devices", of those that the selectors before it leave.
std::string match_words(const SelectorFacts& facts) {
  std::string words = base::format(
      "{} of {}", facts.matched, base::plural(static_cast<std::int64_t>(facts.devices), "device"));
  if (facts.failed > 0) words += base::format(", fails for {}", facts.failed);
  return words;
}

void DemandView::selectors(const api::DeviceDemand& demand) {
  const bool first_of_class = shown_classes_.insert(demand.device_class).second;
  const DemandFacts* facts = explanation_.facts_of(demand);
  if (facts == nullptr || !facts->known) {
    for (const api::DeviceSelector& own : demand.selectors)
      selector("selector", own.expression(), "");
    return;
  }
  for (const SelectorFacts& one : facts->selectors) {
    if (one.of_class && !first_of_class) continue;
    selector(one.of_class ? "class" : "selector", one.expression, match_words(one));
    findings(*facts, one);
  }
  for (const engine::Suggestion& suggestion : facts->suggestions) {
    if (!wide_ && &suggestion != &facts->suggestions.front()) break;
    add_suggestion(document_, suggestion, true, 6);
  }
}

// "tpu.google.com/index, tpu.google.com/topology and 2 more".
std::string names_text(const std::vector<std::string>& names) {
  std::vector<std::string> shown(
      names.begin(),
      names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMaxNames)));
  const std::size_t left = names.size() - shown.size();
  return base::join(shown, ", ") + (left == 0 ? "" : base::format(" and {} more", left));
}

// What is wrong with a selector, below it.
void DemandView::findings(const DemandFacts& facts, const SelectorFacts& selector) {
  const auto add = [this](std::string_view mark, std::string text, Tone tone) {
    document_.add(view::Paragraph{
        .spans = {span(std::string(mark), tone), span(std::move(text))}, .indent = 6, .hang = 2});
  };
  for (const SelectorFinding& finding : facts.findings) {
    if (finding.of_class != selector.of_class || finding.index != selector.index) continue;
    const bool whole = finding.part == one_line(selector.expression);
    if (finding.code == Code::NoMatch) {
      add("! ",
          base::format("{} {}",
                       finding.met == 0 ? "no device has" : "no device that is else right has",
                       whole ? "that" : finding.part),
          Tone::Warn);
    } else {
      add("! ", finding.message + (whole ? "" : base::format(", in {}", finding.part)), Tone::Bad);
    }
    if (!finding.names.empty()) add("  ", "there is: " + names_text(finding.names), Tone::Dim);
    if (!finding.seen.empty()) add("  ", "seen instead: " + seen_text(finding.seen), Tone::Dim);
  }
}

bool DemandView::requests() {
  bool any = false;
  const bool several = explanation_.subject.claims.size() > 1;
  engine::for_each_unmet(explanation_.subject, [&](const engine::SubjectClaim& claim,
                                                   const api::DeviceRequest& request) {
    const std::string of_claim = several ? base::format(" of {}", claim.label()) : "";
    for (const api::NamedDemand& demand : api::demands_of(request)) {
      any = true;
      document_.add(
          view::Paragraph{.spans = {span(base::format("request {}{}  ", demand.name, of_claim)),
                                    span(describe_demand(*demand.demand), Tone::Strong)},
                          .indent = 2});
      selectors(*demand.demand);
    }
  });
  if (any) document_.add(view::Blank{});
  return any;
}

}  // namespace

bool add_demands(view::Document& document, const Explanation& explanation, bool wide) {
  return DemandView(document, explanation, wide).requests();
}

}  // namespace dra::report

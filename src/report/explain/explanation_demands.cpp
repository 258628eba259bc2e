// src/report/explain/explanation_demands.cpp: one part for each request: its class, its selectors
// with counts, findings and suggestions.

#include "src/report/explain/explanation_demands.h"

#include <algorithm>
#include <set>
#include <utility>

#include "dra/answers/explain/alternatives.h"
#include "dra/answers/explain/suggestion_text.h"
#include "dra/base/text.h"
#include "dra/report/phrases/device_words.h"
#include "dra/report/phrases/suggestion_words.h"
#include "dra/report/phrases/words.h"
#include "src/report/explain/explanation_nodes.h"
#include "src/report/explain/explanation_ranks.h"

namespace dra::report {
namespace {

using diag::Code;
using view::Tone;

constexpr std::size_t kMaxNames = 4;      // names of attributes
constexpr std::size_t kMaxNamesWide = 6;  //

class DemandView {
 public:
  DemandView(view::Document& document, const Explanation& explanation, bool wide)
      : document_(document), explanation_(explanation), wide_(wide) {}

  void requests();

 private:
  bool is_told(const DemandFacts& facts, const SelectorFacts& selector) const;
  void request(const engine::SubjectClaim& claim, const api::NamedDemand& demand,
               std::string_view before);
  void selectors(const api::DeviceDemand& demand);
  void findings(const DemandFacts& facts, const SelectorFacts& selector);
  void selector(std::string_view source, std::string_view expression, std::string_view aside);

  view::Document& document_;
  view::Document part_;  // part of the current request
  const Explanation& explanation_;
  bool wide_;
  std::set<std::string_view> shown_classes_;  // classes whose selectors are shown already
};

void DemandView::selector(std::string_view source, std::string_view expression,
                          std::string_view aside) {
  view::Paragraph line{
      .spans = {span(base::format("{:<9}", source), Tone::Dim), span(std::string(expression))},
      .indent = 4,
      .hang = 9};
  if (!aside.empty()) line.spans.push_back(span(base::format("  {}", aside), Tone::Dim));
  part_.add(std::move(line));
}

// ", 0 free": free devices among the chosen; empty if none is chosen or it is not known.
std::string free_words(const DemandFacts& facts) {
  return facts.chosen == 0 || !facts.free ? "" : ", " + free_text(*facts.free);
}

// "4 devices", "none of 16 devices": a class is not about the devices of others, unless none is its
// own.
std::string own_devices(std::size_t own, std::size_t all) {
  return own > 0
             ? base::plural(static_cast<std::int64_t>(own), "device")
             : base::format("none of {}", base::plural(static_cast<std::int64_t>(all), "device"));
}

// "4 of 16 devices": matched devices among those that pass the selectors before.
std::string match_words(const DemandFacts& all, const SelectorFacts& facts) {
  const bool first_of_class = facts.of_class && facts.index == 0;
  std::string words =
      first_of_class
          ? own_devices(facts.matched, facts.devices)
          : base::format("{} of {}", facts.matched,
                         base::plural(static_cast<std::int64_t>(facts.devices), "device"));
  if (&facts == &all.selectors.back()) words += free_words(all);
  if (facts.failed > 0) words += base::format(", fails for {}", facts.failed);
  return words;
}

// Shows selectors that exclude devices or fail, or have a finding. A selector of the class counts
// only if it leaves no device, because the request shows the class's count already.
bool DemandView::is_told(const DemandFacts& facts, const SelectorFacts& selector) const {
  const bool decides =
      selector.of_class ? selector.matched == 0 : selector.matched < selector.devices;
  if (wide_ || decides || selector.failed > 0) return true;
  return std::ranges::any_of(facts.findings, [&selector](const SelectorFinding& finding) {
    return finding.of_class == selector.of_class && finding.index == selector.index;
  });
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
    if ((one.of_class && !first_of_class) || !is_told(*facts, one)) continue;
    selector(one.of_class ? "class" : "selector", one.expression, match_words(*facts, one));
    findings(*facts, one);
  }
  for (const engine::Suggestion& suggestion : facts->suggestions) {
    if (!wide_ && &suggestion != &facts->suggestions.front()) break;
    add_suggestion(part_, suggestion, true, 6);
  }
}

// Adds the findings about a selector below it.
void DemandView::findings(const DemandFacts& facts, const SelectorFacts& selector) {
  const auto add = [this](std::string_view mark, std::string text, Tone tone) {
    part_.add(view::Paragraph{
        .spans = {span(std::string(mark), tone), span(std::move(text))}, .indent = 6, .hang = 2});
  };
  for (const SelectorFinding& finding : facts.findings) {
    if (finding.of_class != selector.of_class || finding.index != selector.index) continue;
    // Most of the expression is not repeated, because it is in the line above.
    const std::string expression = one_line(selector.expression);
    const bool most = !wide_ && finding.part.size() * 2 > expression.size();
    const bool whole =
        finding.part == expression || (most && finding.finding.code != Code::NoMatch);
    if (finding.finding.code == Code::NoMatch) {
      add("! ",
          base::format("{} {}",
                       finding.met == 0 ? "no device has" : "no device that is else right has",
                       whole ? "that" : finding.part),
          Tone::Warn);
    } else {
      add("! ", finding.finding.message + (whole ? "" : base::format(", in {}", finding.part)),
          Tone::Bad);
    }
    if (!finding.names.empty())
      add("  ", "there is: " + base::join_first(finding.names, wide_ ? kMaxNamesWide : kMaxNames),
          Tone::Dim);
    if (!finding.seen.empty())
      add("  ", "seen instead: " + answers::seen_text(finding.seen), Tone::Dim);
  }
}

// "(a class with 4 devices, 2 free)": devices that the selectors of the class leave.
std::string class_words(const DemandFacts* facts) {
  if (facts == nullptr || !facts->known) return {};
  std::size_t left = facts->devices;
  for (const SelectorFacts& selector : facts->selectors) {
    if (selector.of_class) left = selector.matched;
  }
  // If the request's own selectors leave fewer devices, these show the free ones.
  const std::string free = left == facts->chosen ? free_words(*facts) : "";
  return base::format("  ({} {}{})", left > 0 ? "a class with" : "the class has",
                      own_devices(left, facts->devices), free);
}

void DemandView::request(const engine::SubjectClaim& claim, const api::NamedDemand& demand,
                         std::string_view before) {
  const bool several = explanation_.subject.claims.size() > 1;
  const std::string of_claim = several ? base::format(" of {}", claim.label()) : "";
  view::Paragraph line{
      .spans = {span(base::format("{}request {}{}  ", before, demand.name, of_claim)),
                span(describe_demand(*demand.demand), Tone::Strong)},
      .indent = 2};
  if (!wide_)
    line.spans.push_back(span(class_words(explanation_.facts_of(*demand.demand)), Tone::Dim));
  part_.add(std::move(line));
  selectors(*demand.demand);
  const bool shown = explanation_.nodes.empty() || (!wide_ && shows_matches(explanation_));
  if (shown || demand.name.find('/') == std::string::npos) return;
  const std::string outcome = outcome_of(explanation_, claim, demand);
  if (outcome.empty()) return;
  part_.add(view::Paragraph{.spans = {span(outcome, Tone::Dim)}, .indent = 4});
}

void DemandView::requests() {
  // Alternatives of a request are parts of their own.
  const view::Rest none{.one = "what it requests: -o wide", .several = "what it requests: -o wide"};
  const view::Rest more{.one = "and 1 more of what it requests: -o wide",
                        .several = "and {} more of what it requests: -o wide"};
  const std::size_t fold = document_.begin_fold({.more = more, .none = none});
  // A selector that fails is what to correct, so it stands beside the advice.
  view::Rank rank =
      selector_fails(explanation_) ? ExplainRank::BestAdvice : ExplainRank::FirstRequest;
  engine::for_each_unmet(explanation_.subject,
                         [&](const engine::SubjectClaim& claim, const api::DeviceRequest& asked) {
                           // Alternatives are joined by "or"; the first has the highest priority.
                           std::string_view before;
                           for (const api::NamedDemand& demand : api::demands_of(asked)) {
                             request(claim, demand, std::exchange(before, "or "));
                             if (rank != ExplainRank::Requests && part_.blocks.size() == 1)
                               rank = view::kAlways;
                             document_.add_part(fold, std::exchange(part_, {}),
                                                std::exchange(rank, ExplainRank::Requests));
                           }
                         });
  document_.end_fold(fold);
  if (rank == ExplainRank::Requests) document_.add(view::Blank{});
}

}  // namespace

bool selector_fails(const Explanation& explanation) {
  return std::ranges::any_of(explanation.demands, [](const answers::DemandFacts& facts) {
    return std::ranges::any_of(facts.selectors, [](const auto& one) { return one.failed > 0; });
  });
}

void add_demands(view::Document& document, const Explanation& explanation, bool wide) {
  DemandView(document, explanation, wide).requests();
}

}  // namespace dra::report

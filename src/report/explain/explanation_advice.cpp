// src/report/explain/explanation_advice.cpp: each piece of advice and each conflict is a part with
// a rank, so that a small screen shows the best ones first.

#include "src/report/explain/explanation_advice.h"

#include <algorithm>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/report/phrases/advice_words.h"
#include "dra/report/phrases/words.h"
#include "dra/snapshot/template_pods.h"
#include "src/report/explain/explanation_ranks.h"

namespace dra::report {
namespace {

using view::Tone;
using Kind = engine::DemandPart::Kind;

constexpr std::size_t kGoodAdvice = 3;  // pieces of advice with a high rank
constexpr std::size_t kMaxCapacityWord = 120;

// A conflict is only shown if it has several requests or constraints: holders of devices, and the
// effect of a single selector or filter, are shown elsewhere.
bool is_worth_saying(const engine::Conflict& conflict) {
  const auto asked = std::ranges::count_if(conflict, [](const engine::DemandPart& part) {
    return part.kind == Kind::Request || part.kind == Kind::Constraint;
  });
  return asked > 1;
}

class AdviceWriter {
 public:
  AdviceWriter(view::Document& document, const Explanation& explanation,
               const ExplainViewOptions& options)
      : document_(document), explanation_(explanation), options_(options), wide_(options.wide) {}

  void add() {
    advice();
    const std::size_t fold = document_.begin_fold();
    conflicts(fold);
    words(fold);
    document_.end_fold(fold);
  }

 private:
  std::string title() const;
  std::string gain(std::size_t advice) const;
  void advice();
  void nothing_helps();
  void how(std::size_t fold);
  void conflicts(std::size_t fold);
  void words(std::size_t fold);

  view::Document& document_;
  const Explanation& explanation_;
  const ExplainViewOptions& options_;
  bool wide_;
};

view::Paragraph line(std::string text, std::string aside = {}, int indent = 2) {
  return {.spans = {span(std::move(text)), span(std::move(aside), Tone::Dim)}, .indent = indent};
}

view::Rank rank_of_advice(std::size_t index) {
  if (index == 0) return ExplainRank::BestAdvice;
  return index < kGoodAdvice ? ExplainRank::GoodAdvice : ExplainRank::Advice;
}

void AdviceWriter::nothing_helps() {
  const engine::AdviceFound& found = explanation_.help->advice;
  if (found.in_vain.empty()) return;
  std::vector<std::string> tried;
  for (const engine::Means means : found.in_vain)
    tried.emplace_back(means_words(means));
  const std::size_t fold = document_.begin_fold();
  document_.add_part(
      fold,
      line(base::format("Nothing of this helps by itself: {}{}.", base::join(tried, ", "),
                        found.bounded ? "; not everything, as that would take too long" : "")),
      ExplainRank::BestAdvice);
  document_.end_fold(fold);
}

// For several waiting pods, the advice was simulated for one of them.
std::string AdviceWriter::title() const {
  const bool several = options_.pods_then != nullptr;
  const api::Pod* pod = explanation_.subject.pod;
  const bool made = several && pod != nullptr && snapshot::is_from_template(*pod);
  const std::string_view who = !several ? "it" : made ? "one pod" : "one more pod";
  // Features that are not simulated may still reject the pod.
  const std::string_view far = explanation_.not_simulated.empty() ? "" : "as far as DRA goes ";
  std::string text = base::format("{}{} would fit if (each was tried)", far, who);
  text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

// "1 node; then 1 of 2 pods fits".
std::string AdviceWriter::gain(std::size_t advice) const {
  std::string text = base::plural(explanation_.help->advice.advice[advice].nodes, "node");
  const auto* all = options_.pods_then;
  if (all == nullptr || advice >= all->size() || !(*all)[advice]) return text;
  const PodsThen& then = *(*all)[advice];
  if (then.fit >= then.wanted) return text + base::format("; then all {} pods fit", then.wanted);
  return text + base::format("; then {}{} of {} pods {}", then.at_least ? "at least " : "",
                             then.fit, then.wanted, then.fit == 1 ? "fits" : "fit");
}

void AdviceWriter::advice() {
  const engine::AdviceFound& found = explanation_.help->advice;
  if (found.advice.empty()) return nothing_helps();
  const std::size_t fold = document_.begin_fold(
      {.more = {.several = "- and {} more: -o wide", .tone = Tone::Plain, .indent = 4},
       .none = {.one = "{} change would help, each was tried: -o wide",
                .several = "{} changes would help, each was tried: -o wide",
                .tone = Tone::Plain},
       .none_rank = ExplainRank::AdviceCount});
  document_.add_head(fold, line(title(), found.bounded ? "  not everything was tried" : ""));
  for (std::size_t i = 0; i < found.advice.size(); ++i)
    document_.add_part(
        fold,
        line("- " + advice_words(found.advice[i], explanation_.help->advice_facts[i]),
             base::format("  ({})", gain(i)), 4),
        rank_of_advice(i));
  document_.end_fold(fold);
  how(fold);
}

// Describes how to follow the first piece of advice that changes a claim.
void AdviceWriter::how(std::size_t fold) {
  const auto& all = explanation_.help->advice.advice;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string words = how_words(all[i], explanation_.subject);
    if (words.empty()) continue;
    const std::size_t below = document_.begin_fold({}, view::PartId{fold, i});
    document_.add_part(below, line({}, std::move(words), 4), rank_of_advice(i));
    document_.end_fold(below);
    return;
  }
}

void AdviceWriter::conflicts(std::size_t fold) {
  for (const engine::Conflict& conflict : explanation_.help->conflicts.conflicts) {
    if (conflict.size() < 2 || (!wide_ && !is_worth_saying(conflict))) continue;
    std::vector<std::string> parts;
    for (const engine::DemandPart& part : conflict)
      parts.push_back(part_words(part));
    document_.add_part(fold,
                       line(base::format("Cannot hold together: {}.", base::join(parts, ", "))),
                       ExplainRank::Conflicts);
  }
}

void AdviceWriter::words(std::size_t fold) {
  for (const answers::CapacityWord& word : explanation_.capacity_words) {
    const std::string message =
        wide_ ? word.message : base::fit(base::printable(word.message), kMaxCapacityWord);
    document_.add_part(fold, line(base::format("{} says: {}", word.who, message)),
                       ExplainRank::Conflicts);
  }
}

}  // namespace

void add_advice(view::Document& document, const Explanation& explanation,
                const ExplainViewOptions& options) {
  if (explanation.help) AdviceWriter(document, explanation, options).add();
}

}  // namespace dra::report

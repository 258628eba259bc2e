// src/report/explain/explanation_advice.cpp: see explanation_advice.h.

#include "src/report/explain/explanation_advice.h"

#include <algorithm>
#include <limits>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/report/phrases/advice_words.h"
#include "dra/report/phrases/height.h"
#include "dra/report/phrases/words.h"
#include "dra/snapshot/made_pods.h"

namespace dra::report {
namespace {

using view::Tone;
using Kind = engine::DemandPart::Kind;

constexpr std::size_t kFirst = 3;  // pieces of advice for which room is kept
constexpr std::size_t kMaxCapacityWord = 120;

// That somebody has what one request wants is said already; and so is what a single selector or
// filter does.
bool is_worth_saying(const engine::Conflict& conflict) {
  const auto asked = std::ranges::count_if(conflict, [](const engine::DemandPart& part) {
    return part.kind == Kind::Request || part.kind == Kind::Constraint;
  });
  return asked > 1;
}

class AdviceWriter {
 public:
  AdviceWriter(view::Document& document, const Explanation& explanation,
               const snapshot::Snapshot& snapshot, const ExplainViewOptions& options)
      : document_(document),
        explanation_(explanation),
        snapshot_(snapshot),
        options_(options),
        wide_(options.wide) {}

  void add(std::size_t limit) {
    limit_ = wide_ ? std::numeric_limits<std::size_t>::max() : limit;
    advice();
    conflicts();
    words();
  }

 private:
  bool line(std::string text, std::string aside = {}, int indent = 2) {
    return add_if_room(
        document_,
        view::Paragraph{.spans = {span(std::move(text)), span(std::move(aside), Tone::Dim)},
                        .indent = indent},
        limit_);
  }
  std::string title() const;
  std::string gain(std::size_t advice) const;
  void advice();
  void nothing_helps();
  void conflicts();
  void words();

  view::Document& document_;
  const Explanation& explanation_;
  const snapshot::Snapshot& snapshot_;
  const ExplainViewOptions& options_;
  bool wide_;
  std::size_t limit_ = 0;
};

void AdviceWriter::nothing_helps() {
  const engine::AdviceFound& found = explanation_.help->advice;
  if (found.in_vain.empty()) return;
  std::vector<std::string> tried;
  for (const engine::Means means : found.in_vain)
    tried.emplace_back(means_words(means));
  line(base::format("Nothing of this helps by itself: {}{}.", base::join(tried, ", "),
                    found.bounded ? "; not everything, as that would take too long" : ""));
}

// Of several pods that wait each was tried for one.
std::string AdviceWriter::title() const {
  const bool several = options_.pods_then != nullptr;
  const api::Pod* pod = explanation_.subject.pod;
  const bool made = several && pod != nullptr && snapshot::is_made(*pod);
  const std::string_view who = !several ? "it" : made ? "one pod" : "one more pod";
  // Of what is not simulated nobody knows whether it lets the pod through then.
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
  const std::size_t before = document_.blocks.size();
  line(title(), found.bounded ? "  not everything was tried" : "");
  const auto add = [&](std::size_t i) {
    return line("- " + advice_words(found.advice[i], explanation_.subject, snapshot_),
                base::format("  ({})", gain(i)), 4);
  };
  std::size_t told = 0;
  while (told < found.advice.size()) {
    // The last line may have to say how many are left out.
    const std::size_t limit = limit_;
    if (told + 1 < found.advice.size()) --limit_;
    const bool added = add(told);
    limit_ = limit;
    if (!added) break;
    ++told;
  }
  if (told == 0) {
    document_.blocks.resize(before);
    const auto all = static_cast<std::int64_t>(found.advice.size());
    line(base::format("{} would help, each was tried: -o wide", base::plural(all, "change")));
    return;
  }
  std::string how;
  for (std::size_t i = 0; i < told && how.empty(); ++i)
    how = how_words(found.advice[i], explanation_.subject);
  const auto left = static_cast<std::int64_t>(found.advice.size() - told);
  if (left > 0) line(base::format("- and {} more: -o wide", left), {}, 4);
  if (!how.empty()) line({}, how, 4);
}

void AdviceWriter::conflicts() {
  for (const engine::Conflict& conflict : explanation_.help->conflicts.conflicts) {
    if (conflict.size() < 2 || (!wide_ && !is_worth_saying(conflict))) continue;
    std::vector<std::string> parts;
    for (const engine::DemandPart& part : conflict)
      parts.push_back(part_words(part));
    line(base::format("Cannot hold together: {}.", base::join(parts, ", ")));
  }
}

void AdviceWriter::words() {
  for (const answers::CapacityWord& word : explanation_.capacity_words)
    line(base::format(
        "{} says: {}", word.who,
        wide_ ? word.message : base::fit(base::printable(word.message), kMaxCapacityWord)));
}

}  // namespace

std::size_t advice_height(const Explanation& explanation) {
  if (!explanation.help) return 0;
  const engine::AdviceFound& found = explanation.help->advice;
  if (found.advice.empty()) return found.in_vain.empty() ? 0 : 2;
  return 1 + std::min(found.advice.size(), kFirst);
}

void add_advice(view::Document& document, const Explanation& explanation,
                const snapshot::Snapshot& snapshot, const ExplainViewOptions& options,
                std::size_t limit) {
  if (explanation.help) AdviceWriter(document, explanation, snapshot, options).add(limit);
}

}  // namespace dra::report

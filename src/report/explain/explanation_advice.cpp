// src/report/explain/explanation_advice.cpp: each piece of advice and each conflict is a part with
// a rank, so that a small screen shows the best ones first.

#include "src/report/explain/explanation_advice.h"

#include <algorithm>

#include "dra/base/printable.h"
#include "dra/base/prose.h"
#include "dra/base/text.h"
#include "dra/report/phrases/advice_edits.h"
#include "dra/report/phrases/advice_words.h"
#include "dra/report/phrases/remedy.h"
#include "dra/report/phrases/words.h"
#include "dra/snapshot/template_pods.h"
#include "src/report/explain/explanation_moves.h"
#include "src/report/explain/explanation_outlook.h"
#include "src/report/explain/explanation_preemption.h"
#include "src/report/explain/explanation_ranks.h"

namespace dra::report {
namespace {

using view::Tone;
using Kind = engine::DemandPart::Kind;

constexpr std::size_t kGoodAdvice = 3;  // pieces of advice with a high rank
constexpr std::size_t kMaxCapacityWord = 120;
constexpr std::size_t kKeptAway = 2;   // causes for nodes without a driver
constexpr std::size_t kKeptNodes = 3;  // of such a cause

// A conflict is only shown if it has several requests or constraints: holders of devices, and the
// effect of a single selector or filter, are shown elsewhere.
bool is_worth_saying(const engine::Conflict& conflict) {
  const auto asked = std::ranges::count_if(conflict, [](const engine::DemandPart& part) {
    return part.kind == Kind::Request || part.kind == Kind::Constraint;
  });
  return asked > 1;
}

view::Paragraph line(std::string text, std::string aside = {}, int indent = 2) {
  return {.spans = {span(std::move(text)), span(std::move(aside), Tone::Dim)}, .indent = indent};
}

class AdviceWriter {
 public:
  AdviceWriter(view::Document& document, const Explanation& explanation,
               const ExplainViewOptions& options)
      : document_(document), explanation_(explanation), options_(options), wide_(options.wide) {}

  // A node that is on its way comes before advice, which ends what works.
  void add() {
    const bool coming = is_node_coming();
    if (coming) {
      add_capacity();
      document_.add(view::Blank{});
    }
    advice();
    const std::size_t fold = document_.begin_fold();
    moves(fold);
    preemption(fold);
    conflicts(fold);
    if (!coming) words(fold);
    kept_away(fold);
    document_.end_fold(fold);
    const std::string words = outlook_words(explanation_);
    if (!words.empty()) document_.add(line(words));
    document_.add(view::Blank{});
  }

  void add_capacity() {
    const std::size_t fold = document_.begin_fold();
    words(fold);
    document_.end_fold(fold);
  }

 private:
  bool is_node_coming() const {
    return std::ranges::any_of(explanation_.capacity_words, [](const answers::CapacityWord& word) {
      return word.node == answers::NewNode::Coming;
    });
  }
  view::Rank rank_of_words() const {
    return is_node_coming() ? view::kAlways : view::Rank{ExplainRank::FirstHolder};
  }

  std::string title() const;
  std::string gain(std::size_t advice) const;
  void advice();
  void nothing_helps();
  std::vector<AdviceEdit> edits_of(std::size_t advice) const;
  std::size_t first_to_run() const;
  view::Paragraph first_line(std::size_t advice) const;
  void diff(std::size_t advice, const std::vector<AdviceEdit>& edits, view::PartId of);
  void how(std::size_t advice, const std::vector<AdviceEdit>& edits, view::PartId of);
  void moves(std::size_t fold);
  void preemption(std::size_t fold);
  void conflicts(std::size_t fold);
  void words(std::size_t fold);
  void kept_away(std::size_t fold);
  void step(std::size_t fold, const diag::Remedy& remedy, view::Rank rank);

  view::Document& document_;
  const Explanation& explanation_;
  const ExplainViewOptions& options_;
  bool wide_;
  std::size_t first_ = 0;  // of those that come with commands
};

// The first is always shown. So is the first that comes with commands, as far as there is room:
// where the best is more hardware, there may be none tonight.
view::Rank rank_of_advice(std::size_t index, std::size_t first_to_run) {
  if (index == 0) return view::kAlways;
  if (index == first_to_run) return ExplainRank::BestAdvice;
  return index < kGoodAdvice ? ExplainRank::GoodAdvice : ExplainRank::Advice;
}

void AdviceWriter::nothing_helps() {
  const engine::AdviceFound& found = explanation_.help->advice;
  const bool has_step = !explanation_.remedy.text.empty();  // above: what to do about the cause
  // The scheduler makes room by itself.
  const auto& preemption = explanation_.preemption;
  const bool is_helped = preemption && (preemption->preempts == engine::Preempts::Helps ||
                                        preemption->preempts == engine::Preempts::Waits);
  if (found.in_vain.empty() || has_step || is_helped) return;
  std::vector<std::string> tried;
  for (const engine::Means means : found.in_vain)
    tried.emplace_back(means_words(means));
  const std::size_t fold = document_.begin_fold();
  document_.add_part(
      fold,
      line(base::format("No single change makes it fit. Tried: {}{}.", base::join(tried, ", "),
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
  const std::string_view far = explanation_.not_simulated.empty() ? "" : ", as far as DRA goes,";
  return advice_title(base::format("{}{}", who, far), explanation_.help->advice.advice.size());
}

// "fits on 1 node; then 1 of 2 pods fits".
std::string AdviceWriter::gain(std::size_t advice) const {
  std::string text = gain_words(explanation_.help->advice.advice[advice]);
  const auto* all = options_.pods_then;
  if (all == nullptr || advice >= all->size() || !(*all)[advice]) return text;
  const PodsThen& then = *(*all)[advice];
  if (then.fit >= then.wanted)
    return text + base::format("; then {} pods fit", base::all(then.wanted));
  return text + base::format("; then {}{} of {} pods {}", then.at_least ? "at least " : "",
                             then.fit, then.wanted, then.fit == 1 ? "fits" : "fit");
}

void AdviceWriter::advice() {
  const engine::AdviceFound& found = explanation_.help->advice;
  if (found.advice.empty()) return nothing_helps();
  const std::size_t fold = document_.begin_fold(
      {.more = {.several = "and {} more: -o wide", .tone = Tone::Plain, .indent = 4}});
  document_.add_head(fold, line(title(), found.bounded ? "  not everything was tried" : ""));
  first_ = first_to_run();
  for (std::size_t i = 0; i < found.advice.size(); ++i) {
    const view::PartId part = document_.add_part(fold, first_line(i), rank_of_advice(i, first_));
    if (i != first_ && !wide_) continue;
    const std::vector<AdviceEdit> edits = edits_of(i);
    diff(i, edits, part);
    how(i, edits, part);
  }
  document_.end_fold(fold);
}

std::vector<AdviceEdit> AdviceWriter::edits_of(std::size_t advice) const {
  return edits_for(explanation_.help->advice.advice[advice],
                   explanation_.help->advice_facts[advice], explanation_.subject,
                   explanation_.server);
}

// The first that comes with commands, or with words on how to follow it; as many as there are:
// none does.
std::size_t AdviceWriter::first_to_run() const {
  const auto& all = explanation_.help->advice.advice;
  std::size_t i = 0;
  while (i < all.size() && edits_of(i).empty() &&
         how_words(all[i], explanation_.help->advice_facts[i], explanation_.subject).empty())
    ++i;
  return i;
}

view::Paragraph AdviceWriter::first_line(std::size_t advice) const {
  view::Paragraph first = line(base::format("{}. {}", advice + 1,
                                            advice_words(explanation_.help->advice.advice[advice],
                                                         explanation_.help->advice_facts[advice])),
                               base::format("  ({})", gain(advice)), 4);
  first.hang = 3;
  return first;
}

// What the edits change in specs. Patches of another kind say in their command all that they do.
void AdviceWriter::diff(std::size_t advice, const std::vector<AdviceEdit>& edits, view::PartId of) {
  const std::size_t fold = document_.begin_fold({}, of);
  for (const AdviceEdit& edit : edits) {
    if (edit.patch_type != "json" || edit.changes.empty()) continue;
    view::Verbatim lines{.lines = {}, .indent = 7, .command = true};
    lines.lines.push_back({{base::format("{} {}", edit.kind, edit.names.front())}});
    std::ranges::move(diff_lines(edit), std::back_inserter(lines.lines));
    document_.add_part(fold, std::move(lines),
                       advice == first_ ? ExplainRank::Diff : ExplainRank::OtherCommands);
  }
  document_.end_fold(fold);
}

// The commands, or else how to follow the advice in words.
void AdviceWriter::how(std::size_t advice, const std::vector<AdviceEdit>& edits, view::PartId of) {
  const engine::Advice& one = explanation_.help->advice.advice[advice];
  const auto& facts = explanation_.help->advice_facts[advice];
  view::Document part;
  const std::string lasting = lasting_words(facts);
  if (!lasting.empty()) part.add(line({}, lasting, 7));
  for (std::string& words : protection_words(facts))
    part.add(line({}, std::move(words), 7));
  std::string how = edits.empty() ? how_words(one, facts, explanation_.subject)
                                  : replaced_words(one, facts, explanation_.subject);
  if (!how.empty()) part.add(line({}, std::move(how), 7));
  for (const AdviceEdit& edit : edits)
    add_command(part, edit.command, 7);
  if (part.blocks.empty()) return;
  view::FoldWords words;
  if (!edits.empty() && advice == first_)
    words = {.none = {.several = "its commands: --emit-patch", .indent = 7},
             .none_rank = ExplainRank::CommandsHint};
  const std::size_t fold = document_.begin_fold(std::move(words), of);
  document_.add_part(fold, std::move(part),
                     advice == first_ ? ExplainRank::Commands : ExplainRank::OtherCommands);
  document_.end_fold(fold);
}

// Of several waiting pods one then fits, as advice is for one.
void AdviceWriter::moves(std::size_t fold) {
  const auto& moves = explanation_.help->advice.moves;
  if (!moves) return;
  const std::string_view who = options_.pods_then == nullptr ? "it" : "one pod";
  const view::PartId said =
      document_.add_part(fold, line(moves_words(*moves, who)), ExplainRank::GoodAdvice);
  view::Document part;
  std::vector<std::string> all = moves_commands(*moves);
  std::string last = std::move(all.back());
  all.pop_back();
  for (std::string& command : all)
    add_command(part, std::move(command), 4);
  part.add(line({}, moves_how(*moves), 4));
  add_command(part, std::move(last), 4);
  const std::size_t commands = document_.begin_fold({}, said);
  document_.add_part(commands, std::move(part), ExplainRank::OtherCommands);
  document_.end_fold(commands);
}

void AdviceWriter::preemption(std::size_t fold) {
  const std::string words = preemption_words(explanation_);
  if (words.empty()) return;
  const auto& found = explanation_.preemption;
  const bool makes_room = found && found->preempts != engine::Preempts::NoDevices;
  document_.add_part(fold, line(words),
                     makes_room ? ExplainRank::BestAdvice : ExplainRank::GoodAdvice);
}

void AdviceWriter::conflicts(std::size_t fold) {
  for (const engine::Conflict& conflict : explanation_.help->conflicts.conflicts) {
    if (conflict.size() < 2 || (!wide_ && !is_worth_saying(conflict))) continue;
    const bool several = std::ranges::any_of(conflict, [&conflict](const auto& part) {
      return !part.claim.empty() && part.claim != conflict.front().claim;
    });
    std::vector<std::string> parts;
    for (const engine::DemandPart& part : conflict)
      parts.push_back(several && !part.claim.empty()
                          ? base::format("{} of claim {}", part_words(part), part.claim)
                          : part_words(part));
    document_.add_part(
        fold,
        line(base::format("It fits only if one of these changes: {}.", base::join(parts, "; "))),
        ExplainRank::Conflicts);
  }
}

void AdviceWriter::words(std::size_t fold) {
  for (const answers::CapacityWord& word : explanation_.capacity_words) {
    const std::string message =
        wide_ ? word.message : base::fit(base::printable(word.message), kMaxCapacityWord);
    document_.add_part(fold, line(base::format("{} says: {}", word.who, message)), rank_of_words());
    step(fold, word.remedy, rank_of_words());
  }
}

// A node without the driver is a way out, too, if it has the devices. Nodes with one cause are one.
void AdviceWriter::kept_away(std::size_t fold) {
  std::size_t shown = 0;
  const auto& all = explanation_.kept_away;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const answers::KeptAway& kept = all[i];
    const auto alike = [&kept](const answers::KeptAway& other) {
      return !other.is_stated && other.driver == kept.driver && other.cause == kept.cause;
    };
    const auto here = all.begin() + static_cast<std::ptrdiff_t>(i);
    if (kept.is_stated || std::any_of(all.begin(), here, alike)) continue;
    if (!wide_ && shown++ == kKeptAway) break;
    std::vector<std::string> nodes;
    std::vector<const answers::KeptAway*> group;
    for (const answers::KeptAway& other : all) {
      if (!alike(other)) continue;
      nodes.emplace_back(other.node->meta.name);
      group.push_back(&other);
    }
    document_.add_part(
        fold,
        line(nodes.size() == 1
                 ? base::format("Node {} has no devices: {}.", nodes.front(), words_of(kept))
                 : base::format("Nodes {} have no devices: {}.",
                                base::join_first(nodes, kKeptNodes), answers::words_of(group))),
        ExplainRank::FirstHolder);
    std::string remedy = answers::remedy_of(kept).text;
    if (remedy != explanation_.remedy.text)
      step(fold, {std::move(remedy)}, ExplainRank::FirstHolder);
  }
}

void AdviceWriter::step(std::size_t fold, const diag::Remedy& remedy, view::Rank rank) {
  if (remedy.text.empty()) return;
  view::Document part;
  part.add(line("-> " + remedy.text, {}, 4));
  if (!remedy.command.empty()) add_command(part, remedy.command, 7);
  document_.add_part(fold, std::move(part), rank);
}

}  // namespace

void add_advice(view::Document& document, const Explanation& explanation,
                const ExplainViewOptions& options) {
  AdviceWriter writer(document, explanation, options);
  if (explanation.help) return writer.add();
  const std::string words = outlook_words(explanation);
  if (words.empty() && explanation.capacity_words.empty()) return;
  writer.add_capacity();
  if (!words.empty()) document.add(line(words));
  document.add(view::Blank{});
}

}  // namespace dra::report

// src/report/explain/drain_budgets.cpp: see drain_budgets.h.

#include "src/report/explain/drain_budgets.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "dra/base/text.h"
#include "dra/diag/command_line.h"
#include "dra/engine/cluster/disruption_budgets.h"
#include "dra/report/phrases/reason_json.h"
#include "dra/report/phrases/remedy.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using answers::DrainBudgetFacts;
using answers::DrainFacts;
using engine::BudgetOutcome;

constexpr std::size_t kBudgetsShown = 3;
constexpr std::size_t kPodsNamed = 3;

std::string budget_name(const DrainBudgetFacts& budget) {
  return base::format("{}/{}", budget.namespace_, budget.name);
}

// "pod web/a", "pods web/a, web/b".
std::string leaving_words(const DrainFacts& drain, const DrainBudgetFacts& budget) {
  std::vector<std::string> names;
  for (const std::size_t place : budget.leaving)
    names.push_back(base::format("{}/{}", drain.pods[place].namespace_, drain.pods[place].name));
  return base::format("{} {}", names.size() == 1 ? "pod" : "pods",
                      base::join_first(names, kPodsNamed));
}

std::int64_t most_missing(const DrainBudgetFacts& budget) {
  return std::max(engine::most_disrupted(budget.status).value_or(1),
                  budget.status.allowed.value_or(0));
}

std::string words_for_never(const DrainFacts& drain, const DrainBudgetFacts& budget) {
  return base::format("PodDisruptionBudget {} never allows the eviction of {}: {}.",
                      budget_name(budget), leaving_words(drain, budget),
                      engine::words_for_counts(budget.status));
}

std::string words_for_wait(const DrainFacts& drain, const DrainBudgetFacts& budget) {
  const std::string counts = engine::words_for_counts(budget.status);
  const std::size_t waits = budget.not_ready.size();
  const std::string until = waits == 0
                                ? "more of its pods are healthy"
                                : base::format("{} {} is ready", waits == 1 ? "pod" : "one of pods",
                                               base::join_first(budget.not_ready, kPodsNamed));
  return base::format(
      "PodDisruptionBudget {} allows no eviction now{}{}. The drain waits with {} "
      "until {}.",
      budget_name(budget), counts.empty() ? "" : ": ", counts, leaving_words(drain, budget), until);
}

// "PodDisruptionBudget ml/web lets 1 pod be missing at a time, and 3 leave".
std::string words_at_a_time(const DrainBudgetFacts& budget) {
  return base::format("PodDisruptionBudget {} lets {} be missing at a time, and {} leave",
                      budget_name(budget), base::plural(most_missing(budget), "pod"),
                      budget.counts.all);
}

std::string words_for_stop(const DrainBudgetFacts& budget) {
  const engine::LeavingPods& counts = budget.counts;
  return base::format(
      "{}, of which {} {} not run elsewhere afterwards: the drain stops for good after {}.",
      words_at_a_time(budget), counts.lost, counts.lost == 1 ? "does" : "do",
      base::plural(counts.all - counts.lost + most_missing(budget), "eviction"));
}

std::string words_for_doubt(const DrainBudgetFacts& budget) {
  const std::int64_t doubtful = budget.counts.lost + budget.counts.open;
  return base::format(
      "{}, of which {} may not run elsewhere afterwards: the drain goes on only when evicted pods "
      "run again, and may stop for good.",
      words_at_a_time(budget), doubtful);
}

std::string words_for_budget(const DrainFacts& drain, const DrainBudgetFacts& budget) {
  switch (budget.outcome) {
    case BudgetOutcome::Passes:
      break;
    case BudgetOutcome::Pauses:
      return base::format("{}: the drain goes on each time an evicted pod runs elsewhere.",
                          words_at_a_time(budget));
    case BudgetOutcome::MayStop:
      return words_for_doubt(budget);
    case BudgetOutcome::Stops:
      return words_for_stop(budget);
    case BudgetOutcome::Waits:
      return words_for_wait(drain, budget);
    case BudgetOutcome::Never:
      return words_for_never(drain, budget);
  }
  return {};
}

// Whichever field the budget has: a number of minAvailable holds for pods of every controller.
std::string command_to_allow_one(const DrainBudgetFacts& budget) {
  const std::int64_t left =
      std::min(budget.status.desired.value_or(1), budget.status.expected.value_or(1)) - 1;
  return diag::kubectl("patch poddisruptionbudget")
      .name(budget.name)
      .in(budget.namespace_)
      .words("--type=merge")
      .option("-p", base::format(R"({{"spec":{{"minAvailable":{},"maxUnavailable":null}}}})", left))
      .text();
}

struct BudgetRemedy {
  std::string_view words;
  std::string command;
};
BudgetRemedy remedy_of(const DrainBudgetFacts& budget) {
  if (budget.outcome == BudgetOutcome::Never)
    return {"To allow 1 eviction at a time: ", command_to_allow_one(budget)};
  if (budget.outcome == BudgetOutcome::Waits && !budget.not_ready.empty())
    return {
        "Why it is not ready: ",
        diag::kubectl("describe pod").name(budget.not_ready.front()).in(budget.namespace_).text()};
  return {};
}

std::vector<const DrainBudgetFacts*> delaying(const DrainFacts& drain) {
  std::vector<const DrainBudgetFacts*> all;
  for (const DrainBudgetFacts& budget : drain.budgets) {
    if (budget.outcome != BudgetOutcome::Passes) all.push_back(&budget);
  }
  return all;
}

std::string_view effect_of(BudgetOutcome outcome) {
  switch (outcome) {
    case BudgetOutcome::Never:
      return "never lets it finish";
    case BudgetOutcome::Stops:
      return "stops it";
    case BudgetOutcome::MayStop:
      return "may stop it";
    case BudgetOutcome::Waits:
    case BudgetOutcome::Pauses:
    case BudgetOutcome::Passes:
      break;
  }
  return "delays it";
}

}  // namespace

std::string budgets_headline(const DrainFacts& drain) {
  const auto all = delaying(drain);
  if (all.empty()) return {};
  const DrainBudgetFacts& worst = **std::ranges::max_element(
      all, {}, [](const DrainBudgetFacts* budget) { return budget->outcome; });
  return base::format("; PodDisruptionBudget {} {}", budget_name(worst), effect_of(worst.outcome));
}

bool needs_other_budget(const DrainFacts& drain) {
  return std::ranges::any_of(drain.budgets, [](const DrainBudgetFacts& budget) {
    return budget.outcome == BudgetOutcome::Never;
  });
}

void add_budget_notes(view::Document& document, const DrainFacts& drain, bool wide) {
  const auto all = delaying(drain);
  const std::size_t shown = wide ? all.size() : std::min(all.size(), kBudgetsShown);
  for (std::size_t i = 0; i < shown; ++i) {
    document.add(view::Paragraph{
        .spans = {span(words_for_budget(drain, *all[i]), view::Tone::Warn)}, .indent = 2});
    BudgetRemedy remedy = remedy_of(*all[i]);
    if (!remedy.command.empty()) add_command(document, remedy.words, std::move(remedy.command));
  }
  if (shown < all.size())
    document.add(view::Paragraph{
        .spans = {span(base::format("and {} more: -o wide",
                                    base::plural(static_cast<std::int64_t>(all.size() - shown),
                                                 "PodDisruptionBudget")),
                       view::Tone::Dim)},
        .indent = 2});
}

json::Value budgets_json(const DrainFacts& drain) {
  json::Value budgets = json::Value::array();
  for (const DrainBudgetFacts* budget : delaying(drain)) {
    json::Value one = json::Value::object();
    one.set("budget", budget_name(*budget));
    one.set("outcome", engine::name_of(budget->outcome));
    one.set("allowed", *budget->status.allowed);
    one.set("mostMissing", most_missing(*budget));
    json::Value pods = json::Value::array();
    for (const std::size_t place : budget->leaving)
      pods.push(base::format("{}/{}", drain.pods[place].namespace_, drain.pods[place].name));
    one.set("pods", std::move(pods));
    one.set("message", words_for_budget(drain, *budget));
    if (BudgetRemedy remedy = remedy_of(*budget); !remedy.command.empty())
      one.set("command", std::move(remedy.command));
    budgets.push(std::move(one));
  }
  return budgets;
}

}  // namespace dra::report

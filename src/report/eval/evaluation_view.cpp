// src/report/eval/evaluation_view.cpp: an evaluation as text. Failures, which end the search for a
// pod, come first, then the number of matches, then the pools with them.

#include <algorithm>
#include <map>

#include "dra/base/text.h"
#include "dra/cel/check/estimate.h"
#include "dra/engine/selectors/corrections.h"
#include "dra/report/eval/evaluation.h"
#include "dra/report/phrases/clause_words.h"
#include "dra/report/phrases/selector_words.h"
#include "dra/report/phrases/suggestion_words.h"
#include "dra/report/phrases/words.h"

namespace dra::report {
namespace {

using engine::Answer;
using engine::kMaxSelectorCost;
using view::Tone;

constexpr int kIndent = 2;
constexpr std::size_t kMaxPools = 20;       // more pools are folded by driver
constexpr std::size_t kMaxTrees = 3;        // devices with a tree of conditions
constexpr std::size_t kMaxFailures = 5;     // different failures
constexpr std::size_t kMaxNamesWidth = 60;  // cells for the names of a pool's devices
constexpr std::uint64_t kMuch = kMaxSelectorCost / 2;

// Devices for which the expression fails in the same way.
struct FailureRow {
  const engine::Failure* failure;
  std::vector<engine::DeviceId> devices;
};

// The matching devices of a pool or a driver.
struct MatchRow {
  std::string_view driver;
  std::string_view pool;
  std::size_t pools = 0;
  std::size_t devices = 0;
  std::size_t failures = 0;
  std::vector<std::string_view> matching = {};
};

std::string count_of(std::size_t devices) {
  return base::plural(static_cast<std::int64_t>(devices), "device");
}

std::string share_of(std::uint64_t cost) {
  return base::format("{} %", cost / (kMaxSelectorCost / 100));
}

view::Paragraph remark(std::string text, Tone tone) {
  return {.spans = {span("! ", tone), span(std::move(text))}, .indent = kIndent};
}

view::Verbatim block_of(std::string_view text) {
  view::Verbatim block{.lines = {}, .indent = kIndent};
  for (const std::string_view line : base::split(text, '\n'))
    block.lines.push_back({span(std::string(line))});
  return block;
}

class ViewBuilder {
 public:
  ViewBuilder(const Evaluation& evaluation, const EvaluationView& options)
      : evaluation_(evaluation), options_(options) {}

  view::Document build() {
    document_.add(view::Paragraph{.spans = {headline()}});
    document_.add(view::Blank{});
    refusal();
    failures();
    costs();
    document_.add(view::Blank{});
    facts();
    document_.add(view::Blank{});
    if (options_.trees) {
      trees();
    } else {
      if (evaluation_.clauses) add_clauses(document_, *evaluation_.clauses);
    }
    if (!evaluation_.suggestions.empty()) document_.add(view::Blank{});
    for (const engine::Suggestion& suggestion : evaluation_.suggestions)
      add_suggestion(document_, suggestion, evaluation_.any_device, kIndent);
    if (evaluation_.suggestions.empty() && evaluation_.stored.program() == nullptr) advice();
    if (!options_.trees) {
      document_.add(view::Blank{});
      devices();
    }
    document_.add(view::Blank{});
    next();
    return std::move(document_);
  }

 private:
  bool evaluated() const { return evaluation_.answers.has_value(); }
  std::uint64_t highest_cost() const;
  view::Span headline() const;
  void refusal();
  void advice();
  void failures();
  std::vector<FailureRow> failure_rows() const;
  void costs();
  void facts();
  void trees();
  void devices();
  void each_device();
  std::vector<MatchRow> rows_by_pool() const;
  void next();

  const Evaluation& evaluation_;
  const EvaluationView& options_;
  view::Document document_;
};

std::uint64_t ViewBuilder::highest_cost() const {
  std::uint64_t most = 0;
  if (!evaluated()) return most;
  for (const engine::AnswerGroup& group : evaluation_.answers->groups())
    most = std::max(most, group.answer.cost);
  return most;
}

// For what has no correction.
void ViewBuilder::advice() {
  std::string words = engine::missing_domain(evaluation_.stored);
  if (words.empty()) return;
  document_.add(view::Blank{});
  document_.add(view::Paragraph{
      .spans = {span("-> ", Tone::Strong), span(std::move(words))}, .indent = kIndent, .hang = 3});
}

view::Span ViewBuilder::headline() const {
  if (!evaluation_.compiles() && evaluation_.stored.program() == nullptr)
    return span("The expression does not compile.", Tone::Bad);
  if (evaluation_.only_compiled) {
    return evaluation_.compiles() ? span("The expression compiles.", Tone::Good)
                                  : span("The API server refuses the expression.", Tone::Bad);
  }
  if (evaluation_.devices.empty())
    return span("There is no device to evaluate the expression for.", Tone::Warn);
  const std::size_t total = evaluation_.devices.size();
  const std::size_t matches = evaluation_.matches();
  const std::size_t failures = evaluation_.failures();
  const std::string text =
      failures == total  ? (total == 1 ? std::string("It fails for the device.")
                                       : base::format("It fails for all {}.", count_of(total)))
      : total == 1       ? (matches == 1 ? "The device matches." : "The device does not match.")
      : matches == 0     ? base::format("None of {} matches.", count_of(total))
      : matches == total ? base::format("All {} match.", count_of(total))
                         : base::format("{} of {} {}.", matches, count_of(total),
                                        matches == 1 ? "matches" : "match");
  return span(text, evaluation_.failures() > 0 ? Tone::Bad
                    : matches == 0             ? Tone::Warn
                                               : Tone::Good);
}

// The API server's error, and whether the scheduler would evaluate the expression all the same.
void ViewBuilder::refusal() {
  if (evaluation_.compiles()) return;
  const engine::Failure& failure = *evaluation_.compiled.failure();
  if (evaluation_.stored.program() != nullptr) {
    document_.add(
        remark("The API server does not store it, so no new claim or class can have it. "
               "The scheduler would evaluate it if it were stored already" +
                   std::string(evaluated() ? ", as here." : "."),
               Tone::Bad));
  }
  document_.add(block_of(failure.message));
  document_.add(view::Blank{});
}

std::vector<FailureRow> ViewBuilder::failure_rows() const {
  std::vector<FailureRow> rows;
  if (!evaluated()) return rows;
  std::map<std::string_view, std::size_t> known;
  for (std::size_t i = 0; i < evaluation_.devices.size(); ++i) {
    const Answer& answer = evaluation_.answers->of(i);
    if (!answer.failure) continue;
    const auto [row, is_new] = known.emplace(answer.failure->message, rows.size());
    if (is_new) rows.push_back({&*answer.failure, {}});
    rows[row->second].devices.push_back(evaluation_.devices[i].published.id());
  }
  return rows;
}

void ViewBuilder::failures() {
  const auto rows = failure_rows();
  if (rows.empty()) return;
  const std::size_t shown = options_.wide ? rows.size() : std::min(rows.size(), kMaxFailures);
  for (std::size_t i = 0; i < shown; ++i) {
    const FailureRow& row = rows[i];
    document_.add(remark(base::format("It fails for {}: {}", count_of(row.devices.size()),
                                      sentence(row.failure->message)),
                         Tone::Bad));
    document_.add(
        view::Paragraph{.spans = {span(ids_text(row.devices), Tone::Dim)}, .indent = kIndent + 2});
  }
  if (shown < rows.size()) {
    document_.add(view::Paragraph{
        .spans = {span(base::format("and {} more ways; -o wide shows all", rows.size() - shown))},
        .indent = kIndent + 2});
  }
  document_.add(view::Paragraph{
      .spans = {span("-> ", Tone::Strong),
                span("An error is more than a device that does not match: on such a device the "
                     "scheduler ends its attempt for the whole pod, and tries again later.")},
      .indent = kIndent + 2,
      .hang = 3});
  document_.add(view::Blank{});
}

void ViewBuilder::costs() {
  const std::uint64_t estimated = evaluation_.compiled.estimated_cost();
  if (estimated >= kMuch && estimated <= kMaxSelectorCost) {
    document_.add(remark(base::format("Its estimated cost is {} of what the API server accepts.",
                                      share_of(estimated)),
                         Tone::Warn));
  }
  const std::uint64_t highest = highest_cost();
  if (highest >= kMuch && highest <= kMaxSelectorCost) {
    document_.add(remark(base::format("To evaluate it costs {} of what the scheduler allows, "
                                      "which beyond that gives up on the whole pod.",
                                      share_of(highest)),
                         Tone::Warn));
  }
}

void ViewBuilder::facts() {
  view::Fields fields{.fields = {}, .indent = kIndent};
  const auto add = [&fields](std::string name, std::string value) {
    fields.fields.push_back({std::move(name), {span(std::move(value))}});
  };
  const engine::Selector& compiled = evaluation_.compiled;
  if (compiled.program() != nullptr) {
    const std::uint64_t estimated = compiled.estimated_cost();
    add("estimated cost",
        base::format("{}, of at most {}",
                     estimated == cel::kUnbounded ? "without bound" : grouped(estimated),
                     grouped(kMaxSelectorCost)));
  }
  if (evaluated() && !evaluation_.devices.empty())
    add("actual cost", base::format("at most {}", grouped(highest_cost())));
  document_.add(std::move(fields));
}

std::vector<MatchRow> ViewBuilder::rows_by_pool() const {
  std::vector<MatchRow> rows;
  for (std::size_t i = 0; i < evaluation_.devices.size(); ++i) {
    const engine::DeviceId id = evaluation_.devices[i].published.id();
    if (rows.empty() || rows.back().driver != id.driver || rows.back().pool != id.pool)
      rows.push_back({.driver = id.driver, .pool = id.pool, .pools = 1});
    const Answer& answer = evaluation_.answers->of(i);
    MatchRow& row = rows.back();
    ++row.devices;
    row.failures += answer.failure ? 1 : 0;
    if (answer.matches) row.matching.push_back(id.device);
  }
  return rows;
}

std::vector<MatchRow> by_driver(const std::vector<MatchRow>& pools) {
  std::vector<MatchRow> rows;
  for (const MatchRow& pool : pools) {
    if (rows.empty() || rows.back().driver != pool.driver) rows.push_back({.driver = pool.driver});
    MatchRow& row = rows.back();
    ++row.pools;
    row.devices += pool.devices;
    row.failures += pool.failures;
    row.matching.insert(row.matching.end(), pool.matching.begin(), pool.matching.end());
  }
  return rows;
}

void ViewBuilder::trees() {
  const std::size_t shown = std::min(evaluation_.devices.size(), kMaxTrees);
  for (std::size_t i = 0; i < shown; ++i) {
    const Answer& answer = evaluation_.answers->of(i);
    document_.add(view::Blank{});
    document_.add(view::Paragraph{
        .spans = {span(engine::to_string(evaluation_.devices[i].published.id()), Tone::Strong),
                  span(answer.failure   ? "  fails"
                       : answer.matches ? "  matches"
                                        : "  does not match")}});
    const auto trace = engine::trace_of(evaluation_.stored, (*evaluation_.fleet)[i]);
    if (trace) {
      add_clause_tree(document_, evaluation_.stored, *trace);
    } else {
      document_.add(remark(sentence(answer.failure->message), Tone::Bad));
    }
  }
  if (shown < evaluation_.devices.size()) {
    document_.add(view::Blank{});
    document_.add(view::Paragraph{
        .spans = {span(base::format("and {} more; name one by its whole id, driver/pool/device",
                                    evaluation_.devices.size() - shown))}});
  }
}

void ViewBuilder::devices() {
  if (!evaluated() || evaluation_.devices.empty()) return;
  if (options_.wide) return each_device();
  const bool failed = evaluation_.failures() > 0;
  auto rows = rows_by_pool();
  const bool folded = rows.size() > kMaxPools;
  if (folded) rows = by_driver(rows);
  view::Table table =
      folded ? table_of({"DRIVER", "POOLS", "MATCH"}) : table_of({"DRIVER", "POOL", "MATCH"});
  if (failed) table.columns.push_back({.title = "FAIL"});
  if (!folded) table.columns.push_back({.title = "DEVICES"});
  for (const MatchRow& row : rows) {
    std::vector<view::Cell> cells{cell(row.driver),
                                  folded ? cell(std::to_string(row.pools)) : cell(row.pool),
                                  cell(base::format("{}/{}", row.matching.size(), row.devices))};
    if (failed) {
      cells.push_back(
          cell(std::to_string(row.failures), row.failures > 0 ? Tone::Bad : Tone::Plain));
    }
    if (!folded)
      cells.push_back(cell(
          or_none(row.matching.empty() ? "" : fold_devices_within(row.matching, kMaxNamesWidth))));
    table.rows.push_back(std::move(cells));
  }
  document_.add(std::move(table));
}

void ViewBuilder::each_device() {
  view::Table table =
      table_of({"DRIVER", "POOL", "DEVICE", "POOL-STATUS", "RESULT", "COST", "ERROR"});
  for (std::size_t i = 0; i < evaluation_.devices.size(); ++i) {
    const EvaluationDevice& device = evaluation_.devices[i];
    const engine::DeviceId id = device.published.id();
    const Answer& answer = evaluation_.answers->of(i);
    const view::Cell result = answer.failure   ? cell("error", Tone::Bad)
                              : answer.matches ? cell("true", Tone::Good)
                                               : cell("false", Tone::Dim);
    table.rows.push_back({cell(id.driver), cell(id.pool), cell(id.device),
                          cell(engine::name_of(device.pool_state)), result,
                          cell(std::to_string(answer.cost)),
                          cell(answer.failure ? answer.failure->message : std::string(kNone))});
  }
  document_.add(std::move(table));
}

void ViewBuilder::next() {
  const bool nothing = options_.devices_command.empty() || evaluation_.matches() == 0;
  if (nothing || options_.wide) return;
  view::Verbatim command{.lines = {}, .indent = kIndent};
  command.lines.push_back(
      {span("who is using them:  ", Tone::Dim), span(options_.devices_command)});
  document_.add(std::move(command));
}

}  // namespace

view::Document to_view(const Evaluation& evaluation, const EvaluationView& options) {
  return ViewBuilder(evaluation, options).build();
}

}  // namespace dra::report

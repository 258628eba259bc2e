// src/engine/selectors/suggestions.cpp: a beam search. It starts from the original selector; each
// step changes the expressions that come nearest to a match, and the nearest results are changed
// further.

#include "dra/engine/selectors/suggestions.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "dra/cel/syntax/parser.h"
#include "dra/engine/selectors/clause_table.h"
#include "dra/engine/selectors/corrections.h"
#include "dra/engine/selectors/shape_changes.h"
#include "dra/engine/selectors/value_changes.h"

namespace dra::engine {
namespace {

using cel::ChangeKind;

constexpr std::size_t kMaxSteps = 4;             // in sequence
constexpr std::size_t kMaxWidth = 4;             // of the beam
constexpr std::size_t kMaxTried = 24;            // steps from one expression
constexpr std::size_t kMaxEvaluations = 80;      // of the fleet, per selector
constexpr std::size_t kMaxExpressions = 250;     // compiled, per selector
constexpr std::size_t kMaxKindsSuggested = 100;  // more are not traced
constexpr std::size_t kMaxKindsAtFirst = 2'000;  // the same for the original selector

// The result of all selectors together.
struct Count {
  std::size_t matches = 0;
  std::size_t failures = 0;  // without unreadable devices
};

// A smaller score is better.
struct Score {
  int stage = 0;              // 0 can be stored, 1 fails the checks, 2 does not parse
  std::size_t obstacles = 0;  // of the nearest open device; for stage 1 the number of issues
  std::size_t mistakes = 0;   // places that look like typos
  std::size_t failures = 0;
  int unlikely = 0;  // see unlikely()

  auto key() const { return std::tuple(stage, obstacles, mistakes, failures, unlikely); }
};

struct State {
  EditedText text;
  std::vector<ChangeKind> kinds = {};
  std::unique_ptr<Selector> selector = {};  // compiled as a stored expression
  bool accepted = false;                    // compiles as a new expression
  std::optional<FleetAnswer> answer = {};
  Count count = {};
  Score score = {};
  std::vector<Step> steps = {};  // to be tried next
};

// The risk that a change of this kind is not what was meant.
int rank_of(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::Letters:
      return 1;
    case ChangeKind::OtherDomain:
    case ChangeKind::OtherSection:
    case ChangeKind::NearName:
      return 2;
    case ChangeKind::Threshold:
      return 3;
    case ChangeKind::OtherName:
    case ChangeKind::Value:
    case ChangeKind::Member:
      return 4;
    case ChangeKind::Guard:
      return 5;
    case ChangeKind::Drop:
      return 6;
    default:
      return 0;
  }
}

int unlikely(const std::vector<ChangeKind>& kinds) {
  int sum = 0;
  for (const ChangeKind kind : kinds)
    sum += rank_of(kind);
  return sum;
}

auto order_of(const Suggestion& one) {
  const bool drops = std::ranges::count(one.kinds, ChangeKind::Drop) > 0;
  // Values of devices are sorted by distance already.
  const bool value = std::ranges::any_of(
      one.kinds, [](ChangeKind kind) { return rank_of(kind) == rank_of(ChangeKind::Value); });
  return std::tuple(one.matches == 0, drops, one.kinds.size(), unlikely(one.kinds),
                    value ? 0 : -static_cast<std::int64_t>(one.matches));
}

// A guard can be written in several ways; one is enough.
void keep_one_guard(std::vector<Suggestion>& found) {
  std::vector<Suggestion> kept;
  for (Suggestion& one : found) {
    const bool guards = std::ranges::count(one.kinds, ChangeKind::Guard) > 0;
    const bool known = guards && std::ranges::any_of(kept, [&one](const Suggestion& other) {
                         return other.selector == one.selector && other.kinds == one.kinds &&
                                other.matches == one.matches;
                       });
    if (!known) kept.push_back(std::move(one));
  }
  found = std::move(kept);
}

// Where several names have such a value, none of them can be told to be meant.
void drop_ambiguous_names(std::vector<Suggestion>& found) {
  const auto by_value = [](const Suggestion& one) {
    return std::ranges::count(one.kinds, ChangeKind::OtherName) > 0;
  };
  if (std::ranges::count_if(found, by_value) > 1) std::erase_if(found, by_value);
}

// Each change as a step of its own.
void add_each(std::vector<cel::Change> changes, std::vector<Step>& steps) {
  for (cel::Change& change : changes) {
    const ChangeKind kind = change.kind;
    steps.push_back({kind, {std::move(change)}});
  }
}

// Changes that ask for another value: the reader must see these.
std::vector<ValueInstead> values_of(const cel::Source& before,
                                    const std::vector<cel::Change>& changes) {
  std::vector<ValueInstead> values;
  for (const cel::Change& change : changes) {
    const bool other = change.kind == ChangeKind::Value || change.kind == ChangeKind::Threshold ||
                       change.kind == ChangeKind::Letters;
    const std::string_view old = before.text_of(change.span);
    if (other && !old.empty()) values.emplace_back(old, change.text);
  }
  return values;
}

// The original selectors.
class Conjunction {
 public:
  Conjunction(const Fleet& fleet, std::span<const std::string_view> texts, const Language& language)
      : fleet_(fleet) {
    for (const std::string_view text : texts) {
      selectors_.emplace_back(text, language);
      answers_.emplace_back();
      if (selectors_.back().program() != nullptr) answers_.back().emplace(selectors_.back(), fleet);
    }
  }

  std::size_t size() const { return selectors_.size(); }
  const Selector& operator[](std::size_t i) const { return selectors_[i]; }
  const FleetAnswer* answer(std::size_t i) const { return answers_[i] ? &*answers_[i] : nullptr; }
  std::size_t broken() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(answers_, [](const auto& answer) { return !answer.has_value(); }));
  }

  // Counts with `changed` in place of one of them. All must compile.
  Count count(std::size_t selector, const FleetAnswer& changed) const {
    Count count;
    for (std::size_t device = 0; device < fleet_.size(); ++device) {
      bool matches = true;
      for (std::size_t i = 0; i < answers_.size() && matches; ++i) {
        const Answer& answer = (i == selector ? changed : *answers_[i]).of(device);
        matches = answer.matches;
        const bool failed = answer.failure && answer.failure->stage != Stage::Attribute;
        count.failures += failed ? 1 : 0;
      }
      count.matches += matches ? 1 : 0;
    }
    return count;
  }

  struct OtherSelectors {
    bool open = true;     // all selectors but one match
    bool reached = true;  // all before that one match
  };
  OtherSelectors others(std::size_t selector, std::size_t device) const {
    OtherSelectors out;
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      if (i == selector || answers_[i]->of(device).matches) continue;
      out.open = false;
      if (i < selector) out.reached = false;
    }
    return out;
  }

 private:
  const Fleet& fleet_;
  std::vector<Selector> selectors_;
  std::vector<std::optional<FleetAnswer>> answers_;
};

// The input that is the same for all selectors.
struct Setting {
  const Fleet& fleet;
  const Conjunction& all;
  const KnownNames& known;
  Language fresh;
  Language stored;
  std::size_t wanted;
};

// The search for changes to one of the selectors.
class Search {
 public:
  Search(const Setting& setting, std::size_t selector)
      : setting_(setting), fleet_(setting.fleet), all_(setting.all), selector_(selector) {
    for (std::size_t device = 0; device < fleet_.size(); ++device)
      others_.push_back(all_.others(selector, device));
  }

  std::vector<Suggestion> run();

 private:
  std::optional<State> evaluated(EditedText text, std::vector<ChangeKind> kinds);
  std::vector<TracedKind> traced(const State& state, std::span<const cel::Clause> clauses) const;
  void look_at(State& state) const;
  void look_at_program(State& state) const;
  void look_at_text(State& state) const;
  void keep_steps(State& state, std::vector<Step> steps) const;
  bool helps(const State& state) const;
  bool invites(const State& before, const State& guarded) const;
  // Tries the steps of the states; true: no further step is of use.
  bool step_from(const std::vector<State>& states, bool may_drop, std::vector<State>& next);

  const Setting& setting_;
  const Fleet& fleet_;
  const Conjunction& all_;
  std::size_t selector_;
  std::vector<Conjunction::OtherSelectors> others_;  // by device
  bool compiled_ = false;                            // the selector as it is
  Count before_;
  std::set<std::string, std::less<>> tried_;
  std::size_t evaluations_ = 0;
  std::vector<Suggestion> found_;
};

// --- what one expression comes to

std::optional<State> Search::evaluated(EditedText text, std::vector<ChangeKind> kinds) {
  if (tried_.size() >= kMaxExpressions || !tried_.insert(text.text()).second) return std::nullopt;
  State state{.text = std::move(text), .kinds = std::move(kinds)};
  state.selector = std::make_unique<Selector>(state.text.text(), setting_.stored);
  if (state.selector->program() == nullptr) return state;
  state.accepted = !Selector(state.text.text(), setting_.fresh).failure();
  if (evaluations_ >= kMaxEvaluations) return std::nullopt;
  ++evaluations_;
  state.answer.emplace(*state.selector, fleet_);
  state.count = all_.count(selector_, *state.answer);
  return state;
}

std::vector<TracedKind> Search::traced(const State& state,
                                       std::span<const cel::Clause> clauses) const {
  struct Devices {
    std::size_t group = 0;
    std::size_t open = 0;
    std::size_t reached = 0;
  };
  std::vector<Devices> groups(state.answer->groups().size());
  for (std::size_t device = 0; device < fleet_.size(); ++device) {
    Devices& group = groups[state.answer->group_of(device)];
    group.group = state.answer->group_of(device);
    group.open += others_[device].open ? 1 : 0;
    group.reached += others_[device].reached ? 1 : 0;
  }
  std::erase_if(groups, [](const Devices& group) { return group.reached == 0; });
  std::ranges::stable_sort(groups, std::ranges::greater(), &Devices::open);
  const std::size_t most = state.kinds.empty() ? kMaxKindsAtFirst : kMaxKindsSuggested;
  if (groups.size() > most) groups.resize(most);
  std::vector<TracedKind> kinds;
  for (const Devices& group : groups) {
    auto trace = trace_of(*state.selector, fleet_[state.answer->groups()[group.group].first]);
    if (!trace) continue;
    TracedKind kind{.trace = std::move(*trace), .open = group.open};
    for (const cel::Clause& clause : clauses) {
      const Truth truth = truth_of(*state.selector, kind.trace, clause);
      kind.obstacles += truth == Truth::True ? 0 : truth == Truth::False ? 2 : 3;
    }
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

// Keeps the first steps, which are the likeliest to be meant.
void Search::keep_steps(State& state, std::vector<Step> steps) const {
  std::vector<Step> kept;
  std::set<std::uint32_t> places;
  for (Step& step : steps) {
    const bool known =
        std::ranges::any_of(kept, [&](const Step& one) { return one.changes == step.changes; });
    if (known) continue;
    if (rank_of(step.kind) == 0 || rank_of(step.kind) == 2)
      places.insert(step.changes.front().span.begin);
    kept.push_back(std::move(step));
  }
  state.score.mistakes = places.size();
  std::ranges::stable_sort(kept, {}, [](const Step& step) { return rank_of(step.kind); });
  state.steps = std::move(kept);
}

void Search::look_at(State& state) const {
  state.score.unlikely = unlikely(state.kinds);
  if (state.selector->program() != nullptr) {
    look_at_program(state);
  } else {
    look_at_text(state);
  }
}

void Search::look_at_text(State& state) const {
  const cel::Source& source = state.selector->source();
  const cel::Environment& environment = environment_of(setting_.stored);
  cel::Parsed parsed = cel::parse(source, environment.macros());
  std::vector<Step> steps;
  if (!parsed.ok()) {
    state.score.stage = 2;
    auto operators = cel::operator_changes(source);
    if (!operators.empty()) steps.push_back({ChangeKind::Operator, std::move(operators)});
    add_each(cel::spelling_changes(source), steps);
    return keep_steps(state, std::move(steps));
  }
  const cel::Checked checked = cel::check(std::move(parsed.ast), environment);
  state.score.stage = 1;
  state.score.obstacles = checked.issues.size();
  steps = typos_in(checked, source, environment, setting_.known);
  add_each(cel::changes_of(checked, source, nullptr, setting_.known.names), steps);
  keep_steps(state, std::move(steps));
}

void Search::look_at_program(State& state) const {
  const Selector& selector = *state.selector;
  const cel::Checked& checked = selector.program()->checked();
  const auto clauses = cel::clauses_of(checked.ast, selector.source());
  const auto kinds = traced(state, clauses);
  const cel::Environment& environment = environment_of(setting_.stored);
  std::vector<Step> steps;
  const auto add = [&steps](std::vector<Step> more) {
    std::ranges::move(more, std::back_inserter(steps));
  };
  state.score.stage = state.accepted ? 0 : 1;
  if (!kinds.empty()) add(typos_in(checked, selector.source(), environment, setting_.known));
  std::optional<std::size_t> least;
  for (const TracedKind& kind : kinds) {
    if (kind.open > 0) least = std::min(least.value_or(kind.obstacles), kind.obstacles);
    add_each(cel::changes_of(checked, selector.source(), &kind.trace, setting_.known.names), steps);
  }
  state.score.obstacles = least.value_or(0);
  state.score.failures = state.count.failures;
  const std::size_t missing = setting_.wanted - std::min(setting_.wanted, state.count.matches);
  add(value_changes(selector, clauses, kinds, std::max<std::size_t>(missing, 1)));
  add(presence_guards_for(selector, clauses, kinds, setting_.known));
  add(drops_of(selector.source(), clauses));
  // There may be many, of which values decide.
  std::stable_partition(steps.begin(), steps.end(),
                        [](const Step& step) { return step.kind != ChangeKind::OtherName; });
  keep_steps(state, std::move(steps));
}

bool Search::helps(const State& state) const {
  if (!state.accepted || state.count.failures > 0) return false;
  if (!compiled_) {
    // Without devices, nothing can tell a name that is meant from one that is like it.
    const int most = fleet_.size() == 0 ? rank_of(ChangeKind::NearName) : 0;
    const bool mends =
        std::ranges::all_of(state.kinds, [most](ChangeKind kind) { return rank_of(kind) <= most; });
    return mends || state.count.matches > 0;
  }
  if (before_.failures > 0)
    return state.count.matches > 0 && state.count.matches >= before_.matches;
  return state.count.matches > before_.matches;
}

// A guard must reject devices without the name, not admit them: `.?numaNode.orValue(0) == 0`.
bool Search::invites(const State& before, const State& guarded) const {
  if (!before.answer || !guarded.answer) return false;
  for (std::size_t device = 0; device < fleet_.size(); ++device) {
    if (before.answer->of(device).failure && guarded.answer->of(device).matches) return true;
  }
  return false;
}

// --- step by step

bool Search::step_from(const std::vector<State>& states, bool may_drop, std::vector<State>& next) {
  bool done = false;
  for (const State& state : states) {
    std::size_t tried = 0;
    // The default of a guard is a value that no device has, so no change may fit it.
    const bool guarded = std::ranges::count(state.kinds, ChangeKind::Guard) > 0;
    for (const Step& step : state.steps) {
      if (step.kind == ChangeKind::Drop && !may_drop) continue;
      if (guarded && step.kind != ChangeKind::Guard) continue;
      if (++tried > kMaxTried) break;
      EditedText text = state.text;
      text.apply(step);
      auto kinds = state.kinds;
      kinds.push_back(step.kind);
      auto made = evaluated(std::move(text), std::move(kinds));
      if (!made || (step.kind == ChangeKind::Guard && invites(state, *made))) continue;
      const bool good = helps(*made);
      if (good) {
        const auto& changes = made->text.changes();
        found_.push_back({.selector = selector_,
                          .changes = changes,
                          .kinds = made->kinds,
                          .expression = made->text.text(),
                          .values = values_of(all_[selector_].source(), changes),
                          .before = before_.matches,
                          .matches = made->count.matches});
      }
      const bool enough = good && (made->count.matches > 0 || fleet_.size() == 0);
      if (step.kind == ChangeKind::Drop || (step.kind == ChangeKind::OtherName && !good)) continue;
      done |= enough;
      if (enough) continue;
      look_at(*made);
      next.push_back(std::move(*made));
    }
  }
  return done;
}

std::vector<Suggestion> Search::run() {
  auto original = evaluated(EditedText(all_[selector_].expression()), {});
  if (!original) return {};
  compiled_ = original->selector->program() != nullptr;
  before_ = original->count;
  look_at(*original);
  std::vector<State> states;
  states.push_back(std::move(*original));
  for (std::size_t steps = 1; steps <= kMaxSteps && !states.empty(); ++steps) {
    std::vector<State> next;
    if (step_from(states, steps == 1, next)) break;
    std::ranges::stable_sort(next, {}, [](const State& state) { return state.score.key(); });
    if (next.size() > kMaxWidth) next.erase(next.begin() + kMaxWidth, next.end());
    states = std::move(next);
  }
  drop_ambiguous_names(found_);
  return std::move(found_);
}

}  // namespace

std::vector<Suggestion> suggestions_for(const Fleet& fleet,
                                        std::span<const std::string_view> selectors,
                                        const snapshot::Server& server, std::size_t wanted) {
  if (selectors.empty()) return {};
  const Language fresh = language_of(server, Expressions::New);
  const Language stored = language_of(server, Expressions::Stored);
  const Conjunction all(fleet, selectors, stored);
  if (all.broken() > 1) return {};
  if (all.broken() == 0) {
    const Count now = all.count(0, *all.answer(0));
    if (now.failures == 0 && (now.matches >= wanted || fleet.size() == 0)) return {};
  }
  const KnownNames known = known_names(fleet);
  const Setting setting{fleet, all, known, fresh, stored, wanted};
  std::vector<Suggestion> found;
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    const FleetAnswer* answer = all.answer(i);
    if (all.broken() > 0 && answer != nullptr) continue;
    if (answer != nullptr && answer->matches() == fleet.size()) continue;
    std::ranges::move(Search(setting, i).run(), std::back_inserter(found));
  }
  std::ranges::stable_sort(
      found, [](const Suggestion& a, const Suggestion& b) { return order_of(a) < order_of(b); });
  keep_one_guard(found);
  // If some suggestion is likely meant, unlikely ones are noise.
  constexpr int about = 2;
  if (!found.empty()) {
    const int likely = unlikely(found.front().kinds) + about;
    std::erase_if(found, [likely](const Suggestion& one) { return unlikely(one.kinds) > likely; });
  }
  if (found.size() > kMaxSuggestions) found.resize(kMaxSuggestions);
  return found;
}

std::optional<std::string> correction_of(std::string_view expression, const Language& language,
                                         std::vector<cel::KnownName> names) {
  const Fleet none;
  const Conjunction all(none, {&expression, 1}, language);
  if (all.broken() == 0) return std::nullopt;
  const KnownNames known{.names = std::move(names)};
  auto found = Search({none, all, known, language, language, 1}, 0).run();
  if (found.empty()) return std::nullopt;
  return std::ranges::min(found, {}, order_of).expression;
}

}  // namespace dra::engine

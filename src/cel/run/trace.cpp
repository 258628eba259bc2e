// src/cel/run/trace.cpp: keeps raw values during an evaluation, which live as long as its scratch,
// and turns only what remains at the end into text.

#include "dra/cel/run/trace.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "dra/cel/syntax/fold_shape.h"
#include "dra/cel/values/opaque.h"
#include "dra/cel/values/quantity_value.h"
#include "dra/cel/values/value_text.h"

namespace dra::cel {
namespace {

struct RawElement;

struct RawFold {
  NodeId node = 0;
  Value range = {};
  std::size_t truths = 0;
  std::size_t falses = 0;
  std::size_t errors = 0;
  std::vector<RawElement> not_true;
  std::vector<RawElement> first_true;

  std::size_t elements() const { return truths + falses + errors; }
};

struct RawScope {
  std::vector<std::pair<NodeId, Value>> values;
  std::vector<RawFold> folds;
};

struct RawElement {
  std::size_t index = 0;
  Value outcome = {};
  RawScope inside;
};

class Recorder {
 public:
  explicit Recorder(const FoldShape& shape) : shape_(shape), active_(shape.folds) {}

  void observe(NodeId node, const Value& value) {
    const Role& role = shape_.roles[node];
    if (role.range) begin_fold(*role.range, value);
    if (role.condition) begin_element(*role.condition);
    if (role.predicate) active_[*role.predicate].outcome = value;
    scope(role.home).values.emplace_back(node, value);
    if (role.step) end_element(*role.step, value);
    if (role.fold) end_fold(*role.fold, node, role.home);
  }
  const RawScope& root() const { return root_; }

 private:
  // A fold is never within itself, so one slot per fold is enough.
  struct Active {
    bool running = false;
    RawFold fold = {};
    RawScope inside = {};
    std::optional<Value> outcome = {};
  };

  RawScope& scope(FoldIndex home) { return home ? active_[*home].inside : root_; }

  void begin_fold(std::size_t index, const Value& range) {
    active_[index].running = true;
    active_[index].fold = {};
    active_[index].fold.range = range;
  }

  void begin_element(std::size_t index) {
    active_[index].inside.values.clear();
    active_[index].inside.folds.clear();
    active_[index].outcome.reset();
  }

  void end_element(std::size_t index, const Value& step) {
    Active& active = active_[index];
    RawFold& fold = active.fold;
    const bool conditional = active.outcome.has_value();
    const Value outcome = active.outcome.value_or(step);
    const bool truth = conditional ? outcome.is_true() : !outcome.is_error();
    auto& kept = truth ? fold.first_true : fold.not_true;
    const bool first_error = !truth && !outcome.is_false() && fold.errors == 0;
    if (kept.size() < (truth ? 1 : kKeptElements) || first_error) {
      kept.push_back({fold.elements(), outcome, std::exchange(active.inside, {})});
    }
    if (truth) {
      ++fold.truths;
    } else if (outcome.is_false()) {
      ++fold.falses;
    } else {
      ++fold.errors;
    }
  }

  // Observed twice if the result of the fold is indexed.
  void end_fold(std::size_t index, NodeId node, FoldIndex home) {
    Active& active = active_[index];
    if (!active.running) return;
    active.running = false;
    active.fold.node = node;
    scope(home).folds.push_back(std::exchange(active.fold, {}));
  }

  const FoldShape& shape_;
  std::vector<Active> active_;
  RawScope root_;
};

Seen seen(const Value& value, bool reached) {
  Seen out{.kind = value.kind(), .truth = value.is_true(), .reached = reached};
  out.text = value_text(value);
  out.type_name = type_name(value);
  if (const auto* quantity = opaque_if<QuantityValue>(value)) {
    out.readable = readable_quantity(quantity->quantity());
  }
  return out;
}

Scope kept(const RawScope& raw, const RawScope* faithful);

// The same element in the faithful evaluation.
const RawScope* same_element(const RawFold* fold, const RawElement& element) {
  if (fold == nullptr) return nullptr;
  for (const auto* elements : {&fold->not_true, &fold->first_true}) {
    const auto same = std::ranges::find(*elements, element.index, &RawElement::index);
    if (same != elements->end()) return &same->inside;
  }
  return nullptr;
}

SeenElement kept(const RawElement& raw, const RawFold& fold, const RawFold* faithful) {
  const RawScope* same = same_element(faithful, raw);
  const bool reached = same != nullptr;
  SeenElement out{.index = raw.index};
  if (fold.range.is(ValueKind::Map)) {
    const auto [key, value] = fold.range.as_map().entry(raw.index);
    out.key = seen(key, reached);
    out.value = seen(value, reached);
  } else {
    out.value = seen(fold.range.as_list().at(raw.index), reached);
  }
  out.outcome = seen(raw.outcome, reached);
  out.inside = kept(raw.inside, same);
  return out;
}

SeenFold kept(const RawFold& raw, const RawFold* faithful) {
  SeenFold out{.truths = raw.truths, .falses = raw.falses, .errors = raw.errors};
  if (raw.range.is(ValueKind::List)) out.size = raw.range.as_list().size();
  if (raw.range.is(ValueKind::Map)) out.size = raw.range.as_map().size();
  for (const RawElement& element : raw.not_true)
    out.not_true.push_back(kept(element, raw, faithful));
  for (const RawElement& element : raw.first_true)
    out.first_true.push_back(kept(element, raw, faithful));
  return out;
}

Scope kept(const RawScope& raw, const RawScope* faithful) {
  std::set<NodeId> reached;
  if (faithful != nullptr) {
    for (const auto& [node, value] : faithful->values)
      reached.insert(node);
  }
  Scope out;
  std::map<NodeId, Value> last;
  for (const auto& [node, value] : raw.values)
    last.insert_or_assign(node, value);
  for (const auto& [node, value] : last)
    out.values.emplace(node, seen(value, reached.contains(node)));
  for (const RawFold& fold : raw.folds) {
    const RawFold* same = nullptr;
    if (faithful != nullptr) {
      const auto found = std::ranges::find(faithful->folds, fold.node, &RawFold::node);
      if (found != faithful->folds.end()) same = &*found;
    }
    out.folds.insert_or_assign(fold.node, kept(fold, same));
  }
  return out;
}

}  // namespace

Trace trace(const Program& program, std::span<const Value> variables, const TraceLimits& limits) {
  const FoldShape shape = shape_of(program.checked().ast);
  const auto record = [&](Run& run, Recorder& recorder) {
    run.observer = [&recorder](NodeId node, const Value& value) { recorder.observe(node, value); };
    return program.evaluate(variables, run);
  };
  Recorder faithful(shape);
  Run faithful_run;
  faithful_run.faithful = true;
  faithful_run.cost_limit = limits.answer;
  const Value answer = record(faithful_run, faithful);

  Recorder exhaustive(shape);
  Run exhaustive_run;
  exhaustive_run.cost_limit = limits.exhaustive;
  const Value same = record(exhaustive_run, exhaustive);

  Trace out{.answer = seen(answer, true), .cost = faithful_run.cost};
  // The result of a selector that appends to a bound empty list, which upstream changes in place,
  // depends on what is evaluated. Another answer explains nothing.
  out.complete = faithful_run.stopped.empty() && exhaustive_run.stopped.empty() &&
                 answer.kind() == same.kind() && value_text(same) == out.answer.text;
  out.root = kept(out.complete ? exhaustive.root() : faithful.root(), &faithful.root());
  out.root.values.insert_or_assign(program.checked().ast.root, out.answer);
  return out;
}

}  // namespace dra::cel

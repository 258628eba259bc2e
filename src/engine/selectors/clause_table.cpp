// src/engine/selectors/clause_table.cpp: traces each selector once for each kind of device (a group
// of equal answers), then counts devices, combining the kinds that each device has by selector.

#include "dra/engine/selectors/clause_table.h"

#include <algorithm>
#include <map>

#include "dra/base/text.h"
#include "dra/cel/hints/blame.h"

namespace dra::engine {
namespace {

constexpr std::size_t kMaxKindsOfDevices = 5'000;  // more are not traced

// One selector, with the truth of its clauses for each kind of device.
struct Column {
  const Asked* asked;
  std::vector<cel::Clause> clauses;
  std::vector<std::vector<Truth>> kinds;  // by group of the answers, then clause
  std::vector<std::vector<std::string>>
      instead;  // the value that a kind has instead; empty if it meets the clause
};

using Counts = std::map<std::string_view, std::size_t>;

// The values that differ from the wanted ones; the error if there are none.
std::string instead(const Selector& selector, const cel::Trace& trace, const cel::Clause& clause) {
  const cel::Blame blame =
      cel::blame_of(*selector.program(), selector.source(), trace, clause.node, !clause.negated);
  if (blame.leaves.empty()) return {};
  const cel::Leaf& leaf = blame.leaves.front();
  const cel::Ast& ast = selector.program()->checked().ast;
  std::vector<std::string> values;
  for (const cel::Side& side : leaf.sides) {
    const bool tells = side.known && side.value.kind != cel::ValueKind::Map;
    if (!tells || !reads_variable(ast, side.node)) continue;
    values.push_back(side.value.readable.empty()
                         ? side.value.text
                         : base::format("{} ({})", side.value.text, side.value.readable));
  }
  return values.empty() || leaf.value.is_error() ? leaf.fact : base::join(values, ", ");
}

class Builder {
 public:
  Builder(const Fleet& fleet, std::span<const Asked> selectors) : fleet_(fleet) {
    table_.devices = fleet.size();
    for (const Asked& asked : selectors)
      add(asked);
  }

  ClauseTable build() {
    for (std::size_t device = 0; device < fleet_.size(); ++device)
      count(device);
    for (std::size_t clause = 0; clause < table_.clauses.size(); ++clause) {
      const bool near = table_.clauses[clause].only_obstacle > 0;
      table_.clauses[clause].seen = sorted(near ? seen_near_[clause] : seen_[clause]);
    }
    add_pair();
    return std::move(table_);
  }

 private:
  void add(const Asked& asked);
  void count(std::size_t device);
  void add_pair();
  static std::vector<SeenInstead> sorted(const Counts& counts);

  const Fleet& fleet_;
  ClauseTable table_;
  std::vector<Column> columns_;
  std::vector<Counts> seen_;       // by clause
  std::vector<Counts> seen_near_;  // the same for devices with no other obstacle
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> pairs_;
  // The clauses that one device does not meet, and its values there; reused.
  std::vector<std::pair<std::size_t, std::string_view>> obstacles_;
};

void Builder::add(const Asked& asked) {
  const Selector& selector = *asked.selector;
  Column column{.asked = &asked,
                .clauses = cel::clauses_of(selector.program()->checked().ast, selector.source()),
                .kinds = {},
                .instead = {}};
  for (const cel::Clause& clause : column.clauses)
    table_.clauses.push_back({.selector = columns_.size(), .clause = clause});
  for (const AnswerGroup& group : asked.answers->groups()) {
    const auto trace = trace_of(selector, fleet_[group.first]);
    auto& truths = column.kinds.emplace_back(column.clauses.size(), Truth::Error);
    auto& texts = column.instead.emplace_back(column.clauses.size());
    for (std::size_t i = 0; i < truths.size(); ++i) {
      if (!trace) texts[i] = group.answer.failure->message;
      if (!trace) continue;
      truths[i] = truth_of(selector, *trace, column.clauses[i]);
      const bool missed = truths[i] == Truth::False || truths[i] == Truth::Error;
      if (missed) texts[i] = instead(selector, *trace, column.clauses[i]);
    }
  }
  seen_.resize(table_.clauses.size());
  seen_near_.resize(table_.clauses.size());
  columns_.push_back(std::move(column));
}

void Builder::count(std::size_t device) {
  obstacles_.clear();
  bool unknown = false;
  std::size_t clause = 0;
  for (const Column& column : columns_) {
    const std::size_t kind = column.asked->answers->group_of(device);
    for (std::size_t i = 0; i < column.clauses.size(); ++i, ++clause) {
      const Truth truth = column.kinds[kind][i];
      ClauseCount& count = table_.clauses[clause];
      count.alone += truth == Truth::True ? 1 : 0;
      unknown |= truth == Truth::Unknown;
      if (truth != Truth::True) obstacles_.emplace_back(clause, column.instead[kind][i]);
      count.after += obstacles_.empty() ? 1 : 0;
    }
  }
  for (const auto& [obstacle, text] : obstacles_)
    if (!text.empty()) ++seen_[obstacle][text];
  if (unknown) return;
  if (obstacles_.size() == 2) ++pairs_[{obstacles_.front().first, obstacles_.back().first}];
  if (obstacles_.size() != 1) return;
  const auto& [obstacle, text] = obstacles_.front();
  ++table_.clauses[obstacle].only_obstacle;
  if (!text.empty()) ++seen_near_[obstacle][text];
}

void Builder::add_pair() {
  if (table_.nearest() || pairs_.empty()) return;
  const auto most =
      std::ranges::max_element(pairs_, {}, [](const auto& entry) { return entry.second; });
  table_.pair = {most->first.first, most->first.second, most->second};
}

std::vector<SeenInstead> Builder::sorted(const Counts& counts) {
  std::vector<SeenInstead> seen;
  for (const auto& [text, devices] : counts)
    seen.push_back({std::string(text), devices});
  std::ranges::stable_sort(seen, std::ranges::greater(), &SeenInstead::devices);
  return seen;
}

}  // namespace

std::optional<cel::Trace> trace_of(const Selector& selector, const Candidate& candidate) {
  DRA_CHECK(selector.program() != nullptr);
  DeviceValue device;
  device.set(candidate.driver, *candidate.device);
  if (!selector.problem_with(device).empty()) return std::nullopt;
  const cel::Value variable = device.value();
  return cel::trace(*selector.program(), {&variable, 1}, {.answer = kMaxSelectorCost});
}

bool reads_variable(const cel::Ast& ast, cel::NodeId node) {
  return ast[node].kind == cel::NodeKind::Ident ||
         std::ranges::any_of(ast[node].args, [&ast](cel::NodeId argument) {
           return reads_variable(ast, argument);
         });
}

Truth truth_of(const Selector& selector, const cel::Trace& trace, const cel::Clause& clause) {
  const cel::Ast& ast = selector.program()->checked().ast;
  const cel::Node& node = ast[clause.node];
  // Constants are not evaluated.
  const bool* constant = std::get_if<bool>(&node.literal);
  if (node.kind == cel::NodeKind::Literal && constant != nullptr)
    return *constant != clause.negated ? Truth::True : Truth::False;
  const auto found = trace.root.values.find(clause.node);
  const bool whole = found == trace.root.values.end() && clause.node == ast.root;
  if (found == trace.root.values.end() && !whole) return Truth::Unknown;
  const cel::Seen& value = whole ? trace.answer : found->second;
  if (value.kind != cel::ValueKind::Bool) return Truth::Error;
  return value.truth != clause.negated ? Truth::True : Truth::False;
}

std::optional<std::size_t> ClauseTable::nearest() const {
  const auto most = std::ranges::max_element(clauses, {}, &ClauseCount::only_obstacle);
  if (most == clauses.end() || most->only_obstacle == 0) return std::nullopt;
  return static_cast<std::size_t>(most - clauses.begin());
}

std::optional<std::size_t> ClauseTable::strictest() const {
  const auto least = std::ranges::min_element(clauses, {}, &ClauseCount::alone);
  if (least == clauses.end() || least->alone == devices) return std::nullopt;
  return static_cast<std::size_t>(least - clauses.begin());
}

std::optional<ClauseTable> clause_table(const Fleet& fleet, std::span<const Asked> selectors) {
  std::size_t kinds = 0;
  for (const Asked& asked : selectors)
    kinds += asked.answers->groups().size();
  if (kinds > kMaxKindsOfDevices) return std::nullopt;
  return Builder(fleet, selectors).build();
}

}  // namespace dra::engine

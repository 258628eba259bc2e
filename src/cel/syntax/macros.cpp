// src/cel/syntax/macros.cpp: one function per macro builds its fold; a table has them by name.

#include "src/cel/syntax/macros.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dra/base/text.h"

namespace dra::cel {
namespace {

constexpr std::string_view kOldAccumulator = "__result__";
constexpr std::string_view kSortByInput = "@__sortBy_input__";

Issue issue_at(const Node& node, std::string_view message) {
  return {node.at, std::string(message)};
}

// Expands one call: the building blocks of all macros.
class Expander {
 public:
  Expander(Tree& tree, const MacroCall& call) : tree_(tree), call_(call), origin_(call.origin) {
    origin_.generated = true;
  }

  std::size_t count() const { return call_.args.size(); }
  NodeId arg(std::size_t i) const { return call_.args[i]; }
  NodeId target() const { return *call_.target; }
  const Node& node(NodeId id) const { return tree_[id]; }

  NodeId truth(bool value) { return tree_.literal(origin_, value); }
  NodeId integer(std::int64_t value) { return tree_.literal(origin_, value); }
  NodeId ident(std::string_view name) { return tree_.add(origin_, NodeKind::Ident, name); }
  NodeId accumulator() { return ident(kAccumulator); }
  NodeId list(std::vector<NodeId> elements = {}) {
    const std::size_t count = elements.size();
    const NodeId id = tree_.add(origin_, NodeKind::List, {}, std::move(elements));
    tree_.change(id).optional.assign(count, false);
    return id;
  }
  NodeId map() { return tree_.add(origin_, NodeKind::Map); }
  NodeId call(std::string_view function, std::vector<NodeId> args) {
    return tree_.call(origin_, function, std::move(args));
  }
  NodeId member_call(std::string_view function, std::vector<NodeId> args) {
    return tree_.member_call(origin_, function, std::move(args));
  }
  // The fold has the text of the call.
  NodeId fold(std::vector<std::string> names, std::vector<NodeId> parts) {
    const NodeId id = tree_.add(origin_, NodeKind::Fold, call_.name, std::move(parts));
    tree_.change(id).names = std::move(names);
    return id;
  }
  NodeId presence(NodeId operand, std::string_view field) {
    const NodeId id = tree_.add(origin_, NodeKind::Select, field, {operand});
    tree_.change(id).presence = true;
    return id;
  }
  // A copy of a tree, which is evaluated a second time. Copies of copies double: once the tree is
  // too large, there are no more copies.
  NodeId copy(NodeId id) {
    if (too_large()) return id;
    Node node = tree_[id];
    node.generated = true;
    std::ranges::fill(node.colons, origin_.at);  // as upstream places copied fields
    for (NodeId& arg : node.args)
      arg = copy(arg);
    const NodeId made = tree_.add(origin_, node.kind);
    tree_.change(made) = std::move(node);
    return made;
  }

  bool too_large() const { return tree_.size() > kMaxNodes; }

 private:
  Tree& tree_;
  const MacroCall& call_;
  Origin origin_;
};

std::optional<Issue> check_variable(const Expander& e, std::size_t i, std::string_view complaint) {
  const Node& variable = e.node(e.arg(i));
  if (variable.kind != NodeKind::Ident) return issue_at(variable, complaint);
  if (variable.name == kAccumulator || variable.name == kOldAccumulator) {
    return issue_at(variable, "iteration variable overwrites accumulator variable");
  }
  return std::nullopt;
}

// The names of a fold with one variable or two.
struct Variables {
  std::vector<std::string> names = {};
  std::size_t count = 1;  // number of the call's arguments for them
  std::optional<Issue> issue = {};
};

Variables one_variable(const Expander& e, std::string_view complaint) {
  Variables out{.issue = check_variable(e, 0, complaint)};
  if (!out.issue) out.names = {e.node(e.arg(0)).name, "", std::string(kAccumulator)};
  return out;
}

Variables two_variables(const Expander& e) {
  constexpr std::string_view complaint = "argument must be a simple name";
  Variables out{.count = 2};
  for (const std::size_t i : {0U, 1U}) {
    const Node& variable = e.node(e.arg(i));
    if (variable.kind != NodeKind::Ident) {
      out.issue = issue_at(variable, complaint);
      return out;
    }
  }
  const std::string& first = e.node(e.arg(0)).name;
  const std::string& second = e.node(e.arg(1)).name;
  if (first == second) {
    out.issue = issue_at(e.node(e.arg(1)), "duplicate variable name: " + first);
  } else if (!(out.issue = check_variable(e, 0, complaint))) {
    out.issue = check_variable(e, 1, complaint);
  }
  out.names = {first, second, std::string(kAccumulator)};
  return out;
}

using Quantifier = NodeId (*)(Expander&, std::vector<std::string> names, NodeId predicate);

NodeId make_all(Expander& e, std::vector<std::string> names, NodeId predicate) {
  const NodeId init = e.truth(true);
  const NodeId condition = e.call(op::kNotStrictlyFalse, {e.accumulator()});
  const NodeId step = e.call(op::kAnd, {e.accumulator(), predicate});
  return e.fold(std::move(names), {e.target(), init, condition, step, e.accumulator()});
}

NodeId make_exists(Expander& e, std::vector<std::string> names, NodeId predicate) {
  const NodeId init = e.truth(false);
  const NodeId condition = e.call(op::kNotStrictlyFalse, {e.call(op::kNot, {e.accumulator()})});
  const NodeId step = e.call(op::kOr, {e.accumulator(), predicate});
  return e.fold(std::move(names), {e.target(), init, condition, step, e.accumulator()});
}

NodeId make_exists_one(Expander& e, std::vector<std::string> names, NodeId predicate) {
  const NodeId init = e.integer(0);
  const NodeId condition = e.truth(true);
  const NodeId more = e.call(op::kAdd, {e.accumulator(), e.integer(1)});
  const NodeId step = e.call(op::kTernary, {predicate, more, e.accumulator()});
  const NodeId result = e.call(op::kEquals, {e.accumulator(), e.integer(1)});
  return e.fold(std::move(names), {e.target(), init, condition, step, result});
}

template <Quantifier kMake>
Expansion quantify(Expander& e) {
  Variables variables = one_variable(e, "argument must be a simple name");
  if (variables.issue) return {0, variables.issue};
  return {kMake(e, std::move(variables.names), e.arg(1))};
}

template <Quantifier kMake>
Expansion quantify_two(Expander& e) {
  Variables variables = two_variables(e);
  if (variables.issue) return {0, variables.issue};
  return {kMake(e, std::move(variables.names), e.arg(2))};
}

// Appends a step to the accumulator for each element; with a filter before the last argument, only
// for elements that pass it.
NodeId collect(Expander& e, Variables variables, NodeId target, NodeId init, NodeId step) {
  const NodeId condition = e.truth(true);
  if (e.count() == variables.count + 2) {
    step = e.call(op::kTernary, {e.arg(variables.count), step, e.accumulator()});
  }
  return e.fold(std::move(variables.names), {target, init, condition, step, e.accumulator()});
}

Expansion map_over(Expander& e, NodeId target) {
  Variables variables = one_variable(e, "argument is not an identifier");
  if (variables.issue) return {0, variables.issue};
  const NodeId init = e.list();
  const NodeId step = e.call(op::kAdd, {e.accumulator(), e.list({e.arg(e.count() - 1)})});
  return {collect(e, std::move(variables), target, init, step)};
}

Expansion expand_map(Expander& e) { return map_over(e, e.target()); }

Expansion expand_filter(Expander& e) {
  Variables variables = one_variable(e, "argument is not an identifier");
  if (variables.issue) return {0, variables.issue};
  const NodeId init = e.list();
  const NodeId condition = e.truth(true);
  const NodeId more = e.call(op::kAdd, {e.accumulator(), e.list({e.arg(0)})});
  const NodeId step = e.call(op::kTernary, {e.arg(1), more, e.accumulator()});
  return {e.fold(std::move(variables.names), {e.target(), init, condition, step, e.accumulator()})};
}

Expansion expand_transform_list(Expander& e) {
  Variables variables = two_variables(e);
  if (variables.issue) return {0, variables.issue};
  const NodeId step = e.call(op::kAdd, {e.accumulator(), e.list({e.arg(e.count() - 1)})});
  return {collect(e, std::move(variables), e.target(), e.list(), step)};
}

constexpr std::string_view kMapInsert = "cel.@mapInsert";

Expansion expand_transform_map(Expander& e) {
  Variables variables = two_variables(e);
  if (variables.issue) return {0, variables.issue};
  const NodeId step =
      e.call(kMapInsert, {e.accumulator(), e.ident(variables.names[0]), e.arg(e.count() - 1)});
  return {collect(e, std::move(variables), e.target(), e.map(), step)};
}

Expansion expand_transform_map_entry(Expander& e) {
  Variables variables = two_variables(e);
  if (variables.issue) return {0, variables.issue};
  const NodeId step = e.call(kMapInsert, {e.accumulator(), e.arg(e.count() - 1)});
  return {collect(e, std::move(variables), e.target(), e.map(), step)};
}

Expansion expand_has(Expander& e) {
  const Node& field = e.node(e.arg(0));
  if (field.kind != NodeKind::Select) {
    return {0, issue_at(field, "invalid argument to has() macro")};
  }
  return {e.presence(field.args[0], std::string(field.name))};
}

// A binding: a fold over an empty list, whose accumulator is the value.
NodeId bind(Expander& e, const std::string& name, NodeId value, NodeId body) {
  return e.fold({std::string(kUnusedVariable), "", name},
                {e.list(), value, e.truth(false), e.ident(name), body});
}

Expansion expand_bind(Expander& e) {
  const Node& variable = e.node(e.arg(0));
  if (variable.kind != NodeKind::Ident) {
    return {0, issue_at(variable, "cel.bind() variable names must be simple identifiers")};
  }
  return {bind(e, std::string(variable.name), e.arg(1), e.arg(2))};
}

NodeId bound_value(Expander& e) {
  const std::string name = e.node(e.arg(0)).name;
  const NodeId value = e.member_call("value", {e.copy(e.target())});
  return bind(e, name, value, e.arg(1));
}

template <bool kFlat>
Expansion expand_optional(Expander& e) {
  const Node& variable = e.node(e.arg(0));
  if (variable.kind != NodeKind::Ident) {
    return {0, issue_at(variable, kFlat ? "optFlatMap() variable name must be a simple identifier"
                                        : "optMap() variable name must be a simple identifier")};
  }
  const NodeId present = e.member_call("hasValue", {e.target()});
  NodeId mapped = bound_value(e);
  if (e.too_large()) {
    return {
        0, Issue{std::nullopt, base::format("its macros expand to more than {} parts", kMaxNodes)}};
  }
  if (!kFlat) mapped = e.call("optional.of", {mapped});
  return {e.call(op::kTernary, {present, mapped, e.call("optional.none", {})})};
}

Expansion expand_sort_by(Expander& e) {
  const NodeKind kind = e.node(e.target()).kind;
  if (kind != NodeKind::List && kind != NodeKind::Select && kind != NodeKind::Ident &&
      kind != NodeKind::Fold && kind != NodeKind::Call) {
    return {0, issue_at(e.node(e.target()),
                        "sortBy can only be applied to a list, identifier, comprehension, call or "
                        "select expression")};
  }
  Expansion keys = map_over(e, e.ident(kSortByInput));
  if (keys.issue) return keys;
  const NodeId sorted = e.member_call("@sortByAssociatedKeys", {e.ident(kSortByInput), keys.node});
  return {bind(e, std::string(kSortByInput), e.target(), sorted)};
}

enum class Since { Always, TwoVariables, SortBy };

struct Row {
  std::string_view name;
  std::size_t args;
  bool member;
  Since since;
  Expansion (*expand)(Expander&);
};

constexpr std::array<Row, 21> kRows{{
    {"all", 2, true, Since::Always, quantify<make_all>},
    {"all", 3, true, Since::TwoVariables, quantify_two<make_all>},
    {"bind", 3, true, Since::Always, expand_bind},
    {"exists", 2, true, Since::Always, quantify<make_exists>},
    {"exists", 3, true, Since::TwoVariables, quantify_two<make_exists>},
    {"existsOne", 3, true, Since::TwoVariables, quantify_two<make_exists_one>},
    {"exists_one", 2, true, Since::Always, quantify<make_exists_one>},
    {"exists_one", 3, true, Since::TwoVariables, quantify_two<make_exists_one>},
    {"filter", 2, true, Since::Always, expand_filter},
    {"has", 1, false, Since::Always, expand_has},
    {"map", 2, true, Since::Always, expand_map},
    {"map", 3, true, Since::Always, expand_map},
    {"optFlatMap", 2, true, Since::Always, expand_optional<true>},
    {"optMap", 2, true, Since::Always, expand_optional<false>},
    {"sortBy", 2, true, Since::SortBy, expand_sort_by},
    {"transformList", 3, true, Since::TwoVariables, expand_transform_list},
    {"transformList", 4, true, Since::TwoVariables, expand_transform_list},
    {"transformMap", 3, true, Since::TwoVariables, expand_transform_map},
    {"transformMap", 4, true, Since::TwoVariables, expand_transform_map},
    {"transformMapEntry", 3, true, Since::TwoVariables, expand_transform_map_entry},
    {"transformMapEntry", 4, true, Since::TwoVariables, expand_transform_map_entry},
}};

bool served(const Macros& macros, Since since) {
  switch (since) {
    case Since::Always:
      return true;
    case Since::TwoVariables:
      return macros.two_variables;
    case Since::SortBy:
      return macros.sort_by;
  }
  return false;
}

bool is_call_of(const Row& row, const MacroCall& call, const Macros& macros) {
  return row.name == call.name && row.args == call.args.size() &&
         row.member == call.target.has_value() && served(macros, row.since);
}

}  // namespace

std::optional<Expansion> expand(Tree& tree, const Macros& macros, const MacroCall& call) {
  const Row* found = nullptr;
  for (const Row& row : kRows) {
    if (is_call_of(row, call, macros)) found = &row;
  }
  if (found == nullptr) return std::nullopt;
  // Only cel.bind() is a macro: x.bind(a, b, c) is an ordinary call.
  if (found->name == "bind") {
    const Node& space = tree[*call.target];
    if (space.kind != NodeKind::Ident || space.name != "cel") return std::nullopt;
  }
  Expander expander(tree, call);
  return found->expand(expander);
}

}  // namespace dra::cel

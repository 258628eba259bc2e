// src/cel/check/estimate.cpp: walks the tree and adds up ranges of costs. The functions' own costs
// are in estimate_calls.cpp. Upstream: cel-go checker/cost.go.
//
// The estimate of a node is a range from its least to its greatest cost. It consists of the
// estimates of its parts, of a fixed cost for the step itself, and, for a call, of a cost that
// depends on the sizes of its arguments. So the walk computes two things of each node: its cost,
// which it returns, and the size of its value, which it keeps by node (NodeFacts).
//
// The size of a value comes from the first of these that knows it (size()):
//  * what an earlier step noted, such as the size of a call's result;
//  * the text of the expression, for literals of lists, maps and strings;
//  * the table of declared sizes (SizeRow), by the node's path from a variable;
//  * its type: numbers and the like have size 1;
//  * a variable of a fold, which takes its size from the range of the fold.
// Otherwise the size is unbounded, and so may the cost become: an expression whose input has no
// bound is too expensive to be stored.
//
// A path begins at a variable and continues with fields and "@items", "@indices", "@keys" or
// "@values", where the expression goes into a list or map. Variables of folds get the path of their
// range with one such step.
//
// && and || cost their left side at least, and both sides at most. A conditional costs its
// condition and one of its branches. A call with several possible overloads costs the least of them
// at least, and the greatest at most. A fold costs its range, its initial value and its result
// once, and its step and condition as often as its range has elements. cel.bind() is a fold over an
// empty list, so its value counts once.
//
// An estimate must equal upstream's, also where that is too low or too high: the API server decides
// by it. So the parts are estimated in upstream's order, the arguments of a call before its
// receiver, because the estimate of a node notes sizes and paths that later nodes use, and because
// of the aliasing that AccessPath describes.
//
// Left out is what upstream offers and the API server does not use here: estimators of sizes as
// code (SizeRow is a table), and estimators of calls as options (estimate_calls.cpp has those that
// Kubernetes sets). tests/differential/cel compares the estimates of generated expressions with
// upstream's.

#include "dra/cel/check/estimate.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "dra/cel/library/cost.h"
#include "dra/cel/library/declarations.h"
#include "dra/cel/syntax/utf8.h"
#include "src/cel/check/estimate_calls.h"

namespace dra::cel {
namespace {

constexpr Estimate exact_cost(std::uint64_t value) { return {value, value}; }

// A path from a variable into it. Upstream's is a Go slice: two paths that extend the same one may
// share memory, and then the later step replaces the earlier one. Estimates depend on that: in
// `device.attributes["d"].all(k, v, ...)` k gets the size of v.
struct AccessPath {
  std::string_view* steps = nullptr;
  std::size_t size = 0;
  std::size_t capacity = 0;

  Path span() const { return {steps, size}; }
};

class AccessPaths {
 public:
  AccessPath extend(const AccessPath& from, std::string_view step) {
    AccessPath longer = from;
    if (from.size == from.capacity) {
      longer.capacity = std::max<std::size_t>(1, 2 * from.capacity);
      longer.steps = memory_.emplace_back(longer.capacity).data();
      std::copy_n(from.steps, from.size, longer.steps);
    }
    longer.steps[longer.size++] = step;
    return longer;
  }

 private:
  std::deque<std::vector<std::string_view>> memory_;
};

// The sizes of the keys and values of a list or map.
struct Entries {
  bool in_list = false;
  Estimate key = {};
  Estimate value = {};
};
std::optional<Entries> either(const std::optional<Entries>& a, const std::optional<Entries>& b) {
  if (!a || !b) return std::nullopt;
  return Entries{a->in_list, either(a->key, b->key), either(a->value, b->value)};
}

// A variable of a fold.
struct SizedLocal {
  std::string_view name;
  AccessPath path = {};
  std::optional<Estimate> size = {};
  std::optional<Entries> entries = {};
};

// What is known about a node's value.
struct NodeFacts {
  AccessPath path = {};
  std::optional<Estimate> size = {};
  std::optional<Entries> entries = {};
};

bool is_scalar(const Type& type) {
  switch (type.kind) {
    case TypeKind::Bool:
    case TypeKind::Double:
    case TypeKind::Duration:
    case TypeKind::Int:
    case TypeKind::Timestamp:
    case TypeKind::Uint:
      return true;
    default:
      return is_optional(type) && is_scalar(*type.params[0]);
  }
}

// The size that the text of a node shows.
std::optional<Estimate> written_size(const Node& node) {
  if (node.kind == NodeKind::List) return exact_cost(node.args.size());
  if (node.kind == NodeKind::Map) return exact_cost(node.args.size() / 2);
  if (node.kind != NodeKind::Literal) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&node.literal))
    return exact_cost(count_runes(*text));
  if (const auto* bytes = std::get_if<Bytes>(&node.literal))
    return exact_cost(bytes->octets.size());
  return exact_cost(1);
}

class Estimator {
 public:
  Estimator(const Checked& checked, std::span<const SizeRow> sizes)
      : checked_(checked), ast_(checked.ast), sizes_(sizes), known_(ast_.nodes.size()) {}

  Estimate cost(NodeId id) {
    const Node& node = ast_[id];
    switch (node.kind) {
      case NodeKind::Literal:
      case NodeKind::Error:
        return {};
      case NodeKind::Ident:
        return ident(id);
      case NodeKind::Select:
        return select(id);
      case NodeKind::Call:
        return call(id);
      case NodeKind::List:
        return list(id);
      case NodeKind::Map:
        return map(id);
      case NodeKind::Message:
        return sum(all(node.args), exact_cost(kMessageCost));
      case NodeKind::Fold:
        return is_bind(node) ? bind(id) : fold(id);
    }
    return {};
  }

 private:
  const Type& type_of(NodeId id) const { return *checked_.types[id]; }

  Estimate all(std::span<const NodeId> nodes) {
    Estimate total;
    for (const NodeId node : nodes)
      total = sum(total, cost(node));
    return total;
  }

  // --- what is known of nodes

  const SizedLocal* local(NodeId id) const {
    if (ast_[id].kind != NodeKind::Ident) return nullptr;
    const auto found = std::find_if(locals_.rbegin(), locals_.rend(), [&](const SizedLocal& one) {
      return one.name == ast_[id].name;
    });
    return found != locals_.rend() ? &*found : nullptr;
  }

  AccessPath path(NodeId id) const {
    const SizedLocal* variable = local(id);
    return variable != nullptr ? variable->path : known_[id].path;
  }

  std::optional<Estimate> size(NodeId id) {
    if (known_[id].size) return known_[id].size;
    if (const auto written = written_size(ast_[id])) return written;
    if (const auto declared = size_at(path(id).span(), sizes_)) {
      known_[id].size = declared;
      return declared;
    }
    if (is_scalar(type_of(id))) return exact_cost(1);
    const SizedLocal* variable = local(id);
    return variable != nullptr ? variable->size : std::nullopt;
  }
  Estimate size_or_unknown(NodeId id) { return size(id).value_or(kUnknownSize); }
  void set_size(NodeId id, const std::optional<Estimate>& size) {
    if (size) known_[id].size = size;
  }

  std::optional<Entries> entries(NodeId id) const {
    if (known_[id].entries) return known_[id].entries;
    const SizedLocal* variable = local(id);
    return variable != nullptr ? variable->entries : std::nullopt;
  }
  void set_entries(NodeId id, const std::optional<Entries>& entries) {
    if (entries) known_[id].entries = entries;
  }

  void copy_known(NodeId to, NodeId from) {
    set_size(to, size(from));
    set_entries(to, entries(from));
  }

  Operand operand(NodeId id) { return {&ast_[id], &type_of(id), size(id), path(id).span()}; }

  // --- names, fields, literals

  Estimate ident(NodeId id) {
    const SizedLocal* variable = local(id);
    known_[id].path = variable != nullptr ? variable->path : paths_.extend({}, ast_[id].name);
    return exact_cost(kStepCost);
  }

  Estimate select(NodeId id) {
    const Node& node = ast_[id];
    const Estimate base = cost(node.args[0]);
    if (node.presence) return base;  // has() itself is free
    const TypeKind kind = type_of(node.args[0]).kind;
    const bool charged =
        kind == TypeKind::Map || kind == TypeKind::Struct || kind == TypeKind::Param;
    known_[id].path = paths_.extend(path(node.args[0]), node.name);
    return charged ? sum(base, exact_cost(kStepCost)) : base;
  }

  // The range of sizes of every `step`-th node from `first` on.
  Estimate sizes_of(std::span<const NodeId> nodes, std::size_t first, std::size_t step) {
    if (nodes.empty()) return {};
    Estimate range{kUnbounded, 0};
    for (std::size_t i = first; i < nodes.size(); i += step)
      range = either(range, size_or_unknown(nodes[i]));
    return range;
  }

  Estimate list(NodeId id) {
    const Node& node = ast_[id];
    const Estimate parts = all(node.args);
    set_entries(id, Entries{true, exact_cost(1), sizes_of(node.args, 0, 1)});
    return sum(parts, exact_cost(kListCost));
  }

  Estimate map(NodeId id) {
    const Node& node = ast_[id];
    const Estimate parts = all(node.args);
    set_entries(id, Entries{false, sizes_of(node.args, 0, 2), sizes_of(node.args, 1, 2)});
    return sum(parts, exact_cost(kMapCost));
  }

  // --- calls

  Estimate call(NodeId id) {
    const Node& node = ast_[id];
    if (node.name == "dyn") {
      const Estimate content = cost(node.args[0]);
      copy_known(id, node.args[0]);
      return sum(exact_cost(kStepCost), content);
    }
    const std::span<const NodeId> nodes = std::span(node.args).subspan(node.member ? 1 : 0);
    std::vector<Operand> args;
    std::vector<Estimate> costs;
    for (const NodeId arg : nodes) {
      costs.push_back(cost(arg));
      args.push_back(operand(arg));
    }
    const Estimate target_cost = node.member ? cost(node.args[0]) : Estimate();
    const Operand target = node.member ? operand(node.args[0]) : Operand();
    const EstimatedCall form{node.name, {}, node.member ? &target : nullptr, args, sizes_};
    return sum(target_cost, any_overload(id, form, costs));
  }

  // The range over all possible overloads.
  Estimate any_overload(NodeId id, EstimatedCall form, std::span<const Estimate> costs) {
    Estimate range{kUnbounded, 0};
    std::optional<Estimate> result;
    for (const std::uint16_t number : checked_.references[id].overloads) {
      form.overload = overload_at(number).row->id;
      const CallEstimate one = overload(id, form, costs);
      range = either(range, one.cost);
      if (one.result_size) result = result ? either(*result, *one.result_size) : one.result_size;
      const bool list = form.overload == "index_list";
      if (list || form.overload == "index_map") {
        const NodeId container = ast_[id].args[0];
        const auto contents = entries(container);
        result = contents ? std::optional(contents->value) : std::nullopt;
        known_[id].path = paths_.extend(path(container), list ? "@items" : "@values");
      }
      if (!result) result = size(id);
    }
    set_size(id, result);
    return range;
  }

  CallEstimate overload(NodeId id, const EstimatedCall& form, std::span<const Estimate> costs) {
    const std::vector<NodeId>& args = ast_[id].args;
    if (form.function == op::kAnd || form.function == op::kOr) {
      return {{costs[0].min, sum(costs[0], costs[1]).max}};
    }
    if (form.function == op::kTernary) {
      set_entries(id, either(entries(args[1]), entries(args[2])));
      return {sum(costs[0], either(costs[1], costs[2])),
              either(form.args[1].size(), form.args[2].size())};
    }
    if (form.function == op::kAdd && args.size() == 2 && adds_up(form.overload)) {
      set_entries(id, either(entries(args[0]), entries(args[1])));
    }
    CallEstimate estimate = estimate_call(form);
    for (const Estimate& arg : costs)
      estimate.cost = sum(estimate.cost, arg);
    return estimate;
  }

  static bool adds_up(std::string_view overload) {
    return overload == "add_list" || overload == "add_string" || overload == "add_bytes";
  }

  // --- folds

  bool is_bind(const Node& fold) const {
    const Node& range = ast_[fold.args[FoldRange]];
    const Node& condition = ast_[fold.args[FoldCondition]];
    const bool never = condition.kind == NodeKind::Literal && condition.literal == Literal(false);
    return range.kind == NodeKind::List && range.args.empty() && never &&
           fold.names[2] != "__result__";
  }

  void push_accumulator(const Node& fold) {
    const NodeId init = fold.args[FoldInit];
    locals_.push_back({fold.names[2], path(init), size(init), entries(init)});
  }

  // Adds a variable that iterates over the keys or the values of the range. The only variable of a
  // fold iterates over the values of lists and the keys of maps.
  void push_variable(const Node& fold, std::string_view name, bool keys) {
    const NodeId range = fold.args[FoldRange];
    const auto contents = entries(range);
    const bool in_list = contents ? contents->in_list : type_of(range).kind == TypeKind::List;
    const bool only = fold.names[1].empty();
    if (only) keys = !in_list;
    std::optional<Estimate> size;
    if (contents) size = keys ? contents->key : contents->value;
    const std::string_view step =
        keys ? (in_list ? "@indices" : "@keys") : (in_list ? "@items" : "@values");
    locals_.push_back({name, paths_.extend(path(range), step), size});
  }

  // The value is computed on demand, but may be; the empty range costs as a list.
  Estimate bind(NodeId id) {
    const Node& node = ast_[id];
    Estimate total = cost(node.args[FoldRange]);
    total = sum(total, cost(node.args[FoldInit]));
    push_accumulator(node);
    total = sum(total, cost(node.args[FoldResult]));
    locals_.pop_back();
    copy_known(id, node.args[FoldResult]);
    return total;
  }

  Estimate fold(NodeId id) {
    const Node& node = ast_[id];
    const NodeId init = node.args[FoldInit];
    Estimate total = cost(node.args[FoldRange]);
    total = sum(total, cost(init));
    const std::size_t outside = locals_.size();
    push_accumulator(node);
    push_variable(node, node.names[0], true);
    if (!node.names[1].empty()) push_variable(node, node.names[1], false);
    const Estimate condition = cost(node.args[FoldCondition]);
    const Estimate turn = sum(cost(node.args[FoldStep]), condition);
    locals_.resize(outside + 1);
    total = sum(total, cost(node.args[FoldResult]));
    locals_.resize(outside);
    const Estimate count = size_or_unknown(node.args[FoldRange]);
    if (ast_[init].kind == NodeKind::Literal) set_size(id, size(init));
    if (ast_[init].kind == NodeKind::List || ast_[init].kind == NodeKind::Map) {
      set_size(id, count);
      set_entries(id, entries(node.args[FoldStep]));
    }
    return sum(total, product(count, turn));
  }

  const Checked& checked_;
  const Ast& ast_;
  std::span<const SizeRow> sizes_;
  AccessPaths paths_;
  std::vector<NodeFacts> known_;  // by node
  std::vector<SizedLocal> locals_;
};

}  // namespace

Estimate estimate_cost(const Checked& checked, std::span<const SizeRow> sizes) {
  return Estimator(checked, sizes).cost(checked.ast.root);
}

}  // namespace dra::cel

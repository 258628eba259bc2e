// src/cel/hints/leaf.cpp: turns one node into a leaf: name, sides, and the fact that is true
// instead.

#include "src/cel/hints/leaf.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "dra/base/text.h"
#include "dra/cel/syntax/fold_shape.h"

namespace dra::cel {
namespace {

// --- operators

struct Operator {
  std::string_view function;
  std::string_view text;
  std::string_view contrary = {};  // for a comparison: the opposite operator
  // For a comparison: the orders of left and right for which it is true.
  bool less = false;
  bool same = false;
  bool greater = false;
};

constexpr std::array<Operator, 14> kOperators{{{op::kEquals, "==", "!=", false, true, false},
                                               {op::kNotEquals, "!=", "==", true, false, true},
                                               {op::kLess, "<", ">=", true, false, false},
                                               {op::kLessEquals, "<=", ">", true, true, false},
                                               {op::kGreater, ">", "<=", false, false, true},
                                               {op::kGreaterEquals, ">=", "<", false, true, true},
                                               {op::kIn, "in"},
                                               {op::kAdd, "+"},
                                               {op::kSubtract, "-"},
                                               {op::kMultiply, "*"},
                                               {op::kDivide, "/"},
                                               {op::kModulo, "%"},
                                               {op::kAnd, "&&"},
                                               {op::kOr, "||"}}};

const Operator* operator_of(const Node& node) {
  if (node.kind != NodeKind::Call) return nullptr;
  const auto* found = std::ranges::find(kOperators, node.name, &Operator::function);
  return found == kOperators.end() ? nullptr : found;
}
bool compares(const Operator* one) { return one != nullptr && !one->contrary.empty(); }

const Operator* comparison_with(bool less, bool same, bool greater) {
  const auto* found = std::ranges::find_if(kOperators, [=](const Operator& one) {
    return compares(&one) && one.less == less && one.same == same && one.greater == greater;
  });
  return found == kOperators.end() ? nullptr : found;
}

// True if `number OP constant` is true.
bool holds(const Operator& comparison, std::int64_t number, std::int64_t constant) {
  if (number < constant) return comparison.less;
  return number == constant ? comparison.same : comparison.greater;
}

// A comparison of two values in any notation.
struct Comparison {
  const Operator* by = nullptr;
  NodeId left = 0;
  NodeId right = 0;
};

// Recognises left.compareTo(right) >= 0, or any other number that separates orders.
std::optional<Comparison> by_order(const Ast& ast, const Node& node) {
  const Operator* outer = operator_of(node);
  if (!compares(outer)) return std::nullopt;
  for (const bool swapped : {false, true}) {
    const Node& call = ast[node.args[swapped ? 1 : 0]];
    const Node& other = ast[node.args[swapped ? 0 : 1]];
    const auto* number = std::get_if<std::int64_t>(&other.literal);
    const bool orders = call.kind == NodeKind::Call && call.member && call.name == "compareTo" &&
                        call.args.size() == 2;
    if (!orders || other.kind != NodeKind::Literal || number == nullptr) continue;
    const auto when = [&](std::int64_t order) {
      return swapped ? holds(*outer, *number, order) : holds(*outer, order, *number);
    };
    if (const Operator* by = comparison_with(when(-1), when(0), when(1))) {
      return Comparison{by, call.args[0], call.args[1]};
    }
  }
  return std::nullopt;
}

std::optional<Comparison> comparison_of(const Ast& ast, const Node& node) {
  if (const auto ordered = by_order(ast, node)) return ordered;
  const Operator* by = operator_of(node);
  if (node.kind == NodeKind::Call && node.member && node.args.size() == 2) {
    if (node.name == "isGreaterThan") by = comparison_with(false, false, true);
    if (node.name == "isLessThan") by = comparison_with(true, false, false);
  }
  if (!compares(by)) return std::nullopt;
  return Comparison{by, node.args[0], node.args[1]};
}

// --- parts of a leaf

class Maker {
 public:
  Maker(const Ast& ast, const OneLine& line, const View& view)
      : ast_(ast), line_(line), view_(view) {}

  Leaf make(NodeId id, bool wanted) const {
    const Node& node = ast_[id];
    Leaf leaf{.node = id, .span = node.span, .text = text_of(id), .wanted = wanted};
    leaf.value = *view_.value(id);
    const auto comparison = comparison_of(ast_, node);
    if (comparison) {
      leaf.name = comparison->by->text;
      leaf.sides = {side(comparison->left), side(comparison->right)};
    } else {
      leaf.name = name_of(node);
      if (node.kind == NodeKind::Call && !leaf.name.empty()) {
        for (const NodeId arg : node.args)
          leaf.sides.push_back(side(arg));
      } else if (node.kind == NodeKind::Select && node.presence) {
        leaf.sides = {side(node.args[0])};
      }
    }
    if (leaf.value.is_error()) {
      const NodeId cause = cause_of(id);
      leaf.cause = ast_[cause].span;
      leaf.fact = error_text(cause);
    } else if (leaf.value.kind != ValueKind::Bool) {
      leaf.fact =
          base::format("{} is of type {}, not bool", shown(leaf.value), leaf.value.type_name);
    } else {
      leaf.fact = comparison ? comparison_text(leaf, *comparison->by) : truth_text(leaf, node);
    }
    return leaf;
  }

 private:
  std::string text_of(NodeId id) const { return line_.text(ast_[id].span); }

  static std::string shown(const Seen& value) {
    return value.readable.empty() ? value.text
                                  : base::format("{} ({})", value.text, value.readable);
  }

  Side side(NodeId id) const {
    Side out{.node = id, .text = text_of(id)};
    const Seen* value = view_.value(id);
    out.known = value != nullptr;
    if (value != nullptr) out.value = *value;
    if (value == nullptr) out.value.text = out.text;
    return out;
  }

  // Paths and conditionals are plain values without a name.
  static std::string name_of(const Node& node) {
    if (node.kind == NodeKind::Fold) return node.name;
    if (node.kind == NodeKind::Select && node.presence) return "has";
    if (node.kind != NodeKind::Call) return {};
    if (const Operator* one = operator_of(node)) return std::string(one->text);
    constexpr std::array<std::string_view, 6> nameless{op::kIndex,   op::kOptIndex, op::kOptSelect,
                                                       op::kTernary, op::kNot,      op::kNegate};
    return std::ranges::count(nameless, node.name) > 0 ? std::string() : node.name;
  }

  // --- what is true

  static std::string comparison_text(const Leaf& leaf, const Operator& by) {
    const std::string left = shown(leaf.sides[0].value);
    const std::string right = shown(leaf.sides[1].value);
    if (leaf.value.truth) return base::format("{} {} {}", left, by.text, right);
    // NaN has no order, so no other comparison is true.
    if (left == "NaN" || right == "NaN") {
      return base::format("{} {} {} is false", left, by.text, right);
    }
    return base::format("{} {} {}", left, by.contrary, right);
  }

  std::string truth_text(const Leaf& leaf, const Node& node) const {
    const bool truth = leaf.value.truth;
    if (node.kind == NodeKind::Select && node.presence) {
      return base::format("{} is {}", node.name, truth ? "there" : "missing");
    }
    if (node.kind == NodeKind::Fold) return fold_text(leaf);
    if (leaf.name == "in") {
      return base::format("{} is {} {}", shown(leaf.sides[0].value), truth ? "in" : "not in",
                          shown(leaf.sides[1].value));
    }
    if (node.kind != NodeKind::Call || leaf.name.empty()) return leaf.value.text;
    std::vector<std::string> args;
    for (const Side& one : leaf.sides)
      args.push_back(shown(one.value));
    std::string receiver;
    if (node.member) {
      receiver = args.front() + ".";
      args.erase(args.begin());
    }
    return base::format("{}{}({}) is {}", receiver, node.name, base::join(args, ", "),
                        leaf.value.text);
  }

  std::string fold_text(const Leaf& leaf) const {
    const SeenFold* fold = view_.fold(leaf.node);
    if (fold == nullptr) return leaf.value.text;
    if (fold->size == 0) return "there are no elements";
    const bool negative = leaf.name == "all" && !leaf.value.truth;
    const std::size_t count = negative ? fold->falses : fold->truths;
    const std::string least = fold->elements() < fold->size ? "at least " : "";
    const std::string what = negative ? "false" : "true";
    if (count == fold->size) return base::format("{} for all {}", what, count);
    if (count == 0) return base::format("{} for none of {}", what, fold->size);
    return base::format("{} for {}{} of {}", what, least, count, fold->size);
  }

  // --- what failed

  // The part that failed.
  NodeId cause_of(NodeId id) const {
    const std::string& message = view_.value(id)->text;
    const Node& node = ast_[id];
    const std::size_t parts = node.kind == NodeKind::Fold ? 1 : node.args.size();
    for (std::size_t i = 0; i < parts; ++i) {
      const Seen* part = view_.value(node.args[i]);
      if (part != nullptr && part->is_error() && part->text == message) {
        return cause_of(node.args[i]);
      }
    }
    return id;
  }

  // Upstream often only says that there is no such overload.
  std::string error_text(NodeId cause) const {
    const std::string& message = view_.value(cause)->text;
    const auto comparison = comparison_of(ast_, ast_[cause]);
    const Operator* one = comparison ? comparison->by : operator_of(ast_[cause]);
    if (message != kNoSuchOverload || one == nullptr) return message;
    const NodeId left_node = comparison ? comparison->left : ast_[cause].args[0];
    const NodeId right_node = comparison ? comparison->right : ast_[cause].args[1];
    const Seen* left = view_.value(left_node);
    const Seen* right = view_.value(right_node);
    if (left == nullptr || right == nullptr) return message;
    return base::format("{}: {} {} {}", message, left->type_name, one->text, right->type_name);
  }

  const Ast& ast_;
  const OneLine& line_;
  const View& view_;
};

}  // namespace

Leaf make_leaf(const Ast& ast, const OneLine& line, const View& view, NodeId node, bool wanted) {
  return Maker(ast, line, view).make(node, wanted);
}

}  // namespace dra::cel

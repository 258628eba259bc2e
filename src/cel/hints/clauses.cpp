// src/cel/hints/clauses.cpp: descends through &&, negated || and bindings, and prints what is below
// as clauses, with short bound values in place of their names.

#include "dra/cel/hints/clauses.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "dra/base/text.h"
#include "dra/cel/syntax/one_line.h"

namespace dra::cel {
namespace {

// Longer texts make a clause harder to read when they replace a name.
constexpr std::size_t kLongestReplacement = 60;

bool is_bind(const Node& node) { return node.kind == NodeKind::Fold && node.name == "bind"; }

// A name, constant steps from it, or a literal: readable in place of a name.
bool is_path(const Ast& ast, NodeId id) {
  const Node& node = ast[id];
  if (node.kind == NodeKind::Literal || node.kind == NodeKind::Ident) return true;
  if (node.kind == NodeKind::Select) return !node.presence && is_path(ast, node.args[0]);
  constexpr std::array<std::string_view, 3> steps{op::kIndex, op::kOptIndex, op::kOptSelect};
  const bool step = node.kind == NodeKind::Call && std::ranges::count(steps, node.name) > 0;
  return step && ast[node.args[1]].kind == NodeKind::Literal && is_path(ast, node.args[0]);
}

class Splitter {
 public:
  Splitter(const Ast& ast, const Source& source) : ast_(ast), line_(source) {}

  std::vector<Clause> run() {
    split(ast_.root, false);
    return std::move(clauses_);
  }

 private:
  // A bound name that is visible in the current part.
  struct Name {
    Binding binding;
    bool replaced = false;  // its value replaces it in texts
  };
  // What bound names mean for the text of a part.
  struct Names {
    std::vector<Replacement> replacements = {};
    std::vector<std::size_t> kept = {};  // indices in names_
  };

  void split(NodeId id, bool negated) {
    const Node& node = ast_[id];
    if (is_bind(node)) {
      names_.push_back(name_of(node));
      split(node.args[FoldResult], negated);
      names_.pop_back();
    } else if (node.kind == NodeKind::Call && node.name == (negated ? op::kOr : op::kAnd)) {
      for (const NodeId term : node.args)
        split(term, negated);
    } else if (node.kind == NodeKind::Call && node.name == op::kNot && opens(node.args[0])) {
      split(node.args[0], !negated);
    } else {
      add(id, negated);
    }
  }

  // True if the negated part is several clauses, or a negation itself.
  bool opens(NodeId id) const {
    const Node& node = ast_[id];
    if (is_bind(node)) return opens(node.args[FoldResult]);
    return node.kind == NodeKind::Call &&
           (node.name == op::kAnd || node.name == op::kOr || node.name == op::kNot);
  }

  void add(NodeId id, bool negated) {
    Names names = names_in(id);
    Clause clause{.node = id, .negated = negated, .span = ast_[id].span};
    clause.text = line_.text(clause.span, names.replacements);
    if (negated) clause.text = "!(" + clause.text + ")";
    for (const std::size_t i : names.kept)
      clause.where.push_back(names_[i].binding);
    clauses_.push_back(std::move(clause));
  }

  Name name_of(const Node& bind) {
    const NodeId init = bind.args[FoldInit];
    const Names names = names_in(init);
    Name out{.binding = {bind.names[2], line_.text(ast_[init].span, names.replacements), init}};
    out.replaced = names.kept.empty() && is_path(ast_, init) &&
                   out.binding.text.size() <= kLongestReplacement &&
                   !is_hidden(bind.args[FoldResult], init);
    return out;
  }

  // --- names

  Names names_in(NodeId id) {
    Names out;
    std::vector<std::string_view> hidden;
    find_names(id, hidden, out);
    std::ranges::sort(out.replacements, {}, &Replacement::at);
    std::ranges::sort(out.kept);
    out.kept.erase(std::unique(out.kept.begin(), out.kept.end()), out.kept.end());
    return out;
  }

  void find_names(NodeId id, std::vector<std::string_view>& hidden, Names& out) {
    const Node& node = ast_[id];
    if (node.kind == NodeKind::Ident && !node.generated) find_name(node, hidden, out);
    const std::size_t outside = hidden.size();
    for (std::size_t i = 0; i < node.args.size(); ++i) {
      hidden.resize(outside);
      if (node.kind == NodeKind::Fold && i == FoldResult) {
        hidden.push_back(node.names[2]);
      } else if (node.kind == NodeKind::Fold && i >= FoldCondition) {
        hidden.insert(hidden.end(), node.names.begin(), node.names.end());
      }
      find_names(node.args[i], hidden, out);
    }
    hidden.resize(outside);
  }

  void find_name(const Node& ident, const std::vector<std::string_view>& hidden, Names& out) const {
    if (std::ranges::count(hidden, ident.name) > 0) return;
    for (std::size_t i = names_.size(); i-- > 0;) {
      if (names_[i].binding.name != ident.name) continue;
      if (names_[i].replaced) {
        out.replacements.push_back({ident.at, names_[i].binding.text});
      } else {
        out.kept.push_back(i);
      }
      return;
    }
  }

  // True if a name in `value` means something else somewhere in `body`, so that the text of the
  // value would mislead there.
  bool is_hidden(NodeId body, NodeId value) const {
    const Node& node = ast_[body];
    const auto named = [this, value](const std::string& name) { return mentions(value, name); };
    if (node.kind == NodeKind::Fold && std::ranges::any_of(node.names, named)) return true;
    return std::ranges::any_of(node.args,
                               [this, value](NodeId arg) { return is_hidden(arg, value); });
  }
  bool mentions(NodeId id, const std::string& name) const {
    const Node& node = ast_[id];
    if (node.kind == NodeKind::Ident) return node.name == name;
    return std::ranges::any_of(node.args, [&](NodeId arg) { return mentions(arg, name); });
  }

  const Ast& ast_;
  OneLine line_;
  std::vector<Name> names_;
  std::vector<Clause> clauses_;
};

}  // namespace

std::vector<Clause> clauses_of(const Ast& ast, const Source& source) {
  return Splitter(ast, source).run();
}

}  // namespace dra::cel

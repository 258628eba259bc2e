// src/engine/selectors/presence_guards.cpp: a look-up that fails for some devices gets a guard
// before its condition, or a default in its place; both are only proposals, which evaluating them
// confirms. Also drops_of(), which removes a condition with its &&.

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "dra/base/text.h"
#include "dra/engine/selectors/shape_changes.h"
#include "src/engine/selectors/literal_text.h"

namespace dra::engine {
namespace {

using cel::ChangeKind;
using cel::NodeId;
using cel::NodeKind;

// By clause: the look-ups that fail for some devices.
using Missing = std::map<std::size_t, std::set<NodeId>>;

class Guarder {
 public:
  Guarder(const Selector& selector, std::span<const cel::Clause> clauses, const KnownNames& known)
      : ast_(selector.program()->checked().ast),
        source_(selector.source()),
        clauses_(clauses),
        known_(known) {}

  void look_at(const cel::Trace& trace) {
    for (std::size_t i = 0; i < clauses_.size(); ++i)
      find(i, clauses_[i].node, trace);
  }

  std::vector<Step> steps() {
    // A name that no device has needs a correction, not a guard.
    for (auto& [clause, nodes] : missing_)
      std::erase_if(nodes, [this](NodeId id) { return !there_.contains(id); });
    std::erase_if(missing_, [](const auto& entry) { return entry.second.empty(); });
    if (missing_.empty()) return {};
    add(driver_guard());
    add(name_guard());
    add(value_instead());
    return std::move(steps_);
  }

 private:
  void find(std::size_t clause, NodeId id, const cel::Trace& trace) {
    if (is_missing(id, trace)) missing_[clause].insert(id);
    const auto value = trace.root.values.find(id);
    if (value != trace.root.values.end() && !value->second.is_error()) there_.insert(id);
    for (const NodeId arg : ast_[id].args)
      find(clause, arg, trace);
  }

  bool is_index(const cel::Node& node) const {
    return node.kind == NodeKind::Call && node.name == cel::op::kIndex &&
           ast_[node.args[1]].kind == NodeKind::Literal;
  }

  // A look-up in the device that itself fails, not one of its parts.
  bool is_missing(NodeId id, const cel::Trace& trace) const {
    const cel::Node& node = ast_[id];
    const bool select = node.kind == NodeKind::Select && !node.presence && !node.generated;
    if (!select && !is_index(node)) return false;
    const auto value = trace.root.values.find(id);
    const auto base = trace.root.values.find(node.args[0]);
    return value != trace.root.values.end() && value->second.is_error() &&
           value->second.text.starts_with("no such key") && base != trace.root.values.end() &&
           !base->second.is_error() && only_device(node.args[0]);
  }

  bool only_device(NodeId id) const {
    const cel::Node& node = ast_[id];
    if (node.kind == NodeKind::Ident) return node.name == "device";
    return node.kind != NodeKind::Fold &&
           std::ranges::all_of(node.args, [this](NodeId arg) { return only_device(arg); });
  }

  std::string text_of(NodeId id) const { return std::string(source_.text_of(ast_[id].span)); }

  void add(Step step) {
    if (!step.changes.empty()) steps_.push_back(std::move(step));
  }

  // An operand of && needs parentheses if it binds less tightly.
  void put_before(Step& step, const cel::Node& node, const std::string& guard) const {
    const bool loose = node.kind == NodeKind::Call &&
                       (node.name == cel::op::kOr || node.name == cel::op::kTernary);
    const cel::Span begin{node.span.begin, node.span.begin};
    step.changes.push_back({ChangeKind::Guard, begin, guard + " && " + (loose ? "(" : "")});
    const cel::Span end{node.span.end, node.span.end};
    if (loose) step.changes.push_back({ChangeKind::Guard, end, ")"});
  }

  Step driver_guard() const {
    Step step{ChangeKind::Guard, {}};
    for (const auto& [clause, nodes] : missing_) {
      for (const NodeId id : nodes) {
        const cel::Node& domain = ast_[ast_[id].args[0]];
        if (!is_index(domain)) continue;
        const auto* text = std::get_if<std::string>(&ast_[domain.args[1]].literal);
        if (text == nullptr || !known_.drivers.contains(*text)) continue;
        const std::string quoted = text_of(domain.args[1]);
        put_before(step, ast_[ast_.root], base::format("device.driver == {}", quoted));
        return step;
      }
    }
    return step;
  }

  Step name_guard() const {
    Step step{ChangeKind::Guard, {}};
    for (const auto& [clause, nodes] : missing_) {
      std::vector<std::string> guards;
      for (const NodeId id : nodes) {
        const cel::Node& node = ast_[id];
        std::string guard =
            node.kind == NodeKind::Select
                ? base::format("has({})", text_of(id))
                : base::format("{} in {}", text_of(node.args[1]), text_of(node.args[0]));
        if (std::ranges::count(guards, guard) == 0) guards.push_back(std::move(guard));
      }
      put_before(step, ast_[clauses_[clause].node], base::join(guards, " && "));
    }
    return step;
  }

  // device.attributes["domain"].?id.orValue("")
  Step value_instead() const {
    Step step{ChangeKind::Guard, {}};
    for (const auto& [clause, nodes] : missing_) {
      for (const NodeId id : nodes) {
        const auto value = default_for(id, clauses_[clause].node, true);
        const cel::Node& node = ast_[id];
        if (!value || source_.text_of(node.span).starts_with("(")) return {};
        const bool select = node.kind == NodeKind::Select;
        const std::uint32_t at = select
                                     ? node.span.end - static_cast<std::uint32_t>(node.name.size())
                                     : ast_[node.args[1]].span.begin;
        step.changes.push_back({ChangeKind::Guard, {at, at}, "?"});
        step.changes.push_back({ChangeKind::Guard,
                                {node.span.end, node.span.end},
                                base::format(".orValue({})", *value)});
      }
    }
    return step;
  }

  // A default of the type that the context needs. It must make the condition false, which
  // evaluation confirms.
  std::optional<std::string> default_for(NodeId id, NodeId at, bool truth) const {
    if (id == at) return truth ? std::optional<std::string>("false") : std::nullopt;
    const cel::Node& node = ast_[at];
    const bool joins =
        node.kind == NodeKind::Call &&
        (node.name == cel::op::kAnd || node.name == cel::op::kOr || node.name == cel::op::kNot);
    if (node.kind == NodeKind::Call && node.args.size() == 2 &&
        (node.args[0] == id || node.args[1] == id)) {
      const NodeId other = node.args[node.args[0] == id ? 1 : 0];
      if (const auto constant = constant_of(ast_, source_, other))
        return empty_value(constant->type);
    }
    for (const NodeId arg : node.args)
      if (auto value = default_for(id, arg, truth && joins)) return value;
    return std::nullopt;
  }

  static std::string empty_value(Constant::Type type) {
    switch (type) {
      case Constant::Type::Text:
        return "\"\"";
      case Constant::Type::Int:
        return "0";
      case Constant::Type::Bool:
        return "false";
      case Constant::Type::Quantity:
        return "quantity(\"0\")";
      case Constant::Type::Semver:
        break;
    }
    return "semver(\"0.0.0\")";
  }

  const cel::Ast& ast_;
  const cel::Source& source_;
  std::span<const cel::Clause> clauses_;
  const KnownNames& known_;
  Missing missing_;
  std::set<NodeId> there_;  // look-ups that succeed for some devices
  std::vector<Step> steps_;
};

}  // namespace

std::vector<Step> presence_guards_for(const Selector& selector,
                                      std::span<const cel::Clause> clauses,
                                      std::span<const TracedKind> kinds, const KnownNames& known) {
  Guarder guarder(selector, clauses, known);
  for (const TracedKind& kind : kinds)
    guarder.look_at(kind.trace);
  return guarder.steps();
}

std::vector<Step> drops_of(const cel::Source& source, std::span<const cel::Clause> clauses) {
  std::vector<Step> steps;
  // An && can be removed only if it directly joins two of the conditions.
  const auto joined = [&](std::size_t left) {
    const std::uint32_t begin = clauses[left].span.end;
    const std::uint32_t end = clauses[left + 1].span.begin;
    const bool plain = !clauses[left].negated && !clauses[left + 1].negated;
    return plain && begin < end && base::trim(source.text_of({begin, end})) == "&&";
  };
  const auto drop = [&steps](std::uint32_t begin, std::uint32_t end) {
    steps.push_back({ChangeKind::Drop, {cel::Change{ChangeKind::Drop, {begin, end}, ""}}});
  };
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    if (clauses[i].text.find(kIdentity) != std::string::npos) continue;
    if (i > 0 && joined(i - 1)) {
      drop(clauses[i - 1].span.end, clauses[i].span.end);
    } else if (i + 1 < clauses.size() && joined(i)) {
      drop(clauses[i].span.begin, clauses[i + 1].span.begin);
    }
  }
  return steps;
}

}  // namespace dra::engine

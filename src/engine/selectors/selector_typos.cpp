// src/engine/selectors/selector_typos.cpp: walks the tree for names, fields and literals that mean
// nothing as they stand, and proposes the nearest that would.

#include <algorithm>
#include <optional>
#include <string_view>

#include "dra/base/quantity.h"
#include "dra/base/text.h"
#include "dra/cel/hints/near_literals.h"
#include "dra/cel/library/kubernetes.h"
#include "dra/cel/values/go_text.h"
#include "dra/engine/selectors/shape_changes.h"

namespace dra::engine {
namespace {

using cel::ChangeKind;
using cel::NodeId;
using cel::NodeKind;

constexpr std::string_view kVariable = "device";

class Finder {
 public:
  Finder(const cel::Checked& checked, const cel::Source& source,
         const cel::Environment& environment, const KnownNames& known)
      : checked_(checked),
        ast_(checked.ast),
        source_(source),
        environment_(environment),
        known_(known) {
    for (const auto& field : environment.structures.front().fields)
      fields_.push_back(field.name);
  }

  std::vector<Step> run() {
    visit(ast_.root);
    if (!variables_.changes.empty()) steps_.push_back(std::move(variables_));
    return std::move(steps_);
  }

 private:
  void visit(NodeId id) {
    if (!visited_.insert(id).second) return;
    const cel::Node& node = ast_[id];
    const bool written = !node.generated || node.presence;
    if (written && node.kind == NodeKind::Ident) name(id);
    if (written && node.kind == NodeKind::Select) field(id);
    if (written && node.kind == NodeKind::Call) call(node);
    for (const NodeId arg : node.args)
      visit(arg);
  }

  void add(ChangeKind kind, cel::Span span, std::string text) {
    steps_.push_back({kind, {cel::Change{kind, span, std::move(text)}}});
  }

  bool is_field(std::string_view name) const { return std::ranges::count(fields_, name) > 0; }

  // An unknown name: a field of the device without `device.`, or a text without quotes.
  void name(NodeId id) {
    const cel::Node& node = ast_[id];
    const cel::Type* type = checked_.types[id];
    const bool undeclared = type == nullptr || type->kind == cel::TypeKind::Error;
    if (!undeclared || source_.text_of(node.span) != node.name) return;
    if (is_field(node.name)) {
      const cel::Span before{node.span.begin, node.span.begin};
      variables_.changes.push_back({ChangeKind::Variable, before, base::format("{}.", kVariable)});
    } else {
      add(ChangeKind::Constructor, node.span, base::format("\"{}\"", node.name));
    }
  }

  void field(NodeId id) {
    const cel::Node& node = ast_[id];
    const cel::Node& of = ast_[node.args[0]];
    if (of.kind != NodeKind::Ident || of.name != kVariable || is_field(node.name)) return;
    const auto write = [&node](const std::string& text) {
      return node.presence ? "has(" + text + ")" : text;
    };
    for (const cel::KnownName& known : known_.names) {
      if (known[2] != node.name) continue;
      add(ChangeKind::AddDomain, node.span,
          write(base::format("{}.{}[\"{}\"].{}", kVariable, known[0], known[1], known[2])));
    }
    const std::string_view nearest = base::nearest(node.name, fields_);
    if (!nearest.empty())
      add(ChangeKind::Field, node.span, write(base::format("{}.{}", kVariable, nearest)));
  }

  const std::string* text_literal(NodeId id) const {
    return ast_[id].kind == NodeKind::Literal ? std::get_if<std::string>(&ast_[id].literal)
                                              : nullptr;
  }

  void call(const cel::Node& node) {
    if (node.name == "quantity" && node.args.size() == 1) return amount(node.args[0]);
    if (!node.args.empty()) refused(node, node.args[node.member && node.args.size() > 1 ? 1 : 0]);
    const bool compares =
        node.member && node.args.size() == 2 &&
        (node.name == "isGreaterThan" || node.name == "isLessThan" || node.name == "compareTo");
    if (!compares) return;
    const NodeId id = node.args[1];
    const std::string* text = text_literal(id);
    const bool number = std::holds_alternative<std::int64_t>(ast_[id].literal);
    if (ast_[id].kind != NodeKind::Literal || (text == nullptr && !number)) return;
    const std::string value = text != nullptr ? *text : std::string(source_.text_of(ast_[id].span));
    if (cel::is_semver(value))
      add(ChangeKind::Constructor, ast_[id].span, base::format("semver(\"{}\")", value));
    for (const std::string& quantity : cel::near_quantities(value))
      add(ChangeKind::Constructor, ast_[id].span, base::format("quantity(\"{}\")", quantity));
  }

  // quantity("80g")
  void amount(NodeId id) {
    const std::string* text = text_literal(id);
    if (text == nullptr || base::Quantity::parse(*text).ok()) return;
    for (const std::string& quantity : cel::near_quantities(*text))
      add(ChangeKind::Unit, ast_[id].span, base::format("\"{}\"", quantity));
  }

  // semver("v8"), duration("5d"), matches("*gpu")
  void refused(const cel::Node& node, NodeId id) {
    const std::string* text = text_literal(id);
    if (text == nullptr) return;
    const auto near = cel::near_literals(node.name, *text);
    const auto fails = [&](std::string_view literal) {
      const std::string call =
          base::format(node.member ? "''.{}({})" : "{}({})", node.name, literal);
      return !cel::failure_of_constant(call, environment_).empty();
    };
    if (near.empty() || !fails(source_.text_of(ast_[id].span))) return;
    for (const std::string& one : near) {
      std::string literal = cel::go_quoted(one);
      if (!fails(literal)) add(ChangeKind::Unit, ast_[id].span, std::move(literal));
    }
  }

  const cel::Checked& checked_;
  const cel::Ast& ast_;
  const cel::Source& source_;
  const cel::Environment& environment_;
  const KnownNames& known_;
  std::vector<std::string_view> fields_;
  std::set<NodeId> visited_;
  Step variables_{ChangeKind::Variable, {}};
  std::vector<Step> steps_;
};

}  // namespace

std::vector<Step> typos_in(const cel::Checked& checked, const cel::Source& source,
                           const cel::Environment& environment, const KnownNames& known) {
  return Finder(checked, source, environment, known).run();
}

}  // namespace dra::engine

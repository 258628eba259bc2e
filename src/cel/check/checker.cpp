// src/cel/check/checker.cpp: one walk from the leaves up. Each node gets a type, in which type
// variables may still be open; unify.h narrows them when arguments meet signatures.

#include "dra/cel/check/checker.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dra/base/text.h"
#include "dra/cel/check/validate.h"
#include "dra/cel/library/declarations.h"
#include "dra/cel/values/messages.h"
#include "src/cel/check/messages.h"
#include "src/cel/check/unify.h"

namespace dra::cel {
namespace {

std::string_view without_dot(std::string_view name) {
  return name.starts_with(".") ? name.substr(1) : name;
}

struct Local {
  std::string name;
  const Type* type;
};

class Checker {
 public:
  Checker(const Environment& environment, Checked& out)
      : environment_(environment), out_(out), ast_(out.ast), unifier_(*out.arena) {
    out_.types.assign(ast_.nodes.size(), nullptr);
    out_.references.resize(ast_.nodes.size());
  }

  void run() {
    check(ast_.root);
    for (const Type*& type : out_.types) {
      if (type != nullptr) type = unifier_.substitute(type, true);
    }
  }

 private:
  // --- what messages and types are about

  template <class... Args>
  void complain(NodeId id, std::string_view pattern, const Args&... args) {
    out_.issues.push_back({ast_[id].at, base::format(pattern, args...)});
  }
  void mismatch(NodeId id, const Type* wanted, const Type* found) {
    complain(id, "expected type '{}' but found '{}'", describe(*wanted), describe(*found));
  }
  void undeclared(NodeId id, std::string_view name) {
    complain(id, "undeclared reference to '{}' (in container '')", name);
  }
  const Type* type_of(NodeId id) const { return out_.types[id]; }
  void set_type(NodeId id, const Type* type) { out_.types[id] = type; }
  static const Type* error_type() { return basic(TypeKind::Error); }
  static const Type* dyn() { return basic(TypeKind::Dyn); }
  TypeArena& arena() { return *out_.arena; }

  // --- names

  const Type* local(std::string_view name) const {
    const auto found = std::find_if(locals_.rbegin(), locals_.rend(),
                                    [name](const Local& one) { return one.name == name; });
    return found == locals_.rend() ? nullptr : found->type;
  }

  // A variable of the environment, or the name of a type, whose type is type(T).
  std::optional<std::pair<const Type*, Reference>> global(std::string_view name) {
    for (const Variable& variable : environment_.variables) {
      if (variable.name == name) return std::pair(variable.type, Reference());
    }
    if (const Type* named = type_named(name)) {
      return std::pair(arena().type_of(named), Reference{.type_value = named});
    }
    if (name == kNullValueName) return std::pair(basic(TypeKind::Int), Reference{.constant = 0});
    return std::nullopt;
  }

  const Type* type_named(std::string_view name) {
    for (const Structure& structure : environment_.structures) {
      if (structure.type->name == name) return structure.type;
    }
    return known_type(name, arena());
  }

  // If the name exists, turns the node into that name and returns true.
  bool resolve(NodeId id, const std::string& name) {
    const bool dotted = name.starts_with(".");
    const std::string bare(without_dot(name));
    const Type* hidden = local(bare);
    Reference reference;
    const Type* type = dotted ? nullptr : hidden;
    if (type == nullptr) {
      auto found = global(bare);
      if (!found) return false;
      type = found->first;
      reference = std::move(found->second);
      reference.beyond_locals = hidden != nullptr;
    }
    Node& node = ast_[id];
    node.kind = NodeKind::Ident;
    node.name = reference.beyond_locals ? "." + bare : bare;
    node.args.clear();
    set_type(id, type);
    out_.references[id] = std::move(reference);
    return true;
  }

  // The "a.b.c" of a chain of fields that begins with a name; no value for other trees.
  std::optional<std::string> qualified_name(NodeId id) const {
    const Node& node = ast_[id];
    if (node.kind == NodeKind::Ident) return node.name;
    if (node.kind != NodeKind::Select || node.presence) return std::nullopt;
    auto operand = qualified_name(node.args[0]);
    if (!operand) return std::nullopt;
    return *operand + "." + node.name;
  }

  // --- nodes

  void check(NodeId id) {
    switch (ast_[id].kind) {
      case NodeKind::Error:
        return set_type(id, error_type());
      case NodeKind::Literal:
        return set_type(id, literal_type(ast_[id].literal));
      case NodeKind::Ident:
        return check_ident(id);
      case NodeKind::Select:
        return check_select(id);
      case NodeKind::Call:
        return check_call(id);
      case NodeKind::List:
        return check_list(id);
      case NodeKind::Map:
        return check_map(id);
      case NodeKind::Message:
        return check_message(id);
      case NodeKind::Fold:
        return check_fold(id);
    }
  }

  static const Type* literal_type(const Literal& literal) {
    constexpr TypeKind kinds[] = {TypeKind::Null, TypeKind::Bool,   TypeKind::Int,
                                  TypeKind::Uint, TypeKind::Double, TypeKind::String,
                                  TypeKind::Bytes};
    return basic(kinds[literal.index()]);
  }

  void check_ident(NodeId id) {
    const std::string name = ast_[id].name;
    if (resolve(id, name)) return;
    set_type(id, error_type());
    undeclared(id, name);
  }

  void check_select(NodeId id) {
    const auto name = qualified_name(id);
    // A local variable is never the first part of a qualified name.
    if (name) {
      const std::string first = name->substr(0, name->find('.', 1));
      const bool hidden = !first.starts_with(".") && local(first) != nullptr;
      if (!hidden && resolve(id, *name)) return;
    }
    const Node& node = ast_[id];
    const bool presence = node.presence;
    const Type* type = field_type(id, node.args[0], std::string(node.name), false);
    if (presence) type = basic(TypeKind::Bool);
    set_type(id, unifier_.substitute(type, false));
  }

  const Type* field_type(NodeId id, NodeId operand, const std::string& field, bool optional) {
    check(operand);
    const Type* target = unifier_.substitute(type_of(operand), false);
    const bool wrapped = is_optional(*target);
    if (wrapped) target = target->params[0];
    const Type* result = selected(id, target, field);
    return wrapped || optional ? arena().optional(result) : result;
  }

  const Type* selected(NodeId id, const Type* target, const std::string& field) {
    switch (target->kind) {
      case TypeKind::Map:
        return target->params[1];
      case TypeKind::Struct:
        return struct_field(ast_[id].at, target->name, field);
      case TypeKind::Param:
        unifier_.assignable(dyn(), target);
        return dyn();
      case TypeKind::Dyn:
      case TypeKind::Any:
      case TypeKind::Error:
        return dyn();
      default:
        complain(id, "type '{}' does not support field selection", describe(*target));
        return dyn();
    }
  }

  const Type* struct_field(std::uint32_t at, std::string_view type, const std::string& field) {
    FieldType found = field_type_of(environment_, type, field, arena());
    if (found.type == nullptr) out_.issues.push_back({at, std::move(found.problem)});
    return found.type != nullptr ? found.type : error_type();
  }

  // --- calls

  void check_call(NodeId id) {
    if (ast_[id].name == op::kOptSelect) return check_optional_select(id);
    const bool member = ast_[id].member;
    const std::vector<NodeId> args = ast_[id].args;
    for (std::size_t i = member ? 1 : 0; i < args.size(); ++i)
      check(args[i]);
    const std::string name = ast_[id].name;
    if (!member) return call(id, name);
    if (const auto target = qualified_name(args[0])) {
      const std::string qualified = *target + "." + name;
      if (is_function(without_dot(qualified))) {
        ast_[id].member = false;
        ast_[id].args.erase(ast_[id].args.begin());
        return call(id, qualified);
      }
    }
    check(args[0]);
    call(id, name);
  }

  bool is_function(std::string_view name) const {
    return std::ranges::any_of(overloads_of(name), [this](const Overload& overload) {
      return served(*overload.row, environment_);
    });
  }

  void call(NodeId id, const std::string& name) {
    const std::string function(without_dot(name));
    if (!is_function(function)) {
      set_type(id, error_type());
      return undeclared(id, name);
    }
    ast_[id].name = function;
    if (function == op::kAnd || function == op::kOr) return check_logical(id);
    resolve_overload(id);
  }

  void check_logical(NodeId id) {
    bool good = true;
    for (const NodeId arg : ast_[id].args) {
      if (unifier_.assignable(type_of(arg), basic(TypeKind::Bool))) continue;
      mismatch(arg, basic(TypeKind::Bool), type_of(arg));
      good = false;
    }
    const auto found = overloads_of(ast_[id].name);
    if (good) add_overload(id, found.front());
    set_type(id, good ? basic(TypeKind::Bool) : error_type());
  }

  void add_overload(NodeId id, const Overload& overload) {
    out_.references[id].overloads.push_back(static_cast<std::uint16_t>(number_of(overload)));
  }

  // A signature with fresh type variables for its parameters.
  struct Instance {
    std::vector<const Type*> args;
    const Type* result;
  };

  Instance instantiate(const Overload& overload) {
    if (overload.params.empty()) return {overload.args, overload.result};
    std::vector<const Type*> fresh;
    for (std::size_t i = 0; i < overload.params.size(); ++i)
      fresh.push_back(unifier_.fresh());
    Instance instance{{}, replace(overload.result, overload.params, fresh)};
    for (const Type* arg : overload.args)
      instance.args.push_back(replace(arg, overload.params, fresh));
    return instance;
  }

  const Type* replace(const Type* type, const std::vector<std::string_view>& params,
                      const std::vector<const Type*>& fresh) {
    if (type->kind == TypeKind::Param) {
      const auto at = std::ranges::find(params, type->name) - params.begin();
      return fresh[static_cast<std::size_t>(at)];
    }
    if (type->params.empty()) return type;
    std::vector<const Type*> replaced;
    for (const Type* param : type->params)
      replaced.push_back(replace(param, params, fresh));
    return arena().with_params(*type, std::move(replaced));
  }

  // All matching overloads are candidates; if their results differ, the result is dyn.
  void resolve_overload(NodeId id) {
    const Node& node = ast_[id];
    std::vector<const Type*> args;
    for (const NodeId arg : node.args)
      args.push_back(type_of(arg));
    const Type* result = nullptr;
    for (const Overload& overload : overloads_of(node.name)) {
      if (overload.row->member != node.member || !served(*overload.row, environment_)) continue;
      const Instance instance = instantiate(overload);
      if (!unifier_.assignable(args, instance.args)) continue;
      add_overload(id, overload);
      const Type* own = unifier_.substitute(instance.result, false);
      if (result == nullptr) {
        result = own;
      } else if (!is_dyn(*result) && !same(*own, *result)) {
        result = dyn();
      }
    }
    if (result == nullptr) {
      no_overload(id, args);
      result = error_type();
    }
    set_type(id, result);
  }

  void no_overload(NodeId id, const std::vector<const Type*>& args) {
    std::vector<std::string> shown;
    shown.reserve(args.size());
    for (const Type* arg : args)
      shown.push_back(describe(*unifier_.substitute(arg, true)));
    std::string target;
    if (ast_[id].member) {
      target = shown.front() + ".";
      shown.erase(shown.begin());
    }
    complain(id, "found no matching overload for '{}' applied to '{}({})'", ast_[id].name, target,
             base::join(shown, ", "));
  }

  void check_optional_select(NodeId id) {
    const NodeId operand = ast_[id].args[0];
    const NodeId field = ast_[id].args[1];
    const std::string name = std::get<std::string>(ast_[field].literal);
    const Type* type = field_type(id, operand, name, true);
    set_type(field, basic(TypeKind::String));
    set_type(id, unifier_.substitute(type, false));
    add_overload(id, overloads_of(op::kOptSelect).front());
  }

  // --- literals with parts

  const Type* join(NodeId id, const Type* before, const Type* now) {
    static_cast<void>(id);
    if (before == nullptr) return now;
    return unifier_.assignable(before, now) ? most_general(before, now) : dyn();
  }

  // The type that `?x` adds: the content of an optional.
  const Type* unwrapped(NodeId id) {
    const Type* type = type_of(id);
    if (is_optional(*type)) return type->params[0];
    if (!is_dyn(*type)) mismatch(id, arena().optional(type), type);
    return type;
  }

  void check_list(NodeId id) {
    const std::vector<NodeId> elements = ast_[id].args;
    const Type* type = nullptr;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      check(elements[i]);
      const Type* own = ast_[id].optional[i] ? unwrapped(elements[i]) : type_of(elements[i]);
      type = join(elements[i], type, own);
    }
    set_type(id, arena().list(type == nullptr ? unifier_.fresh() : type));
  }

  void check_map(NodeId id) {
    const std::vector<NodeId> parts = ast_[id].args;
    const Type* key = nullptr;
    const Type* value = nullptr;
    for (std::size_t i = 0; i < parts.size(); i += 2) {
      check(parts[i]);
      key = join(parts[i], key, type_of(parts[i]));
      check(parts[i + 1]);
      const Type* own = ast_[id].optional[i / 2] ? unwrapped(parts[i + 1]) : type_of(parts[i + 1]);
      value = join(parts[i + 1], value, own);
    }
    if (key == nullptr) {
      key = unifier_.fresh();
      value = unifier_.fresh();
    }
    set_type(id, arena().map(key, value));
  }

  void check_message(NodeId id) {
    const std::string name = ast_[id].name;
    const Type* type = type_named(without_dot(name));
    if (type == nullptr) {
      set_type(id, error_type());
      return undeclared(id, name);
    }
    ast_[id].name = without_dot(name);
    std::string_view fields = message_name(*type);
    if (fields.empty()) complain(id, "'{}' is not a message type", type->name);
    set_type(id, fields.empty() ? error_type() : type);
    if (fields.empty()) fields = without_dot(name);
    const std::vector<NodeId> values = ast_[id].args;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint32_t at = ast_[id].colons[i];
      check(values[i]);
      const Type* wanted = struct_field(at, fields, ast_[id].names[i]);
      const Type* own = ast_[id].optional[i] ? unwrapped(values[i]) : type_of(values[i]);
      if (unifier_.assignable(wanted, own)) continue;
      constexpr std::string_view pattern =
          "expected type of field '{}' is '{}' but provided type is '{}'";
      out_.issues.push_back(
          {at, base::format(pattern, ast_[id].names[i], describe(*wanted), describe(*own))});
    }
  }

  // --- folds

  struct Elements {
    const Type* first;
    const Type* second;
  };

  // The types of a fold's variables: an element; with two variables, index and element, or key and
  // value.
  Elements elements_of(NodeId range_node, const Type* range, bool two) {
    switch (range->kind) {
      case TypeKind::List:
        return two ? Elements{basic(TypeKind::Int), range->params[0]}
                   : Elements{range->params[0], nullptr};
      case TypeKind::Map:
        return {range->params[0], range->params[1]};
      case TypeKind::Dyn:
      case TypeKind::Error:
      case TypeKind::Param:
        unifier_.assignable(dyn(), range);
        return {dyn(), dyn()};
      default:
        complain(range_node,
                 "expression of type '{}' cannot be range of a comprehension (must be list, map, "
                 "or dynamic)",
                 describe(*range));
        return {error_type(), error_type()};
    }
  }

  void demand(NodeId id, const Type* wanted) {
    if (!unifier_.assignable(wanted, type_of(id))) mismatch(id, wanted, type_of(id));
  }

  void check_fold(NodeId id) {
    const std::vector<NodeId> parts = ast_[id].args;
    const std::vector<std::string> names = ast_[id].names;
    check(parts[FoldRange]);
    check(parts[FoldInit]);
    const Type* range = unifier_.substitute(type_of(parts[FoldRange]), false);
    const Type* accumulator = type_of(parts[FoldInit]);
    const std::size_t outside = locals_.size();
    locals_.push_back({names[2], accumulator});
    const bool two = !names[1].empty();
    const Elements elements = elements_of(parts[FoldRange], range, two);
    locals_.push_back({names[0], elements.first});
    if (two) locals_.push_back({names[1], elements.second});
    check(parts[FoldCondition]);
    demand(parts[FoldCondition], basic(TypeKind::Bool));
    check(parts[FoldStep]);
    demand(parts[FoldStep], accumulator);
    locals_.resize(outside + 1);
    check(parts[FoldResult]);
    locals_.resize(outside);
    set_type(id, unifier_.substitute(type_of(parts[FoldResult]), false));
  }

  const Environment& environment_;
  Checked& out_;
  Ast& ast_;
  Unifier unifier_;
  std::vector<Local> locals_;
};

}  // namespace

Checked check(Ast ast, const Environment& environment) {
  Checked out{.ast = std::move(ast), .arena = std::make_shared<TypeArena>()};
  Checker(environment, out).run();
  if (out.ok()) validate(out);
  return out;
}

}  // namespace dra::cel

// src/cel/validate.cpp: see validate.h.

#include "src/cel/validate.h"

#include <algorithm>

#include "dra/base/text.h"

namespace dra::cel {
namespace {

// The same type, whatever its variables are called.
bool equivalent(const Type& a, const Type& b) {
  if (a.kind != b.kind || a.params.size() != b.params.size()) return false;
  if (a.kind != TypeKind::Param && a.name != b.name) return false;
  return std::ranges::equal(a.params, b.params,
                            [](const Type* x, const Type* y) { return equivalent(*x, *y); });
}

class Validator {
 public:
  explicit Validator(Checked& checked) : checked_(checked) {}

  // `exempt`: within the arguments of format(), which takes values of any types.
  void visit(NodeId id, bool exempt) {
    const Node& node = checked_.ast[id];
    if (!exempt && node.kind == NodeKind::List) check_list(node);
    if (!exempt && node.kind == NodeKind::Map) check_map(node);
    const bool in_format = exempt || (node.kind == NodeKind::Call && node.name == "format");
    for (const NodeId arg : node.args)
      visit(arg, in_format);
  }

 private:
  const Type* type_of(NodeId id, bool optional) const {
    const Type* type = checked_.types[id];
    return optional && is_optional(*type) ? type->params[0] : type;
  }

  bool agree(NodeId id, const Type* first, const Type* type) {
    if (equivalent(*first, *type)) return true;
    checked_.issues.push_back(
        {checked_.ast[id].at,
         base::format("expected type '{}' but found '{}'", describe(*first), describe(*type))});
    return false;
  }

  void check_list(const Node& list) {
    for (std::size_t i = 1; i < list.args.size(); ++i) {
      const Type* first = type_of(list.args[0], list.optional[0]);
      if (!agree(list.args[i], first, type_of(list.args[i], list.optional[i]))) return;
    }
  }

  void check_map(const Node& map) {
    for (std::size_t i = 2; i < map.args.size(); i += 2) {
      agree(map.args[i], type_of(map.args[0], false), type_of(map.args[i], false));
      agree(map.args[i + 1], type_of(map.args[1], map.optional[0]),
            type_of(map.args[i + 1], map.optional[i / 2]));
    }
  }

  Checked& checked_;
};

}  // namespace

void validate(Checked& checked) { Validator(checked).visit(checked.ast.root, false); }

const Type* known_type(std::string_view name, TypeArena& arena) {
  struct Named {
    std::string_view name;
    std::string_view type;
  };
  constexpr Named named[] = {
      {"bool", "bool"},
      {"bytes", "bytes"},
      {"double", "double"},
      {"duration", "duration"},
      {"google.protobuf.Any", "any"},
      {"google.protobuf.Duration", "duration"},
      {"google.protobuf.ListValue", "list(dyn)"},
      {"google.protobuf.Struct", "map(string, dyn)"},
      {"google.protobuf.Timestamp", "timestamp"},
      {"google.protobuf.Value", "dyn"},
      {"int", "int"},
      {"list", "list(dyn)"},
      {"map", "map(dyn, dyn)"},
      {"net.CIDR", "net.CIDR"},
      {"net.IP", "net.IP"},
      {"null_type", "null"},
      {"optional_type", "optional_type(dyn)"},
      {"string", "string"},
      {"timestamp", "timestamp"},
      {"uint", "uint"},
  };
  for (const Named& one : named) {
    if (one.name == name) return parse_type(one.type, arena);
  }
  return name == "type" ? arena.opaque("type", {}) : nullptr;
}

}  // namespace dra::cel

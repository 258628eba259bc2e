// src/cel/values/types.cpp: the basic types, printing and parsing.

#include "dra/cel/values/types.h"

#include <algorithm>
#include <array>

#include "dra/base/text.h"

namespace dra::cel {
namespace {

struct Basic {
  Type type;
  std::string_view display;  // in messages of the checker
};

const std::array<Basic, 12>& basics() {
  static const std::array<Basic, 12> table{{
      {{TypeKind::Error, "!error!"}, "!error!"},
      {{TypeKind::Dyn, "dyn"}, "dyn"},
      {{TypeKind::Any, "google.protobuf.Any"}, "any"},
      {{TypeKind::Null, "null_type"}, "null"},
      {{TypeKind::Bool, "bool"}, "bool"},
      {{TypeKind::Int, "int"}, "int"},
      {{TypeKind::Uint, "uint"}, "uint"},
      {{TypeKind::Double, "double"}, "double"},
      {{TypeKind::String, "string"}, "string"},
      {{TypeKind::Bytes, "bytes"}, "bytes"},
      {{TypeKind::Duration, "google.protobuf.Duration"}, "duration"},
      {{TypeKind::Timestamp, "google.protobuf.Timestamp"}, "timestamp"},
  }};
  return table;
}

constexpr std::string_view kWrapper = "wrapper(";

// Wrappers of the basic types that have one, in their order.
const std::array<Type, 6>& wrappers() {
  static const std::array<Type, 6> table = [] {
    std::array<Type, 6> made;
    auto kind = static_cast<std::size_t>(TypeKind::Bool);
    for (Type& one : made) {
      one = basics()[kind++].type;
      one.nullable = true;
    }
    return made;
  }();
  return table;
}

bool is_basic(TypeKind kind) { return kind <= TypeKind::Timestamp; }

template <class DescribeParam>
std::string with_params(std::string name, const Type& type, DescribeParam describe_param) {
  if (type.params.empty()) return name;
  name += "(";
  for (std::size_t i = 0; i < type.params.size(); ++i) {
    if (i > 0) name += ", ";
    name += describe_param(*type.params[i]);
  }
  return name + ")";
}

// The end of the first type in "list(map(string, A)), int".
std::size_t end_of_first(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] == ',' && depth == 0) return i;
  }
  return text.size();
}

}  // namespace

bool same(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.name != b.name || a.params.size() != b.params.size()) return false;
  return std::ranges::equal(a.params, b.params,
                            [](const Type* x, const Type* y) { return same(*x, *y); });
}

std::string describe(const Type& type) {
  if (type.nullable) return base::format("wrapper({})", type.name);
  if (is_basic(type.kind))
    return std::string(basics()[static_cast<std::size_t>(type.kind)].display);
  return with_params(std::string(type.name), type, describe);
}

std::string describe_output(const Type& type) {
  if (type.nullable) return describe(type);
  if (type.kind == TypeKind::Param) return "<" + std::string(type.name) + ">";
  return with_params(std::string(type.name), type, describe_output);
}

bool is_dyn(const Type& type) { return type.kind == TypeKind::Dyn || type.kind == TypeKind::Any; }

bool is_optional(const Type& type) {
  return type.kind == TypeKind::Opaque && type.name == kOptionalType;
}

const Type* basic(TypeKind kind) { return &basics()[static_cast<std::size_t>(kind)].type; }

const Type* wrapper(TypeKind kind) {
  const auto found = std::ranges::find(wrappers(), kind, &Type::kind);
  return found == wrappers().end() ? nullptr : &*found;
}

const Type* parse_type(std::string_view text, TypeArena& arena) {
  const std::size_t open = text.find('(');
  const std::string_view name = text.substr(0, open);
  for (const Basic& one : basics()) {
    if (one.display == name) return &one.type;
  }
  if (text.starts_with(kWrapper)) {
    const std::string_view inner = text.substr(kWrapper.size(), text.size() - kWrapper.size() - 1);
    return wrapper(parse_type(inner, arena)->kind);
  }
  std::vector<const Type*> params;
  if (open != std::string_view::npos) {
    std::string_view rest = text.substr(open + 1, text.size() - open - 2);
    while (!rest.empty()) {
      const std::size_t end = end_of_first(rest);
      params.push_back(parse_type(rest.substr(0, end), arena));
      rest.remove_prefix(std::min(rest.size(), end + 2));  // the comma and a space
    }
  }
  if (name == "list") return arena.list(params.at(0));
  if (name == "map") return arena.map(params.at(0), params.at(1));
  if (name == "type") return arena.type_of(params.at(0));
  if (name.size() == 1) return arena.param(name);
  // Kubernetes' types are structs with private fields; the others are opaque.
  if (name.starts_with("kubernetes.") || name.starts_with("google.protobuf.")) {
    return arena.structure(name);
  }
  return arena.opaque(name, std::move(params));
}

}  // namespace dra::cel

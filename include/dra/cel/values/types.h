// include/dra/cel/values/types.h
//
// The types of the checker. Types are immutable and compare by content; basic ones are constants,
// others live in a TypeArena. Upstream: cel-go common/types/types.go.

#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace dra::cel {

enum class TypeKind : std::uint8_t {
  Error,  // of a node with an error; matches everything, so that one mistake gives one message
  Dyn,
  Any,  // Dyn with another name
  Null,
  Bool,
  Int,
  Uint,
  Double,
  String,
  Bytes,
  Duration,
  Timestamp,
  List,    // of params[0]
  Map,     // of params[0] to params[1]
  Type,    // the type of params[0], if that is known
  Opaque,  // a named type with parameters: optional_type(int), net.IP
  Struct,  // a named type with fields: kubernetes.DRADevice
  Param,   // a type variable: in a signature, or made by the checker
};

struct Type {
  TypeKind kind = TypeKind::Error;
  std::string_view name = {};  // as printed, without parameters
  std::vector<const Type*> params = {};
  std::int32_t variable = -1;  // the number of a Param made by the checker
  bool nullable = false;       // of a wrapper message, to which null can be assigned
};

bool same(const Type& a, const Type& b);

// "map(string, dyn)", as in messages of the checker; null is "null".
std::string describe(const Type& type);
// The same for an output type, as the server's message prints it: "null_type", "<A>".
std::string describe_output(const Type& type);

inline constexpr std::string_view kOptionalType = "optional_type";
bool is_dyn(const Type& type);       // Dyn or Any
bool is_optional(const Type& type);  // params[0] is the type of its content

// The basic types: those without parameters and names of their own.
const Type* basic(TypeKind kind);
// The same of a message that wraps values of the type; nullptr if there is none.
const Type* wrapper(TypeKind kind);

class TypeArena {
 public:
  const Type* list(const Type* element) { return keep({TypeKind::List, "list", {element}}); }
  const Type* map(const Type* key, const Type* value) {
    return keep({TypeKind::Map, "map", {key, value}});
  }
  const Type* optional(const Type* inner) {
    return keep({TypeKind::Opaque, kOptionalType, {inner}});
  }
  const Type* type_of(const Type* type) { return keep({TypeKind::Type, "type", {type}}); }
  const Type* opaque(std::string_view name, std::vector<const Type*> params) {
    return keep({TypeKind::Opaque, keep_name(name), std::move(params)});
  }
  const Type* with_params(const Type& type, std::vector<const Type*> params) {
    return keep({type.kind, type.name, std::move(params)});
  }
  const Type* structure(std::string_view name) {
    return keep({TypeKind::Struct, keep_name(name), {}});
  }
  const Type* param(std::string_view name, std::int32_t variable = -1) {
    return keep({TypeKind::Param, keep_name(name), {}, variable});
  }

 private:
  const Type* keep(Type type) { return &types_.emplace_back(std::move(type)); }
  std::string_view keep_name(std::string_view name) { return names_.emplace_back(name); }

  std::deque<Type> types_;  // a deque, as types are referred to by pointer
  std::deque<std::string> names_;
};

// Parses a type as messages print it. A single letter is a parameter. The text must be valid: it
// comes from this program's tables.
const Type* parse_type(std::string_view text, TypeArena& arena);

}  // namespace dra::cel

// include/dra/cel/library/environment.h
//
// The environment of an expression: variables with their types, types with fields, and the
// functions and macros of a release. Upstream: k8s.io/apiserver/pkg/cel/environment/base.go.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dra/cel/syntax/parser.h"
#include "dra/cel/values/types.h"

namespace dra::cel {

struct Field {
  std::string name;
  const Type* type;
};

struct Structure {
  const Type* type;
  std::vector<Field> fields;

  const Field* find(std::string_view name) const;
};

struct Variable {
  std::string name;
  const Type* type;
};

struct Environment {
  int release = 37;      // the minor release whose functions exist
  bool includes = true;  // x.includes(y): since 1.37, or with the gate DRAListTypeAttributes
  std::vector<Variable> variables = {};
  std::vector<Structure> structures = {};
  std::shared_ptr<TypeArena> arena = std::make_shared<TypeArena>();

  Macros macros() const { return {.two_variables = release >= 32, .sort_by = release >= 34}; }
};

}  // namespace dra::cel

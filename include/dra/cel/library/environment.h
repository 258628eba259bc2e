// include/dra/cel/library/environment.h
//
// What an expression may refer to: variables with their types, types with fields, and which
// functions and macros the release has. Upstream:
// k8s.io/apiserver/pkg/cel/environment/base.go.

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
  int release = 37;      // minor release whose functions there are
  bool includes = true;  // x.includes(y): of 1.37, or of the gate DRAListTypeAttributes
  std::vector<Variable> variables = {};
  std::vector<Structure> structures = {};
  std::shared_ptr<TypeArena> arena = std::make_shared<TypeArena>();

  Macros macros() const { return {.two_variables = release >= 32, .sort_by = release >= 34}; }
};

}  // namespace dra::cel

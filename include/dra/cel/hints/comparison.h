// include/dra/cel/hints/comparison.h
//
// Recognizes a condition that compares one property of a device with a constant, so that it can be
// said in words: "81Gi of memory or more".

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dra/cel/hints/clauses.h"
#include "dra/cel/syntax/ast.h"

namespace dra::cel {

struct Comparison {
  enum class Of : std::uint8_t { Driver, Attribute, Capacity };
  enum class Is : std::uint8_t { Equal, NotEqual, Less, AtMost, More, AtLeast };
  Of of = Of::Driver;
  std::string domain = {};  // of an attribute or capacity
  std::string name = {};    // its id
  Is is = Is::Equal;
  // As it is written in CEL ("'Hopper'", "8", "true"); of a quantity or a version its text alone.
  std::string value = {};
};

// No value: the condition has another form.
std::optional<Comparison> comparison_of(const Ast& ast, const Clause& clause);

}  // namespace dra::cel

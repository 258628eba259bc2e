// src/engine/selectors/literal_text.h
//
// Values that devices have, written as literals of an expression, and the distance between two.

#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "dra/cel/run/trace.h"
#include "dra/cel/syntax/ast.h"
#include "dra/cel/syntax/source.h"

namespace dra::engine {

// The constant side of a comparison.
struct Constant {
  enum class Type { Text, Int, Bool, Quantity, Semver };
  Type type = Type::Text;
  std::string text = {};  // without quotes and functions: Hopper, 80Gi, 9.0.0
  cel::Span span = {};    // the literal's: within quantity("80Gi") the quoted text
  char quote = '"';

  friend bool operator==(const Constant& a, const Constant& b) {
    return a.type == b.type && a.text == b.text;
  }
};

// No value unless it is a literal, or quantity() or semver() of one.
std::optional<Constant> constant_of(const cel::Ast& ast, const cel::Source& source,
                                    cel::NodeId node);
// No value for other types, and for texts that are truncated or need escapes.
std::optional<Constant> constant_of(const cel::Seen& seen);

// The quoted text or number that replaces another literal.
std::string literal_text(const Constant& value, char quote);
// The whole literal: `quantity("80Gi")`.
std::string whole_text(const Constant& value, char quote);

// No value for types without an order, or two different types.
std::optional<std::weak_ordering> compare(const Constant& a, const Constant& b);

// 0 for texts that are equal but for case; grows the less they have in common.
double distance(const Constant& a, const Constant& b);

}  // namespace dra::engine

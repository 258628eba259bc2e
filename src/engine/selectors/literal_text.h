// src/engine/selectors/literal_text.h
//
// Values that were seen, as literals of an expression; and how near two of them are.

#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "dra/cel/run/trace.h"
#include "dra/cel/syntax/ast.h"
#include "dra/cel/syntax/source.h"

namespace dra::engine {

// What a comparison has on its constant side.
struct Constant {
  enum class Type { Text, Int, Bool, Quantity, Semver };
  Type type = Type::Text;
  std::string text = {};  // without quotes and functions: Hopper, 80Gi, 9.0.0
  cel::Span span = {};    // of the literal: within quantity("80Gi") the text with its quotes
  char quote = '"';

  friend bool operator==(const Constant& a, const Constant& b) {
    return a.type == b.type && a.text == b.text;
  }
};

// Nothing for what is no literal, or no quantity() or semver() of one.
std::optional<Constant> constant_of(const cel::Ast& ast, const cel::Source& source,
                                    cel::NodeId node);
// Nothing for values of other types, and for texts that were cut or that need escapes.
std::optional<Constant> constant_of(const cel::Seen& seen);

// A text in quotes, or the number, as it stands in place of the other literal.
std::string literal_text(const Constant& value, char quote);
// `quantity("80Gi")`: as it stands for itself.
std::string whole_text(const Constant& value, char quote);

// Nothing for values without an order, or of two types.
std::optional<std::weak_ordering> compare(const Constant& a, const Constant& b);

// 0 for the same but for capital letters; the more the less they have in common.
double distance(const Constant& a, const Constant& b);

}  // namespace dra::engine

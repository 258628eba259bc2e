// include/dra/cel/hints/clauses.h
//
// Splits an expression into conditions that must all hold. People write selectors as conjunctions,
// and ask which condition a device does not meet.

#pragma once

#include <string>
#include <vector>

#include "dra/cel/syntax/ast.h"
#include "dra/cel/syntax/source.h"

namespace dra::cel {

// A name that cel.bind() introduces, and its value.
struct Binding {
  std::string name;
  std::string text;  // of the value, on one line
  NodeId node = 0;   // of the value
};

struct Clause {
  NodeId node = 0;       // the node whose value decides
  bool negated = false;  // true if the node must be false, as `a` and `b` in !(a || b)
  Span span = {};        // of the node, without the negation
  // As written, on one line and without parentheses around it; with `!(...)` if negated; bound
  // names are replaced by their values if these are short.
  std::string text = {};
  std::vector<Binding> where = {};  // bound names that remain in the text; outermost first
};

// The terms of the top-level &&, in order; likewise of !(a || b), and of the body of a cel.bind()
// at the top or among the terms. There is at least one. Their conjunction, as && evaluates it, is
// the value of the expression, including errors and their texts.
std::vector<Clause> clauses_of(const Ast& ast, const Source& source);

}  // namespace dra::cel

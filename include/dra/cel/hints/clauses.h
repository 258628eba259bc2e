// include/dra/cel/hints/clauses.h
//
// An expression as the conditions that must all hold. People write selectors as such, and want to
// know which of them a device does not meet.

#pragma once

#include <string>
#include <vector>

#include "dra/cel/syntax/ast.h"
#include "dra/cel/syntax/source.h"

namespace dra::cel {

// A name that cel.bind() gives, and what it stands for.
struct Binding {
  std::string name;
  std::string text;  // on one line
  NodeId node = 0;   // of the value
};

struct Clause {
  NodeId node = 0;       // whose value says whether it holds
  bool negated = false;  // it holds if the node is false, as `a` and `b` in !(a || b)
  Span span = {};        // of the node, without the negation
  // As written, on one line and without parentheses around it, but with `!(...)` if negated and
  // with what a name stands for in its place, if that is short.
  std::string text = {};
  std::vector<Binding> where = {};  // names that the text has kept; outermost first
};

// The terms of && at the top, in their order; of !(a || b), and of the body of a cel.bind() at the
// top or among the terms, too. There is at least one. Their conjunction, as && evaluates it, is the
// value of the expression, errors and their texts included.
std::vector<Clause> clauses_of(const Ast& ast, const Source& source);

}  // namespace dra::cel

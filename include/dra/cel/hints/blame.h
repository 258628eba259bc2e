// include/dra/cel/hints/blame.h
//
// Why a condition does not hold: the comparisons, calls and look-ups in it that would have to come
// out otherwise, each with the values that it saw.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dra/cel/run/program.h"
#include "dra/cel/run/trace.h"
#include "dra/cel/syntax/source.h"

namespace dra::cel {

// An operand, receiver or argument.
struct Side {
  NodeId node = 0;
  std::string text = {};  // as written, on one line
  bool known = false;     // else the value is a constant that never was evaluated, and its text is
                          // the one above
  Seen value = {};
};

struct BlamedElement;

struct Leaf {
  NodeId node = 0;
  Span span = {};
  std::string text = {};  // as written, on one line
  // "==", "in", "startsWith", "has", "all"; empty of a value that stands for itself. A comparison
  // by compareTo(), isGreaterThan() or isLessThan() has its operator, and the sides are what is
  // compared.
  std::string name = {};
  bool wanted = true;  // what it should have been; false below a negation
  Seen value = {};     // what it was: the other truth, an error, or something that is no truth
  std::vector<Side> sides = {};
  // What is true instead: `81152Mi (79.25Gi) < 80Gi`, `"x" is not in ["a", "b"]`, `true for none of
  // 3`; of an error its message, with types where it has none.
  std::string fact = {};
  Span cause = {};  // of an error: the innermost part that failed
  // Of all(), exists() and exists_one(): the first elements that decided, each with its own leaves.
  std::vector<BlamedElement> elements;
};

struct BlamedElement {
  std::size_t index = 0;  // from 0
  Seen key = {};          // of a map
  Seen value = {};
  std::vector<Leaf> leaves = {};
};

struct Blame {
  // In the order of the text; empty if the node is what it should be, or was not evaluated. Of &&
  // the terms that do not hold, of || all, of ?: the branch that was taken, and its condition if
  // the other branch would have been right.
  std::vector<Leaf> leaves = {};
  // Errors that came up and that && or || did without, because another term decided.
  std::vector<Leaf> ignored = {};
};

// Why `node` is not `wanted`. The trace is one of the program, which was made from the source.
Blame blame_of(const Program& program, const Source& source, const Trace& trace, NodeId node,
               bool wanted = true);

}  // namespace dra::cel

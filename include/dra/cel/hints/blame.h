// include/dra/cel/hints/blame.h
//
// Why a condition is false: its comparisons, calls and look-ups that would need another result,
// each with the values it saw.

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
  // False: a constant that was never evaluated, so `text` is its value.
  bool known = false;
  Seen value = {};
};

struct BlamedElement;

struct Leaf {
  NodeId node = 0;
  Span span = {};
  std::string text = {};  // as written, on one line
  // "==", "in", "startsWith", "has", "all"; empty for a plain value. A comparison by compareTo(),
  // isGreaterThan() or isLessThan() has the equivalent operator, and its sides are the compared
  // values.
  std::string name = {};
  bool wanted = true;  // the truth that was needed; false below a negation
  Seen value = {};     // the other truth, an error, or a value that is no Bool
  std::vector<Side> sides = {};
  // What is true instead: `81152Mi (79.25Gi) < 80Gi`, `"x" is not in ["a", "b"]`, `true for none of
  // 3`; for an error its message, with types if it has none.
  std::string fact = {};
  Span cause = {};  // for an error: the innermost part that failed
  // For all(), exists() and exists_one(): the first elements that decided, each with its own
  // leaves.
  std::vector<BlamedElement> elements;
};

struct BlamedElement {
  std::size_t index = 0;  // from 0
  Seen key = {};          // the key of a map entry
  Seen value = {};
  std::vector<Leaf> leaves = {};
};

struct Blame {
  // In the order of the text; empty if the node is as wanted, or was not evaluated. For && the
  // false terms, for || all terms, for ?: the branch taken, and its condition if the other branch
  // would have been right.
  std::vector<Leaf> leaves = {};
  // Errors that && or || ignored, because another term decided.
  std::vector<Leaf> ignored = {};
};

// Why `node` is not `wanted`. The trace must be of the program, and the program of the source.
Blame blame_of(const Program& program, const Source& source, const Trace& trace, NodeId node,
               bool wanted = true);

}  // namespace dra::cel

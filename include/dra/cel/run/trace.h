// include/dra/cel/run/trace.h
//
// The values of all parts of an expression, for explaining a result. The answer is that of a
// faithful evaluation. A second, exhaustive one evaluates the parts that the first could skip, so
// that all false conditions show, not only the first.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "dra/cel/run/program.h"

namespace dra::cel {

// The value of a node as text: it outlives the evaluation.
struct Seen {
  ValueKind kind = ValueKind::Null;
  bool truth = false;    // the value is the Bool true
  bool reached = false;  // the faithful evaluation reached the node
  // "Hopper" in quotes, 81152Mi, ["a", "b"], {3 entries}; the message of an error. Long text is
  // cut.
  std::string text = {};
  std::string readable = {};   // a quantity in a more readable unit: 79.25Gi
  std::string type_name = {};  // "string", "kubernetes.Quantity"

  bool is_error() const { return kind == ValueKind::Error; }
  bool is_false() const { return kind == ValueKind::Bool && !truth; }
};

struct SeenElement;

// The elements that a macro such as all() or filter() evaluated.
struct SeenFold {
  // The numbers of elements whose condition was true, false, or neither. For a macro without a
  // condition, such as map(x, e), `truths` counts the elements with a value.
  std::size_t truths = 0;
  std::size_t falses = 0;
  std::size_t errors = 0;
  std::size_t size = 0;                 // of the list or map; the fold may have ended earlier
  std::vector<SeenElement> not_true;    // the first few, and the first error
  std::vector<SeenElement> first_true;  // at most one

  std::size_t elements() const { return truths + falses + errors; }
};
inline constexpr std::size_t kKeptElements = 3;

// Values by node; the last one if a node was evaluated several times. Values of parts that are
// evaluated for each element of a fold are in that element.
struct Scope {
  std::map<NodeId, Seen> values;
  std::map<NodeId, SeenFold> folds;
};

struct SeenElement {
  std::size_t index = 0;  // from 0, in the order of the list or map
  Seen key;               // key of a map entry
  Seen value;             // of the element
  Seen outcome;           // value of the condition
  Scope inside;
};

struct Trace {
  Seen answer;             // the result of the expression
  std::uint64_t cost = 0;  // of the answer
  // True if the trace has the parts that the answer did not need. Else evaluating them exceeds the
  // limit, or hits an error that upstream does not survive.
  bool complete = false;
  Scope root;
};

struct TraceLimits {
  std::uint64_t answer = kNoCostLimit;  // as Run::cost_limit
  std::uint64_t exhaustive = 100'000;   // units of cost; takes milliseconds
};

// Variables as for Program::evaluate().
Trace trace(const Program& program, std::span<const Value> variables,
            const TraceLimits& limits = {});

}  // namespace dra::cel

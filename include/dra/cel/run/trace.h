// include/dra/cel/run/trace.h
//
// What every part of an expression came to, for explaining a result. The answer is that of a
// faithful evaluation; a second, exhaustive one also goes where the first had no need to, so that
// all conditions that do not hold are seen, not only the first.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "dra/cel/run/program.h"

namespace dra::cel {

// The value of a node, for people: it outlives the evaluation.
struct Seen {
  ValueKind kind = ValueKind::Null;
  bool truth = false;          // it is the Bool true
  bool reached = false;        // by the faithful evaluation
  std::string text = {};       // "Hopper" in quotes, 81152Mi, ["a", "b"], {3 entries}; of an error
                               // its message. Long ones are cut.
  std::string readable = {};   // of a quantity in another unit, if that is easier: 79.25Gi
  std::string type_name = {};  // "string", "kubernetes.Quantity"

  bool is_error() const { return kind == ValueKind::Error; }
  bool is_false() const { return kind == ValueKind::Bool && !truth; }
};

struct SeenElement;

// What a macro such as all() or filter() went through.
struct SeenFold {
  // Elements for which its condition was true, false, or neither. A macro without a condition, as
  // map(x, e), has those for which it gave a value in `truths`.
  std::size_t truths = 0;
  std::size_t falses = 0;
  std::size_t errors = 0;
  std::size_t size = 0;                 // of the list or map: more, if not all was gone through
  std::vector<SeenElement> not_true;    // the first few, and the first error
  std::vector<SeenElement> first_true;  // at most one

  std::size_t elements() const { return truths + falses + errors; }
};
inline constexpr std::size_t kKeptElements = 3;

// Values by node; the last one of a node that was evaluated more than once. What is evaluated for
// each element of a fold is with that element.
struct Scope {
  std::map<NodeId, Seen> values;
  std::map<NodeId, SeenFold> folds;
};

struct SeenElement {
  std::size_t index = 0;  // from 0, in the order of the list or map
  Seen key;               // of a map
  Seen value;             // of a list or map
  Seen outcome;           // of the condition
  Scope inside;
};

struct Trace {
  Seen answer;             // as the expression's user gets it
  std::uint64_t cost = 0;  // of the answer
  // Also the parts that the answer did not need are here. Else going through them would have cost
  // more than the limit, or was stopped by what upstream does not survive.
  bool complete = false;
  Scope root;
};

struct TraceLimits {
  std::uint64_t answer = kNoCostLimit;  // as Run::cost_limit
  std::uint64_t exhaustive = 100'000;   // units of cost: milliseconds
};

// Variables as for Program::evaluate().
Trace trace(const Program& program, std::span<const Value> variables,
            const TraceLimits& limits = {});

}  // namespace dra::cel

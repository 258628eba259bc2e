// include/dra/cel/run/program.h
//
// A compiled expression, ready for many evaluations. Evaluation follows cel-go's interpreter with
// the options of Kubernetes: constants are folded, and every step costs what it costs upstream.

#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "dra/base/result.h"
#include "dra/cel/check/checker.h"
#include "dra/cel/values/value.h"

namespace dra::cel {

inline constexpr std::uint64_t kNoCostLimit = std::numeric_limits<std::uint64_t>::max();
// Why a run that exceeded its cost limit was stopped.
inline constexpr std::string_view kCostLimitExceeded =
    "operation cancelled: actual cost limit exceeded";

// Receives the value of every evaluated node. With an observer, && || ?: and folds evaluate all
// their parts, unless the run is faithful; within the branch of a ?: that is not taken they do not.
// This changes the cost but not the result, unless the extra parts stop the evaluation.
using Observer = std::function<void(NodeId node, const Value& value)>;

// The state of an evaluation. Reusing it saves allocations.
struct Run {
  Scratch scratch;
  std::uint64_t cost_limit = kNoCostLimit;
  Observer observer = {};
  bool faithful = false;  // evaluate only what the result needs, even with an observer

  std::uint64_t cost = 0;         // of the last evaluation
  std::string_view stopped = {};  // why the evaluation was stopped; empty if it was not
};

class Program {
 public:
  // Fails with upstream's message if a constant part cannot be computed: "type conversion error
  // from 'string' to 'int'".
  static Result<Program> make(Checked checked, const Environment& environment);

  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  const Checked& checked() const { return *checked_; }
  // Variables are in the order of the environment. The value may live in run.scratch: it is valid
  // until the next evaluation.
  Value evaluate(std::span<const Value> variables, Run& run) const;

 private:
  struct Plan;
  Program(std::unique_ptr<Checked> checked, std::unique_ptr<Plan> plan);

  std::unique_ptr<Checked> checked_;
  std::unique_ptr<Plan> plan_;
};

}  // namespace dra::cel

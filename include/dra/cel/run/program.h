// include/dra/cel/run/program.h
//
// An expression ready to be evaluated many times. Evaluation follows cel-go's interpreter with the
// options of Kubernetes: constants are folded, and every step costs what it costs there.

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
// Why a run was stopped that cost more than its limit.
inline constexpr std::string_view kCostLimitExceeded =
    "operation cancelled: actual cost limit exceeded";

// Sees the value of every node that is evaluated. While there is one, && || ?: and folds go through
// all their parts, unless the run is faithful; within the branch of a ?: that is not taken they do
// not. That does not change the result, but what it costs; and it may be stopped by what the
// faithful evaluation would not have come to.
using Observer = std::function<void(NodeId node, const Value& value)>;

// One evaluation; reused, it needs no memory anew.
struct Run {
  Scratch scratch;
  std::uint64_t cost_limit = kNoCostLimit;
  Observer observer = {};
  bool faithful = false;  // with an observer: go only where the result needs it, as without one

  std::uint64_t cost = 0;         // of the last evaluation
  std::string_view stopped = {};  // why it was stopped before its end, if it was
};

class Program {
 public:
  // Fails with upstream's words where a constant part cannot be computed: "type conversion error
  // from 'string' to 'int'".
  static Result<Program> make(Checked checked, const Environment& environment);

  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  const Checked& checked() const { return *checked_; }
  // Variables in the order of the environment. The value may lie in run.scratch: it is good until
  // the next evaluation.
  Value evaluate(std::span<const Value> variables, Run& run) const;

 private:
  struct Plan;
  Program(std::unique_ptr<Checked> checked, std::unique_ptr<Plan> plan);

  std::unique_ptr<Checked> checked_;
  std::unique_ptr<Plan> plan_;
};

}  // namespace dra::cel

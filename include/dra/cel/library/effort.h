// include/dra/cel/library/effort.h
//
// A budget for work that CEL's cost does not limit. Comparing lists of lists costs no more than
// comparing lists, a pattern of ten characters can mean a million states, and a function's result
// is paid for only after it exists. Upstream runs for minutes or takes all memory in these cases;
// we stop.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dra/cel/values/value.h"

namespace dra::cel {

// The budget, in units of about ten nanoseconds: one compared element, 4 copied bytes.
inline constexpr std::uint64_t kMostEffort = 32'000'000;
inline constexpr std::string_view kTooMuchEffort =
    "operation cancelled: it takes far more than it costs";

class Effort {
 public:
  // False once the budget is used up, and from then on.
  bool spend(std::uint64_t units) {
    left_ = units < left_ ? left_ - units : 0;
    return left_ > 0;
  }
  bool exhausted() const { return left_ == 0; }
  std::uint64_t left() const { return left_; }

 private:
  std::uint64_t left_ = kMostEffort;
};

// The effort of a call as its arguments show it; at least `kMostEffort` if it is too much.
using CallEffort = std::uint64_t (*)(std::span<const Value> args);
CallEffort effort_of(std::string_view function);

}  // namespace dra::cel

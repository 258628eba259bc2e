// include/dra/cel/library/effort.h
//
// What an expression takes to run where its cost does not tell. To compare a list of lists costs no
// more than to compare a list, a pattern of ten letters can stand for a million states, and what a
// function makes is paid for when it is there. Upstream then works for minutes or takes all memory;
// we give up.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dra/cel/values/value.h"

namespace dra::cel {

// Beyond this, in units of some ten nanoseconds: one element compared, 4 bytes copied.
inline constexpr std::uint64_t kMostEffort = 32'000'000;
inline constexpr std::string_view kTooMuchEffort =
    "operation cancelled: it takes far more than it costs";

class Effort {
 public:
  // False when it is used up, as it then stays.
  bool spend(std::uint64_t units) {
    left_ = units < left_ ? left_ - units : 0;
    return left_ > 0;
  }
  bool exhausted() const { return left_ == 0; }
  std::uint64_t left() const { return left_; }

 private:
  std::uint64_t left_ = kMostEffort;
};

// What a call takes, as far as its arguments tell; at least `kMostEffort` where it is too much.
using CallEffort = std::uint64_t (*)(std::span<const Value> args);
CallEffort effort_of(std::string_view function);

}  // namespace dra::cel

// include/dra/cel/library/cost.h
//
// Costs of steps at run time, and the constants that estimates share. Upstream: cel-go
// interpreter/runtimecost.go and common/cost.go, k8s.io/apiserver/pkg/cel/library/cost.go
// (CallCost), and the trackers of cel-go's extensions.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "dra/cel/values/value.h"

namespace dra::cel {

inline constexpr std::uint64_t kStepCost = 1;
inline constexpr std::uint64_t kListCost = 10;
inline constexpr std::uint64_t kMapCost = 30;
inline constexpr std::uint64_t kMessageCost = 40;

inline constexpr double kTraversal = 0.1;          // per character of a text
inline constexpr double kPatternTraversal = 0.25;  // per character of a regular expression
inline constexpr double kBothWays = 2;             // factor for comparing elements with each other
inline constexpr std::uint64_t kLongestFormat = 64;
inline constexpr double kLongestFormatPattern = 128;

// Authorizers: a check, and a label or field selector.
inline constexpr std::uint64_t kAuthorizationCost = 350'000;
inline constexpr double kRequirementsPerLetter = 0.5;
inline constexpr double kRequirementCost = kListCost + kMessageCost;

// Converts as Go does on the servers' processors: values beyond 64 bits become 2^63.
std::uint64_t go_uint64(double value);

// An evaluated call; its arguments may be errors.
struct FinishedCall {
  std::span<const Value> args;  // the receiver first
  const Value& result;
  std::string problem = {};  // set if the cost cannot be counted, which ends the evaluation
};
using CallCost = std::uint64_t (*)(FinishedCall& call);

// The cost function of a call. The overload is empty if several are possible.
CallCost cost_of(std::string_view function, std::string_view overload);

}  // namespace dra::cel

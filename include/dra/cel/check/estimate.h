// include/dra/cel/check/estimate.h
//
// What an expression costs at worst, whatever the values are: the API server stores no expression
// whose estimate is beyond its limit. Upstream: cel-go checker/cost.go with the options of
// k8s.io/apiserver/pkg/cel/environment, and library/cost.go for Kubernetes' functions.

#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "dra/cel/check/checker.h"

namespace dra::cel {

// From the least to the most: units of cost, or a size as size() counts it. Sums and products stop
// at the largest number, which stands for "not bounded".
struct Estimate {
  std::uint64_t min = 0;
  std::uint64_t max = 0;

  friend bool operator==(const Estimate&, const Estimate&) = default;
};
inline constexpr std::uint64_t kUnbounded = std::numeric_limits<std::uint64_t>::max();

// How large what a variable holds can become. The path is the way to it: the variable, then names
// of fields, "@items", "@indices", "@keys" or "@values", with dots between; a last "*" is any of
// these. The first row that fits counts; without one the size is not bounded.
struct SizeRow {
  std::string_view path;  // "device.attributes.@values"
  std::uint64_t max;
};

// The expression must have been checked without issues.
Estimate estimate_cost(const Checked& checked, std::span<const SizeRow> sizes);

}  // namespace dra::cel

// include/dra/cel/check/estimate.h
//
// The worst-case cost of an expression over all values: the API server stores no expression whose
// estimate exceeds its limit. Upstream: cel-go checker/cost.go with the options of
// k8s.io/apiserver/pkg/cel/environment, and library/cost.go for Kubernetes' functions.

#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "dra/cel/check/checker.h"

namespace dra::cel {

// A range: units of cost, or a size as size() counts it. Sums and products saturate at the largest
// number, which means "not bounded".
struct Estimate {
  std::uint64_t min = 0;
  std::uint64_t max = 0;

  friend bool operator==(const Estimate&, const Estimate&) = default;
};
inline constexpr std::uint64_t kUnbounded = std::numeric_limits<std::uint64_t>::max();

// The largest size of a value below a variable. The path is the variable, then names of fields,
// "@items", "@indices", "@keys" or "@values", separated by dots; "*" as the last step matches any
// of these. The first matching row counts; a path without a row has no bound.
struct SizeRow {
  std::string_view path;  // "device.attributes.@values"
  std::uint64_t max;
};

// The expression must be checked and free of issues.
Estimate estimate_cost(const Checked& checked, std::span<const SizeRow> sizes);

}  // namespace dra::cel

// src/cel/cost.h
//
// What steps cost at run time. Upstream: cel-go interpreter/runtimecost.go and common/cost.go,
// k8s.io/apiserver/pkg/cel/library/cost.go (CallCost), and the trackers of cel-go's extensions.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dra/cel/value.h"

namespace dra::cel {

inline constexpr std::uint64_t kStepCost = 1;
inline constexpr std::uint64_t kListCost = 10;
inline constexpr std::uint64_t kMapCost = 30;

// `overload` is empty when several are possible.
std::uint64_t call_cost(std::string_view function, std::string_view overload,
                        std::span<const Value> args, const Value& result);

}  // namespace dra::cel

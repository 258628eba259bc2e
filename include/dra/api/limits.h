// include/dra/api/limits.h
//
// Numbers that the DRA API fixes. Upstream: k8s.io/api/resource/v1, types.go.

#pragma once

#include <cstdint>

namespace dra::api {

inline constexpr std::int64_t kMaxResults = 32;  // AllocationResultsMaxSize: devices of one claim
inline constexpr std::int64_t kMaxConsumers = 256;  // ResourceClaimReservedForMaxSize

}  // namespace dra::api

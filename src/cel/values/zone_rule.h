// src/cel/values/zone_rule.h
//
// The rule that a zone follows from its last known change on: "CET-1CEST,M3.5.0,M10.5.0/3", as
// POSIX writes TZ. Upstream: tzset in Go's time/zoneinfo.go.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dra::cel {

// Seconds ahead of UTC at a moment in seconds since 1970; nothing if it is no rule.
std::optional<std::int64_t> offset_by_rule(std::string_view rule, std::int64_t seconds);

}  // namespace dra::cel

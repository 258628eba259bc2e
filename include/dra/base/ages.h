// include/dra/base/ages.h: how long ago something was, for people.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dra/base/time.h"

namespace dra::base {

inline constexpr std::string_view kUnknown = "<unknown>";

std::string age_of(const std::optional<Instant>& since, Instant now);  // "<unknown>" without a time
std::string ago(const std::optional<Instant>& when,
                Instant now);  // "5m ago", "in 30s", "<unknown>"

}  // namespace dra::base

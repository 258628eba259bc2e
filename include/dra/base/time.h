// include/dra/base/time.h
//
// Points in time and spans between them, as Kubernetes writes and shows them.
//
// An object's timestamps are metav1.Time (whole seconds) or metav1.MicroTime, both RFC 3339 text.
// The oldest is year 1, the newest year 9999, which is more than nanoseconds in 64 bits can count:
// an Instant has seconds and nanoseconds apart. A Duration is Go's: nanoseconds in 64 bits, 292
// years.
//
// There is no clock here. Functions that depend on the time take `Instant now`, so that everything
// can be replayed; only cmd reads the real clock.

#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "dra/base/result.h"

namespace dra::base {

// NOLINT below: clang-tidy 14 takes the zero inside a defaulted <=> for a null pointer.
struct Duration {
  std::int64_t nanos = 0;

  static constexpr Duration seconds(std::int64_t count) { return {count * 1'000'000'000}; }
  friend constexpr auto operator<=>(const Duration&,
                                    const Duration&) = default;  // NOLINT
};

struct Instant {
  std::int64_t seconds = 0;  // since 1970-01-01T00:00:00Z; negative before it
  std::int32_t nanos = 0;    // 0 to 999,999,999, forwards also before 1970

  friend constexpr auto operator<=>(const Instant&, const Instant&) = default;  // NOLINT
};

// A span that does not fit becomes the longest one that does, as in Go's time.Time.Sub.
Duration operator-(Instant later, Instant earlier);

// RFC 3339 with any offset; digits finer than nanoseconds are dropped, as Go does. Go's parser also
// takes an hour of one digit, a comma before the fraction and 60 minutes of offset; no server
// writes these, and they are errors here. A leap second (:60) is an error in both.
Result<Instant> parse_rfc3339(std::string_view text);

// `2026-11-20T08:30:00Z`: always UTC, fractions of a second dropped, as metav1.Time is written.
std::string format_rfc3339(Instant instant);

// An age as kubectl's tables show it, exactly k8s.io/apimachinery/pkg/util/duration.HumanDuration:
// two units at most, the second one only where it still matters. Clocks of machines differ, so less
// than two seconds in the future is `0s`; more is `<invalid>`.
std::string human_age(Duration age);

// Go's time.ParseDuration ("10s", "1m30s", "-1.5h", "0"), and a bare number of seconds as kubectl's
// --request-timeout takes it (client-go's clientcmd.ParseTimeout). More than 292 years are an
// error, also of bare seconds, where upstream overflows.
Result<Duration> parse_duration(std::string_view text);

// As Go's time.Duration.String writes it: "1m0s", "1.5s", "250ms", "0s".
std::string format_duration(Duration duration);

}  // namespace dra::base

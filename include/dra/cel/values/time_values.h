// include/dra/cel/values/time_values.h
//
// Timestamps and durations: their text, arithmetic, date fields and time zones. Upstream: cel-go
// common/types/{timestamp,duration,overflow}.go, Go's time package.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dra/base/result.h"
#include "dra/cel/values/value.h"

namespace dra::cel {

// The years 1 to 9999, the range of timestamps.
inline constexpr std::int64_t kLeastSecond = -62'135'596'800;
inline constexpr std::int64_t kLastSecond = 253'402'300'799;
inline constexpr std::string_view kTimestampOverflow = "timestamp overflow";

// After these seconds the calendar repeats: 400 years with all their leap days.
inline constexpr std::int64_t kCalendarCycle = 12'622'780'800;

inline bool in_range(const Moment& moment) {
  return moment.seconds >= kLeastSecond && moment.seconds <= kLastSecond;
}

// Parses RFC 3339 as Go's time.Parse does, without checking the range.
std::optional<Moment> parse_moment(std::string_view text);
// "2020-01-02T03:04:05.678+02:00", with the offset of the parsed text.
std::string format_moment(const Moment& moment);

// Parses as Go's time.ParseDuration does; nanoseconds.
std::optional<std::int64_t> parse_nanos(std::string_view text);
// "5400s", "0.5s"
std::string format_nanos(std::int64_t nanos);

// Date and time of day of a moment on clocks that are `offset` seconds ahead of UTC.
struct DateTime {
  std::int64_t year = 0;
  std::int64_t month = 0;        // from 0
  std::int64_t day = 0;          // of the month, from 0
  std::int64_t day_of_year = 0;  // from 0
  std::int64_t weekday = 0;      // from Sunday, which is 0
  std::int64_t hour = 0;
  std::int64_t minute = 0;
  std::int64_t second = 0;
  std::int64_t milliseconds = 0;  // of the second
};
DateTime date_time(const Moment& moment, std::int64_t offset);

// `left` is a duration or a timestamp; `right` may be of any kind.
Value add_times(const Value& left, const Value& right, Scratch& scratch);
Value subtract_times(const Value& left, const Value& right, Scratch& scratch);

// How many seconds the clocks of a zone are ahead of UTC at a moment, given in seconds since 1970.
// A zone is "", "UTC", "+02:00" or a name in the system's zone data. Fails with upstream's message.
// Upstream: cel-go common/stdlib (inTimeZone), Go's time.LoadLocation.
Result<std::int64_t> offset_in_zone(std::string_view zone, std::int64_t seconds);

// The same for a rule as POSIX writes TZ: "CET-1CEST,M3.5.0,M10.5.0/3", which a zone follows from
// its last known change on. No value if the text is no rule. Upstream: tzset in Go's
// time/zoneinfo.go.
std::optional<std::int64_t> offset_by_rule(std::string_view rule, std::int64_t seconds);

}  // namespace dra::cel

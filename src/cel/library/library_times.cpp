// src/cel/library/library_times.cpp: the parts of timestamps and durations. Upstream: cel-go
// common/stdlib and common/types/duration.go; the default zone is UTC, as Kubernetes sets it.

#include <charconv>
#include <cmath>
#include <optional>

#include "dra/base/text.h"
#include "dra/cel/library/library.h"
#include "dra/cel/values/time_values.h"

namespace dra::cel {
namespace {

using Field = std::int64_t DateTime::*;

template <Field kField, int kBase = 0>
Value in_utc(const Invocation& call) {
  return Value::integer(date_time(call.args[0].moment(), 0).*kField + kBase);
}

template <Field kField, int kBase = 0>
Value in_zone(const Invocation& call) {
  const Moment& moment = call.args[0].moment();
  const Result<std::int64_t> offset = offset_in_zone(call.args[1].text(), moment.seconds);
  if (!offset.ok()) return call.scratch.failure(offset.error().message);
  return Value::integer(date_time(moment, offset.value()).*kField + kBase);
}

// The whole duration in a unit of `kUnit` nanoseconds. Upstream computes a floating-point number
// first, which may be rounded up to the next integer.
template <std::int64_t kUnit>
Value whole(const Invocation& call) {
  const std::int64_t nanos = call.args[0].nanos();
  const std::int64_t all = nanos / kUnit;
  const double units =
      static_cast<double>(all) + static_cast<double>(nanos % kUnit) / static_cast<double>(kUnit);
  return Value::integer(static_cast<std::int64_t>(units));
}

Value milliseconds(const Invocation& call) {
  return Value::integer(call.args[0].nanos() / 1'000'000);
}

constexpr OverloadCode kTimeOverloads[] = {
    {"duration_to_hours", whole<3'600'000'000'000>},
    {"duration_to_milliseconds", milliseconds},
    {"duration_to_minutes", whole<60'000'000'000>},
    {"duration_to_seconds", whole<1'000'000'000>},
    {"timestamp_to_day_of_month", in_utc<&DateTime::day>},
    {"timestamp_to_day_of_month_1_based", in_utc<&DateTime::day, 1>},
    {"timestamp_to_day_of_month_1_based_with_tz", in_zone<&DateTime::day, 1>},
    {"timestamp_to_day_of_month_with_tz", in_zone<&DateTime::day>},
    {"timestamp_to_day_of_week", in_utc<&DateTime::weekday>},
    {"timestamp_to_day_of_week_with_tz", in_zone<&DateTime::weekday>},
    {"timestamp_to_day_of_year", in_utc<&DateTime::day_of_year>},
    {"timestamp_to_day_of_year_with_tz", in_zone<&DateTime::day_of_year>},
    {"timestamp_to_hours", in_utc<&DateTime::hour>},
    {"timestamp_to_hours_with_tz", in_zone<&DateTime::hour>},
    {"timestamp_to_milliseconds", in_utc<&DateTime::milliseconds>},
    {"timestamp_to_milliseconds_with_tz", in_zone<&DateTime::milliseconds>},
    {"timestamp_to_minutes", in_utc<&DateTime::minute>},
    {"timestamp_to_minutes_with_tz", in_zone<&DateTime::minute>},
    {"timestamp_to_month", in_utc<&DateTime::month>},
    {"timestamp_to_month_with_tz", in_zone<&DateTime::month>},
    {"timestamp_to_seconds", in_utc<&DateTime::second>},
    {"timestamp_to_seconds_tz", in_zone<&DateTime::second>},
    {"timestamp_to_year", in_utc<&DateTime::year>},
    {"timestamp_to_year_with_tz", in_zone<&DateTime::year>},
};

}  // namespace

std::span<const OverloadCode> time_codes() { return kTimeOverloads; }

}  // namespace dra::cel

// tests/base/time_test.cpp

#include "dra/base/time.h"

#include <doctest/doctest.h>

#include <limits>

namespace dra::base::time_test {
namespace {

struct InstantCase {
  const char* name;
  const char* text;
  std::int64_t seconds;
  std::int32_t nanos;
  const char* formatted;
};

const InstantCase kInstants[] = {
    {"the epoch is zero", "1970-01-01T00:00:00Z", 0, 0, "1970-01-01T00:00:00Z"},
    {"a timestamp of an object", "2026-11-20T08:30:00Z", 1795163400, 0, "2026-11-20T08:30:00Z"},
    {"a MicroTime has a fraction", "2026-11-20T08:30:00.123456Z", 1795163400, 123456000,
     "2026-11-20T08:30:00Z"},
    {"digits finer than nanoseconds are dropped", "1970-01-01T00:00:00.1234567899Z", 0, 123456789,
     "1970-01-01T00:00:00Z"},
    {"east of Greenwich it is later", "2026-11-20T14:00:00+05:30", 1795163400, 0,
     "2026-11-20T08:30:00Z"},
    {"west of Greenwich it is earlier", "2026-11-20T00:30:00-08:00", 1795163400, 0,
     "2026-11-20T08:30:00Z"},
    {"a leap day exists every 400 years", "2000-02-29T23:59:59Z", 951868799, 0,
     "2000-02-29T23:59:59Z"},
    {"before 1970 the fraction still counts forwards", "1969-12-31T23:59:59.5Z", -1, 500000000,
     "1969-12-31T23:59:59Z"},
    {"Go's zero time is the start of year 1", "0001-01-01T00:00:00Z", -62135596800, 0,
     "0001-01-01T00:00:00Z"},
    {"the year 0 exists", "0000-03-01T00:00:00Z", -62162035200, 0, "0000-03-01T00:00:00Z"},
    {"an offset may be 24 hours", "2026-11-20T08:30:00+24:00", 1795077000, 0,
     "2026-11-19T08:30:00Z"},
    {"an offset may lead before the year 0", "0000-01-01T10:07:49+21:56", -62167261691, 0,
     "-0001-12-31T12:11:49Z"},
    {"the last second of four digits", "9999-12-31T23:59:59Z", 253402300799, 0,
     "9999-12-31T23:59:59Z"},
};

TEST_CASE("timestamps") {
  for (const InstantCase& c : kInstants) {
    CAPTURE(c.name);
    const Result<Instant> parsed = parse_rfc3339(c.text);
    REQUIRE(parsed.ok());
    CHECK(parsed.value().seconds == c.seconds);
    CHECK(parsed.value().nanos == c.nanos);
    CHECK(format_rfc3339(parsed.value()) == c.formatted);
  }
}

TEST_CASE("each day of eight centuries comes after the one before and reads back") {
  std::string previous;
  for (std::int64_t day = -150'000; day < 150'000; ++day) {
    const std::string text = format_rfc3339({day * 86'400, 0});
    const Result<Instant> back = parse_rfc3339(text);
    const bool right = back.ok() && back.value().seconds == day * 86'400 && text > previous;
    if (!right) FAIL(text);
    previous = text;
  }
}

TEST_CASE("what is not a timestamp is an error") {
  const char* texts[] = {
      "",
      "2026-11-20",
      "2026-11-20 08:30:00Z",
      "2026-11-20t08:30:00z",
      "2026-11-20T08:30:00",
      "2026-11-20T08:30:00.Z",
      "2026-11-20T08:30:00,5Z",
      "2026-11-20T8:30:00Z",
      "2026-11-20T08:30:60Z",
      "2026-11-20T24:00:00Z",
      "2026-02-29T00:00:00Z",
      "2026-00-10T00:00:00Z",
      "2026-13-10T00:00:00Z",
      "1900-02-29T00:00:00Z",
      "2026-11-20T08:30:00+0530",
      "2026-11-20T08:30:00+25:00",
      "2026-11-20T08:30:00Z ",
      "+026-11-20T08:30:00Z",
  };
  for (const char* text : texts) {
    CAPTURE(text);
    CHECK_FALSE(parse_rfc3339(text).ok());
  }
  CHECK(parse_rfc3339("soon").error().message ==
        "\"soon\" is not a time such as 2026-11-20T08:30:00Z");
}

TEST_CASE("the span between two instants") {
  CHECK(Instant{10, 0} - Instant{8, 500'000'000} == Duration{1'500'000'000});
  CHECK(Instant{8, 500'000'000} - Instant{10, 0} == Duration{-1'500'000'000});
  // The seconds alone would not fit; as in Go's Time.Sub the fraction brings the span back.
  CHECK((Instant{0, 500000000} - Instant{9223372037, 0}).nanos == -9223372036500000000);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK((Instant{253402300799, 0} - Instant{-62135596800, 0}).nanos == most);
  CHECK((Instant{-62135596800, 0} - Instant{253402300799, 0}).nanos == -most - 1);
}

struct AgeCase {
  const char* name;
  std::int64_t seconds;
  const char* want;
};

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kYear = 365 * kDay;

const AgeCase kAges[] = {
    {"two seconds in the future are invalid", -2, "<invalid>"},
    {"one second in the future is a clock that differs", -1, "0s"},
    {"now", 0, "0s"},
    {"seconds up to two minutes", 119, "119s"},
    {"two minutes", 120, "2m"},
    {"minutes and seconds up to ten minutes", 9 * kMinute + 59, "9m59s"},
    {"minutes up to three hours", 179 * kMinute + 59, "179m"},
    {"three hours", 180 * kMinute, "3h"},
    {"hours and minutes up to eight hours", 7 * kHour + 59 * kMinute, "7h59m"},
    {"hours up to two days", 47 * kHour + 59 * kMinute, "47h"},
    {"two days", 48 * kHour, "2d"},
    {"days and hours up to eight days", 7 * kDay + 23 * kHour, "7d23h"},
    {"days up to two years", 2 * kYear - 1, "729d"},
    {"two years", 2 * kYear, "2y"},
    {"years and days up to eight years", 8 * kYear - 1, "7y364d"},
    {"years after that", 8 * kYear + 100 * kDay, "8y"},
};

TEST_CASE("ages") {
  for (const AgeCase& c : kAges) {
    CAPTURE(c.name);
    CHECK(human_age(Duration::seconds(c.seconds)) == c.want);
  }
  CHECK(human_age({-1'999'999'999}) == "0s");
  CHECK(human_age({119'999'999'999}) == "119s");
}

struct DurationCase {
  const char* name;
  const char* text;
  std::int64_t nanos;
};

const DurationCase kDurations[] = {
    {"a bare number is seconds", "30", 30'000'000'000},
    {"zero needs no unit", "0", 0},
    {"seconds", "10s", 10'000'000'000},
    {"several units add up", "1m30s", 90'000'000'000},
    {"fractions of a unit", "1.5h", 5'400'000'000'000},
    {"a fraction needs no digit before the point", ".5s", 500'000'000},
    {"small units", "1ms2us3ns", 1'002'003},
    {"micro with either sign", "1\u00b5s1\u03bcs", 2'000},
    {"a negative span", "-1m", -60'000'000'000},
    {"the longest span", "9223372036854775807ns", std::numeric_limits<std::int64_t>::max()},
    {"the longest negative span", "-9223372036854775808ns",
     std::numeric_limits<std::int64_t>::min()},
    {"digits of a fraction that no longer count", "0.100000000000000000000001s", 100'000'000},
};

TEST_CASE("durations") {
  for (const DurationCase& c : kDurations) {
    CAPTURE(c.name);
    const Result<Duration> parsed = parse_duration(c.text);
    REQUIRE(parsed.ok());
    CHECK(parsed.value().nanos == c.nanos);
  }
}

TEST_CASE("what is not a duration is an error that says how to write one") {
  const char* texts[] = {
      "",   "-",        "s",           "-5",   "1.5",
      ".s", "1x",       "1s ",         "1 s",  "9223372036854775808ns",
      "1d", "3000000h", "10000000000", "--1s", "5000000000000000000ns5000000000000000000ns"};
  for (const char* text : texts) {
    CAPTURE(text);
    CHECK_FALSE(parse_duration(text).ok());
  }
  CHECK(parse_duration("1d").error().message == "\"1d\" is not a duration");
  CHECK(parse_duration("1d").error().hint ==
        "give a number of seconds, or numbers with units such as 10s, 1m30s or 2h");
}

struct WrittenDuration {
  std::int64_t nanos;
  const char* text;
};

// What Go's time.Duration.String says.
constexpr WrittenDuration kWritten[] = {
    {0, "0s"},
    {1, "1ns"},
    {999, "999ns"},
    {1'100, "1.1µs"},
    {250'000'000, "250ms"},
    {2'000'005, "2.000005ms"},
    {1'000'000'000, "1s"},
    {1'500'000'000, "1.5s"},
    {60'000'000'000, "1m0s"},
    {90'000'000'001, "1m30.000000001s"},
    {3'600'000'000'000, "1h0m0s"},
    {90'061'000'000'000, "25h1m1s"},
    {-1'500'000, "-1.5ms"},
    {std::numeric_limits<std::int64_t>::max(), "2562047h47m16.854775807s"},
    {std::numeric_limits<std::int64_t>::min(), "-2562047h47m16.854775808s"},
};

TEST_CASE("durations are written as Go does") {
  for (const WrittenDuration& row : kWritten) {
    CAPTURE(row.nanos);
    CHECK(format_duration({row.nanos}) == row.text);
  }
}

}  // namespace
}  // namespace dra::base::time_test

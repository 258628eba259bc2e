// src/cel/values/time_values.cpp: parsing, printing and arithmetic of times with upstream's checks
// for overflow.

#include "dra/cel/values/time_values.h"

#include <array>
#include <charconv>
#include <chrono>
#include <limits>

#include "dra/base/ascii.h"
#include "dra/base/text.h"
#include "dra/base/time.h"

namespace dra::cel {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // in nanoseconds
constexpr std::int64_t kDay = 86'400;            // in seconds
constexpr std::string_view kDurationOverflow = "integer overflow";

// Go counts seconds without a sign from the first of March of this year on, so that those before it
// are after all others. A message can hold such moments.
constexpr std::int64_t kFirstYear = -292'277'022'400;
constexpr std::int64_t kFirstSecond = -9'223'372'028'741'760'000;
// The calendar repeats after so many years; <chrono> has no more than 32767.
constexpr std::int64_t kYearsOfCycle = 400;
constexpr std::int64_t kDaysOfCycle = 146'097;
constexpr int kYearOfCycle = 2000;  // the one that <chrono> is asked about

// Removes numbers and signs from the front of a text, and remembers failures.
class TimeReader {
 public:
  explicit TimeReader(std::string_view text) : rest_(text) {}

  bool ok() const { return ok_; }
  bool done() const { return rest_.empty(); }
  char front() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool digit_at(std::size_t i) const { return i < rest_.size() && base::is_digit(rest_[i]); }

  char take() {
    const char c = front();
    if (!rest_.empty()) rest_.remove_prefix(1);
    return c;
  }
  void fail() { ok_ = false; }
  void expect(char c) {
    if (rest_.empty() || take() != c) fail();
  }
  // A number with this many digits, from `least` to `most`.
  int number(std::size_t digits, int least, int most) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!base::is_digit(front())) ok_ = false;
      value = value * 10 + (take() - '0');
      if (!ok_) return least;
    }
    if (value < least || value > most) ok_ = false;
    return value;
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

// ".678", ",678": digits below nanoseconds are dropped.
std::int32_t read_fraction(TimeReader& reader) {
  reader.take();
  std::int32_t nanos = 0;
  int digits = 0;
  for (; base::is_digit(reader.front()); ++digits) {
    const int digit = reader.take() - '0';
    if (digits < 9) nanos = nanos * 10 + digit;
  }
  for (; digits < 9; ++digits)
    nanos *= 10;
  return nanos;
}

// "Z", "+02:00"
std::int32_t read_offset(TimeReader& reader) {
  const char sign = reader.take();
  if (sign == 'Z') return 0;
  const int hours = reader.number(2, 0, 24);
  reader.expect(':');
  const int minutes = reader.number(2, 0, 60);
  if (sign != '+' && sign != '-') reader.fail();
  return (sign == '-' ? -1 : 1) * (hours * 60 + minutes) * 60;
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

Value moment_or_overflow(Moment moment, Scratch& scratch) {
  return in_range(moment) ? Value::timestamp(scratch.make<Moment>(moment))
                          : Value::error(kTimestampOverflow);
}

Value add_nanos(const Moment& moment, std::int64_t nanos, Scratch& scratch) {
  const std::int64_t sum = moment.nanos + nanos % kSecond;
  const std::int64_t whole = nanos / kSecond + floor_divide(sum, kSecond);
  Moment out = moment;
  if (__builtin_add_overflow(moment.seconds, whole, &out.seconds)) {
    return Value::error(kDurationOverflow);
  }
  out.nanos = static_cast<std::int32_t>(sum - floor_divide(sum, kSecond) * kSecond);
  return moment_or_overflow(out, scratch);
}

Value between(const Moment& later, const Moment& earlier) {
  std::int64_t nanos = 0;
  const bool fits =
      !__builtin_sub_overflow(later.seconds, earlier.seconds, &nanos) &&
      !__builtin_mul_overflow(nanos, kSecond, &nanos) &&
      !__builtin_add_overflow(nanos, std::int64_t{later.nanos} - earlier.nanos, &nanos);
  // Upstream's integers overflow here.
  return fits ? Value::duration(nanos) : Value::error("integer overflow");
}

}  // namespace

std::optional<Moment> parse_moment(std::string_view text) {
  TimeReader reader(text);
  const int year = reader.number(4, 0, 9999);
  reader.expect('-');
  const int month = reader.number(2, 1, 12);
  reader.expect('-');
  const int day = reader.number(2, 1, 31);
  reader.expect('T');
  const int hour = reader.number(reader.digit_at(1) ? 2 : 1, 0, 23);
  reader.expect(':');
  const int minute = reader.number(2, 0, 59);
  reader.expect(':');
  const int second = reader.number(2, 0, 59);
  Moment moment;
  const bool fraction = reader.front() == '.' || reader.front() == ',';
  if (fraction && reader.digit_at(1)) moment.nanos = read_fraction(reader);
  moment.offset = read_offset(reader);
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!reader.ok() || !reader.done() || !date.ok()) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  moment.seconds =
      days * kDay + std::int64_t{3600} * hour + std::int64_t{60} * minute + second - moment.offset;
  return moment;
}

std::string format_moment(const Moment& moment) {
  const DateTime date = date_time(moment, moment.offset);
  const auto two = [](std::int64_t number) { return base::format("{:02}", number); };
  std::string out = base::format(
      "{}{:04}-{}-{}T{}:{}:{}", date.year < 0 ? "-" : "", date.year < 0 ? -date.year : date.year,
      two(date.month + 1), two(date.day + 1), two(date.hour), two(date.minute), two(date.second));
  if (moment.nanos != 0) {
    out += base::format(".{:09}", moment.nanos);
    out.resize(out.find_last_not_of('0') + 1);
  }
  if (moment.offset == 0) return out + "Z";
  const std::int64_t minutes = (moment.offset < 0 ? -moment.offset : moment.offset) / 60;
  return out + (moment.offset < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60);
}

std::optional<std::int64_t> parse_nanos(std::string_view text) {
  // Only "0" needs no unit; the base layer would read other numbers as seconds.
  const bool bare = !text.empty() && base::is_digit(text.back());
  if (bare && text != "0" && text != "+0" && text != "-0") return std::nullopt;
  const Result<base::Duration> parsed = base::parse_duration(text);
  if (!parsed.ok()) return std::nullopt;
  return parsed.value().nanos;
}

std::string format_nanos(std::int64_t nanos) {
  const std::int64_t whole = nanos / kSecond;
  const double seconds = static_cast<double>(whole) + static_cast<double>(nanos % kSecond) / 1e9;
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), seconds,
                                 std::chars_format::fixed);
  return std::string(buffer.data(), end.ptr) + "s";
}

DateTime date_time(const Moment& moment, std::int64_t offset) {
  const std::uint64_t since = static_cast<std::uint64_t>(moment.seconds) +
                              static_cast<std::uint64_t>(offset) -
                              static_cast<std::uint64_t>(kFirstSecond);
  const auto days = static_cast<std::int64_t>(since / kDay);
  const auto of_day = static_cast<std::int64_t>(since % kDay);
  const std::int64_t cycles = days / kDaysOfCycle;
  const std::chrono::sys_days day =
      std::chrono::sys_days{std::chrono::year(kYearOfCycle) / std::chrono::March / 1} +
      std::chrono::days(days % kDaysOfCycle);
  const std::chrono::year_month_day date{day};
  const std::chrono::sys_days new_year{date.year() / std::chrono::January / 1};
  return {
      .year = kFirstYear + cycles * kYearsOfCycle + static_cast<int>(date.year()) - kYearOfCycle,
      .month = static_cast<std::int64_t>(static_cast<unsigned>(date.month())) - 1,
      .day = static_cast<std::int64_t>(static_cast<unsigned>(date.day())) - 1,
      .day_of_year = (day - new_year).count(),
      .weekday = std::chrono::weekday(day).c_encoding(),
      .hour = of_day / 3600,
      .minute = of_day / 60 % 60,
      .second = of_day % 60,
      .milliseconds = moment.nanos / 1'000'000};
}

Value add_times(const Value& left, const Value& right, Scratch& scratch) {
  if (left.is(ValueKind::Timestamp)) {
    if (!right.is(ValueKind::Duration)) return no_such_overload();
    return add_nanos(left.moment(), right.nanos(), scratch);
  }
  if (right.is(ValueKind::Timestamp)) return add_nanos(right.moment(), left.nanos(), scratch);
  if (!right.is(ValueKind::Duration)) return no_such_overload();
  std::int64_t sum = 0;
  if (__builtin_add_overflow(left.nanos(), right.nanos(), &sum)) {
    return Value::error(kDurationOverflow);
  }
  return Value::duration(sum);
}

Value subtract_times(const Value& left, const Value& right, Scratch& scratch) {
  if (left.is(ValueKind::Timestamp) && right.is(ValueKind::Timestamp)) {
    return between(left.moment(), right.moment());
  }
  if (!right.is(ValueKind::Duration)) return no_such_overload();
  std::int64_t difference = 0;
  const std::int64_t from = left.is(ValueKind::Timestamp) ? 0 : left.nanos();
  if (__builtin_sub_overflow(from, right.nanos(), &difference)) {
    return Value::error(kDurationOverflow);
  }
  if (left.is(ValueKind::Duration)) return Value::duration(difference);
  return add_nanos(left.moment(), difference, scratch);
}

}  // namespace dra::cel

// src/cel/values/zone_rule.cpp: parses POSIX rules for zones, see time_values.h.

#include "dra/cel/values/time_values.h"

#include <algorithm>
#include <chrono>

namespace dra::cel {
namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kSecondsOfDay = 24 * kHour;

// A day of each year, and a time on it.
struct Change {
  enum class Kind { Julian, DayOfYear, Weekday } kind = Kind::DayOfYear;
  std::int64_t day = 0;
  std::int64_t week = 0;
  std::int64_t month = 0;
  std::int64_t time = 2 * kHour;
};

class RuleReader {
 public:
  explicit RuleReader(std::string_view text) : rest_(text) {}

  bool ok() const { return ok_; }
  bool done() const { return rest_.empty(); }
  bool at(char c) const { return rest_.starts_with(c); }
  bool take(char c) {
    if (!at(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) { ok_ = take(c) && ok_; }

  // "CEST", "<+03>"
  void name() {
    if (take('<')) {
      rest_.remove_prefix(std::min(rest_.find('>'), rest_.size()));
      return expect('>');
    }
    const std::size_t length = std::min(rest_.find_first_of("0123456789,-+"), rest_.size());
    ok_ = ok_ && length >= 3;
    rest_.remove_prefix(length);
  }
  std::int64_t number(std::int64_t least, std::int64_t most) {
    std::int64_t value = 0;
    std::size_t digits = 0;
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9' && digits < 4; ++digits) {
      value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    ok_ = ok_ && digits > 0 && value >= least && value <= most;
    return value;
  }
  // "-3:30", hours up to a week
  std::int64_t time() {
    const std::int64_t sign = take('-') ? -1 : 1;
    if (sign > 0) take('+');
    std::int64_t value = number(0, 168) * kHour;
    if (take(':')) value += number(0, 59) * kMinute;
    if (take(':')) value += number(0, 59);
    return sign * value;
  }
  Change change() {
    Change out;
    if (take('M')) {
      out.kind = Change::Kind::Weekday;
      out.month = number(1, 12);
      expect('.');
      out.week = number(1, 5);
      expect('.');
      out.day = number(0, 6);
    } else if (take('J')) {
      out.kind = Change::Kind::Julian;
      out.day = number(1, 365);
    } else {
      out.day = number(0, 365);
    }
    if (take('/')) out.time = time();
    return out;
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

// The time of the change in a year: seconds since its beginning, on the clocks before it.
std::int64_t seconds_of(const Change& change, std::chrono::year year) {
  using namespace std::chrono;
  const sys_days new_year{year / January / 1};
  std::int64_t day = change.day;
  if (change.kind == Change::Kind::Julian) {  // 29 February is not counted
    day -= 1;
    if (year.is_leap() && change.day >= 60) ++day;
  } else if (change.kind == Change::Kind::Weekday) {
    const std::chrono::month in{static_cast<unsigned>(change.month)};
    const std::chrono::weekday on{static_cast<unsigned>(change.day)};
    const sys_days date = change.week == 5
                              ? sys_days{year / in / on[last]}
                              : sys_days{year / in / on[static_cast<unsigned>(change.week)]};
    day = (date - new_year).count();
  }
  return day * kSecondsOfDay + change.time;
}

}  // namespace

std::optional<std::int64_t> offset_by_rule(std::string_view rule, std::int64_t seconds) {
  RuleReader reader(rule);
  reader.name();
  const std::int64_t standard = -reader.time();
  if (!reader.ok()) return std::nullopt;
  if (reader.done()) return standard;
  reader.name();
  const std::int64_t daylight = reader.at(',') ? standard + kHour : -reader.time();
  reader.expect(',');
  const Change begins = reader.change();
  reader.expect(',');
  const Change ends = reader.change();
  if (!reader.ok() || !reader.done()) return std::nullopt;

  seconds %= kCalendarCycle;  // the year may be beyond those of <chrono>
  const std::chrono::sys_days day = std::chrono::floor<std::chrono::days>(
      std::chrono::sys_seconds(std::chrono::seconds(seconds)));
  const std::chrono::year year = std::chrono::year_month_day(day).year();
  const std::chrono::sys_days new_year{year / std::chrono::January / 1};
  const std::int64_t now = seconds - (new_year.time_since_epoch().count()) * kSecondsOfDay;
  const std::int64_t from = seconds_of(begins, year) - standard;
  const std::int64_t to = seconds_of(ends, year) - daylight;
  // In the southern hemisphere it is summer at both ends of the year.
  const bool within = from < to ? now >= from && now < to : now >= from || now < to;
  return within ? daylight : standard;
}

}  // namespace dra::cel

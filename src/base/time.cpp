// src/base/time.cpp: a proleptic Gregorian calendar, RFC 3339, Go's durations, and kubectl's ages.

#include "dra/base/time.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "dra/base/ascii.h"
#include "dra/base/text.h"

namespace dra::base {

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
constexpr std::int64_t kSecondsPerDay = 86'400;
constexpr std::int64_t kDaysPerYear = 365;  // in ages and in years that do not leap

constexpr std::uint64_t kSecond = kNanosPerSecond;  // for spans without a sign

// --- The calendar. Years are counted from March, so that the leap day is the last of its year. ---

struct Date {
  std::int64_t year;
  int month;
  int day;
};

constexpr std::int64_t kDaysPerEra = 146'097;   // 400 years
constexpr std::int64_t kDaysToEpoch = 719'468;  // from 0000-03-01 to 1970-01-01
constexpr std::int64_t kDaysFromMarch[] = {0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337};

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

std::int64_t days_since_epoch(const Date& date) {
  const std::int64_t year = date.month > 2 ? date.year : date.year - 1;
  const std::int64_t era = floor_div(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = kDaysFromMarch[(date.month + 9) % 12] + date.day - 1;
  const std::int64_t day_of_era =
      year_of_era * kDaysPerYear + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * kDaysPerEra + day_of_era - kDaysToEpoch;
}

Date date_of(std::int64_t days) {
  const std::int64_t shifted = days + kDaysToEpoch;
  const std::int64_t era = floor_div(shifted, kDaysPerEra);
  const std::int64_t day_of_era = shifted - era * kDaysPerEra;
  // Taking out the leap days of the era (every 1460, not every 36524, again the last) leaves years
  // of 365.
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / kDaysPerYear;
  const std::int64_t day_of_year =
      day_of_era - (year_of_era * kDaysPerYear + year_of_era / 4 - year_of_era / 100);
  const std::int64_t* next =
      std::upper_bound(std::begin(kDaysFromMarch), std::end(kDaysFromMarch), day_of_year);
  const int from_march = static_cast<int>(next - std::begin(kDaysFromMarch)) - 1;
  const int month = from_march < 10 ? from_march + 3 : from_march - 9;
  const int day = static_cast<int>(day_of_year - kDaysFromMarch[from_march]) + 1;
  return {era * 400 + year_of_era + (month <= 2 ? 1 : 0), month, day};
}

int days_in_month(int year, int month) {
  constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : days[month - 1];
}

// Reads a timestamp from left to right; the first thing out of place makes everything after it
// fail.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  int number(std::size_t digits, int min, int max) {
    int value = 0;
    const bool enough = rest_.size() >= digits;
    if (!enough || !std::all_of(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(digits),
                                is_digit)) {
      return fail(min);
    }
    for (const char c : rest_.substr(0, digits))
      value = value * 10 + (c - '0');
    rest_.remove_prefix(digits);
    return value < min || value > max ? fail(min) : value;
  }

  // Reads one of `choices` and returns it.
  char one_of(std::string_view choices) {
    if (rest_.empty() || choices.find(rest_.front()) == std::string_view::npos)
      return static_cast<char>(fail(0));
    const char taken = rest_.front();
    rest_.remove_prefix(1);
    return taken;
  }

  std::int32_t fraction() {
    if (rest_.empty() || rest_.front() != '.') return 0;
    rest_.remove_prefix(1);
    if (rest_.empty() || !is_digit(rest_.front())) return fail(0);
    std::int32_t nanos = 0;
    std::int32_t unit = 100'000'000;
    for (; !rest_.empty() && is_digit(rest_.front()); rest_.remove_prefix(1), unit /= 10) {
      nanos += (rest_.front() - '0') * unit;
    }
    return nanos;
  }

  bool done() const { return ok_ && rest_.empty(); }

 private:
  int fail(int value) {
    ok_ = false;
    rest_ = {};
    return value;
  }

  std::string_view rest_;
  bool ok_ = true;
};

// --- Durations, number by number as Go's time.ParseDuration reads them. ---

struct Unit {
  std::string_view name;
  std::uint64_t nanos;
};
constexpr Unit kUnits[] = {
    {"ns", 1},         {"us", 1'000},        {"\u00b5s", 1'000},    {"\u03bcs", 1'000},
    {"ms", 1'000'000}, {"s", 1'000'000'000}, {"m", 60'000'000'000}, {"h", 3'600'000'000'000},
};
constexpr std::uint64_t kLongest = std::uint64_t{1}
                                   << 63U;  // in magnitude; only negative spans reach it

std::string_view take_digits(std::string_view& text) {
  const auto count =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

// The nanoseconds in `.fraction` of a unit, in floating point as Go computes them. Digits that no
// longer fit in 63 bits are ignored.
std::uint64_t fraction_of(std::string_view digits, std::uint64_t unit) {
  std::uint64_t value = 0;
  double scale = 1;
  for (const char c : digits) {
    if (value > (kLongest - 1) / 10) break;
    const std::uint64_t longer = value * 10 + static_cast<std::uint64_t>(c - '0');
    if (longer > kLongest) break;
    value = longer;
    scale *= 10;
  }
  return static_cast<std::uint64_t>(static_cast<double>(value) *
                                    (static_cast<double>(unit) / scale));
}

// Reads one "1.5h" off the front of `text`.
std::optional<std::uint64_t> take_span(std::string_view& text) {
  const std::string_view whole = take_digits(text);
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = take_digits(text);
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  std::uint64_t value = 0;
  if (!whole.empty() &&
      std::from_chars(whole.data(), whole.data() + whole.size(), value).ec != std::errc()) {
    return std::nullopt;
  }
  const auto ends_unit = [](char c) { return c == '.' || is_digit(c); };
  const auto length =
      static_cast<std::size_t>(std::find_if(text.begin(), text.end(), ends_unit) - text.begin());
  const std::string_view name = text.substr(0, length);
  const Unit* unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                  [name](const Unit& candidate) { return candidate.name == name; });
  if (unit == std::end(kUnits) || value > kLongest / unit->nanos) return std::nullopt;
  text.remove_prefix(length);
  return value * unit->nanos + fraction_of(fraction, unit->nanos);
}

std::optional<Duration> parse_go_duration(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return Duration{};
  if (text.empty()) return std::nullopt;
  std::uint64_t total = 0;
  while (!text.empty()) {
    const std::optional<std::uint64_t> span = take_span(text);
    if (!span || *span > kLongest - total) return std::nullopt;
    total += *span;
  }
  if (negative) return Duration{static_cast<std::int64_t>(~total + 1)};
  if (total == kLongest) return std::nullopt;
  return Duration{static_cast<std::int64_t>(total)};
}

std::optional<Duration> parse_seconds(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t count = 0;
  std::int64_t nanos = 0;
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
  if (read.ec != std::errc() || __builtin_mul_overflow(count, kNanosPerSecond, &nanos))
    return std::nullopt;
  return Duration{nanos};
}

// "3d4h", or "3d" if the second unit is zero.
std::string two_units(std::int64_t major, char major_unit, std::int64_t minor, char minor_unit) {
  if (minor == 0) return format("{}{}", major, major_unit);
  return format("{}{}{}{}", major, major_unit, minor, minor_unit);
}

}  // namespace

Duration operator-(Instant later, Instant earlier) {
  // Seconds alone may overflow where nanoseconds of the other sign bring the sum back.
  const auto exact = (static_cast<Wide>(later.seconds) - earlier.seconds) * kNanosPerSecond +
                     (later.nanos - earlier.nanos);
  using Limits = std::numeric_limits<std::int64_t>;
  return {static_cast<std::int64_t>(std::clamp<Wide>(exact, Limits::min(), Limits::max()))};
}

Result<Instant> parse_rfc3339(std::string_view text) {
  Reader in(text);
  const int year = in.number(4, 0, 9999);
  in.one_of("-");
  const int month = in.number(2, 1, 12);
  in.one_of("-");
  const int day = in.number(2, 1, days_in_month(year, month));
  in.one_of("T");
  const std::int64_t hour = in.number(2, 0, 23);
  in.one_of(":");
  const std::int64_t minute = in.number(2, 0, 59);
  in.one_of(":");
  const int second = in.number(2, 0, 59);
  const std::int32_t nanos = in.fraction();
  const char zone = in.one_of("Z+-");
  std::int64_t offset = 0;
  if (zone == '+' || zone == '-') {
    offset = std::int64_t{in.number(2, 0, 24)} * 3600;  // Go takes an offset of 24 hours
    in.one_of(":");
    offset += std::int64_t{in.number(2, 0, 59)} * 60;
    if (zone == '-') offset = -offset;
  }
  if (!in.done()) {
    return Error{
        ErrorKind::BadInput,
        format("\"{}\" is not a time such as 2026-11-20T08:30:00Z", shorten_middle(text, 60)),
        {}};
  }
  const std::int64_t days = days_since_epoch({year, month, day});
  return Instant{days * kSecondsPerDay + hour * 3600 + minute * 60 + second - offset, nanos};
}

std::string format_rfc3339(Instant instant) {
  const std::int64_t days = floor_div(instant.seconds, kSecondsPerDay);
  const std::int64_t second = instant.seconds - days * kSecondsPerDay;
  const Date date = date_of(days);
  // A year before 0, which only an offset can make of a date that was written, has four digits,
  // too.
  const char* year = date.year < 0 ? "{:05}" : "{:04}";
  return format(year, date.year) + format("-{:02}-{:02}T{:02}:{:02}:{:02}Z", date.month, date.day,
                                          second / 3600, second / 60 % 60, second % 60);
}

std::string human_age(Duration age) {
  const std::int64_t seconds = age.nanos / kNanosPerSecond;  // towards zero: -1.9 s is -1
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return format("{}s", seconds);
  const std::int64_t minutes = seconds / 60;
  if (minutes < 10) return two_units(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return format("{}m", minutes);
  const std::int64_t hours = minutes / 60;
  if (hours < 8) return two_units(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return format("{}h", hours);
  const std::int64_t days = hours / 24;
  if (days < 8) return two_units(days, 'd', hours % 24, 'h');
  if (days < 2 * kDaysPerYear) return format("{}d", days);
  const std::int64_t years = days / kDaysPerYear;
  if (years < 8) return two_units(years, 'y', days % kDaysPerYear, 'd');
  return format("{}y", years);
}

Result<Duration> parse_duration(std::string_view text) {
  std::optional<Duration> parsed = parse_seconds(text);
  if (!parsed) parsed = parse_go_duration(text);
  if (parsed) return *parsed;
  return Error{ErrorKind::BadInput, format("\"{}\" is not a duration", shorten_middle(text, 40)),
               "give a number of seconds, or numbers with units such as 10s, 1m30s or 2h"};
}

namespace {

// "1.5" for 1500 of 1000: no zeros at the end.
std::string decimal(std::uint64_t value, std::uint64_t unit) {
  std::string text = format("{}", value / unit);
  std::uint64_t rest = value % unit;
  if (rest == 0) return text;
  text += '.';
  for (std::uint64_t digit = unit / 10; rest > 0; digit /= 10) {
    text += format("{}", rest / digit);
    rest %= digit;
  }
  return text;
}

}  // namespace

std::string format_duration(Duration duration) {
  // The smallest duration has no positive counterpart in 64 signed bits.
  const auto bits = static_cast<std::uint64_t>(duration.nanos);
  const std::uint64_t nanos = duration.nanos < 0 ? 0 - bits : bits;
  const char* sign = duration.nanos < 0 ? "-" : "";
  if (nanos == 0) return "0s";
  if (nanos < 1'000) return format("{}{}ns", sign, nanos);
  if (nanos < 1'000'000) return format("{}{}µs", sign, decimal(nanos, 1'000));
  if (nanos < kSecond) return format("{}{}ms", sign, decimal(nanos, 1'000'000));
  const std::uint64_t minutes = nanos / kSecond / 60;
  std::string text = decimal(nanos - minutes * 60 * kSecond, kSecond) + "s";
  if (minutes > 0) text = format("{}m{}", minutes % 60, text);
  if (minutes >= 60) text = format("{}h{}", minutes / 60, text);
  return sign + text;
}

}  // namespace dra::base

// src/cel/values/time_zone.cpp: offsets from zone data, which are files in the format of RFC 8536.

#include "dra/cel/values/time_values.h"

#include <cerrno>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "dra/base/files.h"
#include "dra/base/text.h"
#include "dra/cel/values/go_text.h"

namespace dra::cel {
namespace {

constexpr std::string_view kZoneData = "/usr/share/zoneinfo/";
constexpr std::int64_t kFarthest = 1'000'000;  // in minutes; no zone is as far from UTC

Error bad(std::string text) { return {ErrorKind::BadInput, std::move(text), {}}; }

// Upstream reports the system's error for files other than missing ones.
Error unreadable(std::string_view zone, const std::string& path, const Error& error) {
  const std::string reason = error.message.substr(error.message.find(path) + path.size() + 2);
  if (reason == std::generic_category().message(ENOENT))
    return bad(base::format("unknown time zone {}", zone));
  return bad(base::lower(reason.substr(0, 1)) + reason.substr(1));
}

// Upstream: strconv.Atoi.
Result<std::int64_t> number(std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with("+") && !digits.starts_with("+-")) digits.remove_prefix(1);
  std::int64_t value = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool all = end.ptr == digits.data() + digits.size();
  if (all && end.ec == std::errc()) return value;
  return Error{ErrorKind::BadInput,
               base::format("strconv.Atoi: parsing {}: {}", go_quoted(text),
                            all && !digits.empty() ? "value out of range" : "invalid syntax"),
               {}};
}

// "+02:00"
Result<std::int64_t> numeric_offset(std::string_view zone, std::size_t colon) {
  const std::int64_t hours = DRA_TRY(number(zone.substr(0, colon)));
  const std::int64_t minutes = DRA_TRY(number(zone.substr(colon + 1)));
  const bool near =
      hours > -kFarthest && hours < kFarthest && minutes > -kFarthest && minutes < kFarthest;
  if (!near) {
    return Error{ErrorKind::BadInput, base::format("timezone offset out of range: {}", zone), {}};
  }
  return (hours * 60 + (zone.front() == '-' ? -minutes : minutes)) * 60;
}

// Reads big-endian numbers; zeros after the end.
class Bytes {
 public:
  explicit Bytes(std::string_view data) : data_(data) {}

  bool has(std::size_t count) const { return data_.size() >= count; }
  void skip(std::size_t count) { data_.remove_prefix(std::min(count, data_.size())); }
  std::string_view rest() const { return data_; }
  std::int64_t number(std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const unsigned char byte = data_.empty() ? 0 : static_cast<unsigned char>(data_.front());
      value = (value << 8) | byte;
      skip(1);
    }
    return width == 4 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
  }

 private:
  std::string_view data_;
};

struct Counts {
  std::size_t utc, standard, leaps, times, types, letters;

  std::size_t size(std::size_t width) const {
    return times * (width + 1) + types * 6 + letters + leaps * (width + 4) + standard + utc;
  }
};

constexpr std::size_t kHeader = 44;

std::optional<Counts> read_header(Bytes& bytes) {
  if (!bytes.has(kHeader) || !bytes.rest().starts_with("TZif")) return std::nullopt;
  bytes.skip(20);
  const auto count = [&bytes] { return static_cast<std::size_t>(bytes.number(4)); };
  Counts counts{};
  counts.utc = count();
  counts.standard = count();
  counts.leaps = count();
  counts.times = count();
  counts.types = count();
  counts.letters = count();
  constexpr std::size_t most = 1 << 20;
  const bool sane = counts.utc < most && counts.standard < most && counts.leaps < most &&
                    counts.times < most && counts.types < 256 && counts.letters < most;
  return sane ? std::optional(counts) : std::nullopt;
}

struct Period {
  std::int64_t offset = 0;
  bool daylight = false;
};

// The offset at a moment, from the block of 64-bit times at the beginning of `bytes`.
std::optional<std::int64_t> offset_at(Bytes bytes, const Counts& counts, std::int64_t seconds) {
  if (counts.types == 0 || !bytes.has(counts.size(8))) return std::nullopt;
  std::size_t past = 0;  // number of past transitions
  for (std::size_t i = 0; i < counts.times; ++i) {
    if (bytes.number(8) <= seconds) past = i + 1;
  }
  std::vector<std::size_t> types;
  for (std::size_t i = 0; i < counts.times; ++i)
    types.push_back(static_cast<std::size_t>(bytes.number(1)));
  std::vector<Period> periods(counts.types);
  for (Period& period : periods) {
    period.offset = bytes.number(4);
    period.daylight = bytes.number(1) != 0;
    bytes.skip(1);
  }
  bytes.skip(counts.size(8) - counts.times * 9 - counts.types * 6);
  if (past == counts.times) {
    std::string_view rule = bytes.rest();
    if (rule.starts_with("\n")) rule.remove_prefix(1);
    const auto offset = offset_by_rule(rule.substr(0, rule.find('\n')), seconds);
    if (offset) return offset;
  }
  if (past > 0) {
    const std::size_t type = types[past - 1];
    return type < periods.size() ? std::optional(periods[type].offset) : std::nullopt;
  }
  for (const Period& period : periods) {
    if (!period.daylight) return period.offset;
  }
  return periods.front().offset;
}

// No value for other files, and for zone data of the first version.
std::optional<std::int64_t> offset_by_file(std::string_view data, std::int64_t seconds) {
  Bytes bytes(data);
  const std::optional<Counts> old = read_header(bytes);
  if (!old || !bytes.has(old->size(4))) return std::nullopt;
  bytes.skip(old->size(4));
  const std::optional<Counts> counts = read_header(bytes);
  return counts ? offset_at(bytes, *counts, seconds) : std::nullopt;
}

}  // namespace

Result<std::int64_t> offset_in_zone(std::string_view zone, std::int64_t seconds) {
  const std::size_t colon = zone.find(':');
  if (colon != std::string_view::npos) return numeric_offset(zone, colon);
  // "Local" is the zone of the control plane, whose clocks are in UTC.
  if (zone.empty() || zone == "UTC" || zone == "Local") return std::int64_t{0};
  if (zone.find("..") != std::string_view::npos || zone[0] == '/' || zone[0] == '\\') {
    return bad("time: invalid location name");
  }
  // Go's system calls reject such names.
  if (zone.find('\0') != std::string_view::npos) return bad("invalid argument");
  const std::string path = std::string(kZoneData) + std::string(zone);
  const Result<std::string> data = base::read_file(path);
  if (!data.ok()) return unreadable(zone, path, data.error());
  const std::optional<std::int64_t> offset = offset_by_file(data.value(), seconds);
  if (!offset) return bad("malformed time zone information");
  return *offset;
}

}  // namespace dra::cel

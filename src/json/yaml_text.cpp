// src/json/yaml_text.cpp: is_text_when_plain(): no null, boolean or number, no date, no number to
// base 60.

#include <chrono>
#include <cstddef>

#include "dra/base/ascii.h"
#include "src/json/yaml_scalar.h"

namespace dra::json {
namespace {

// Reads a text from the front. After the first failure everything fails.
class Scanner {
 public:
  explicit Scanner(std::string_view rest) : rest_(rest) {}

  bool done() const { return !failed_ && rest_.empty(); }
  bool at(char c) const { return !failed_ && rest_.starts_with(c); }
  bool at_digit(std::size_t i = 0) const {
    return !failed_ && i < rest_.size() && base::is_digit(rest_[i]);
  }

  void skip(char c) {
    if (at(c)) {
      rest_.remove_prefix(1);
    } else {
      failed_ = true;
    }
  }
  // As Go's time.Parse takes a space of the layout: any number of them.
  void skip_spaces() {
    while (at(' '))
      rest_.remove_prefix(1);
  }
  void skip_digits() {
    while (at_digit())
      rest_.remove_prefix(1);
  }
  // A number of `least` to `most` digits that lies in the range, or a failure.
  int number(std::size_t least, std::size_t most, int low, int high) {
    int value = 0;
    std::size_t count = 0;
    for (; count < most && at_digit(); ++count) {
      value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    if (count < least || value < low || value > high) failed_ = true;
    return value;
  }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

void scan_date(Scanner& scan) {
  const int year = scan.number(4, 4, 0, 9999);
  scan.skip('-');
  const auto month = static_cast<unsigned>(scan.number(1, 2, 1, 12));
  scan.skip('-');
  const auto last = std::chrono::year_month_day_last(
      std::chrono::year(year), std::chrono::month_day_last(std::chrono::month(month)));
  const bool valid = last.ok();
  scan.number(1, 2, 1, valid ? static_cast<int>(static_cast<unsigned>(last.day())) : 0);
}

void scan_time(Scanner& scan) {
  scan.number(1, 2, 0, 23);
  scan.skip(':');
  scan.number(1, 2, 0, 59);
  scan.skip(':');
  scan.number(1, 2, 0, 59);
  if (scan.at('.') || scan.at(',')) {
    scan.skip(scan.at('.') ? '.' : ',');
    scan.number(1, 1, 0, 9);
    scan.skip_digits();
  }
}

// time.Parse takes offsets up to 24 hours and 60 minutes.
void scan_zone(Scanner& scan) {
  if (scan.at('Z')) return scan.skip('Z');
  scan.skip(scan.at('-') ? '-' : '+');
  scan.number(2, 2, 0, 24);
  scan.skip(':');
  scan.number(2, 2, 0, 60);
}

// 2006-1-2, "2006-1-2 15:4:5.9", 2006-1-2T15:4:5.9Z and the same with t: as parseTimestamp.
bool is_timestamp(std::string_view text) {
  Scanner scan(text);
  scan_date(scan);
  if (scan.done()) return true;
  if (scan.at('T') || scan.at('t')) {
    scan.skip(scan.at('T') ? 'T' : 't');
    scan_time(scan);
    scan_zone(scan);
  } else {
    scan.skip(' ');
    scan.skip_spaces();
    scan_time(scan);
  }
  return scan.done();
}

// `[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?`: 1:30 is 90 to YAML 1.1.
bool is_base_60(std::string_view text) {
  std::size_t at = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const auto digit = [text](std::size_t i) { return i < text.size() && base::is_digit(text[i]); };
  const auto skip_digits = [&] {
    while (digit(at) || (at < text.size() && text[at] == '_'))
      ++at;
  };
  if (!digit(at)) return false;
  skip_digits();
  bool parts = false;
  while (at < text.size() && text[at] == ':' && digit(at + 1)) {
    parts = true;
    at += digit(at + 2) && text[at + 1] <= '5' ? 3 : 2;
  }
  if (parts && at < text.size() && text[at] == '.') {
    ++at;
    skip_digits();
  }
  return parts && at == text.size();
}

}  // namespace

bool is_text_when_plain(std::string_view text) {
  const std::optional<Value> meaning = resolve_plain_scalar(text);
  return meaning && meaning->is(Kind::String) && !is_timestamp(text) && !is_base_60(text);
}

}  // namespace dra::json

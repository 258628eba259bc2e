// src/checks/fields/go_scalars.cpp: Go's strconv, resource.Quantity and time.Parse as tests on
// text.

#include "src/checks/fields/go_scalars.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "dra/base/ascii.h"
#include "dra/base/quantity.h"
#include "dra/base/time.h"

namespace dra::checks {
namespace {

// The white space that Go's strings.TrimSpace removes and JSON does not escape (Go's encoder
// escapes U+2028 and U+2029). In UTF-8, as C++20 has no other spelling of the lowest code points.
constexpr std::string_view kSpaces[] = {
    " ",      "\xc2\x85", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004",
    "\u2005", "\u2006",   "\u2007", "\u2008", "\u2009", "\u200a", "\u202f", "\u205f", "\u3000",
};

std::string_view without_spaces(std::string_view text) {
  const auto in_front = [&text](std::string_view space) { return text.starts_with(space); };
  const auto behind = [&text](std::string_view space) { return text.ends_with(space); };
  for (auto found = std::ranges::find_if(kSpaces, in_front); found != std::end(kSpaces);
       found = std::ranges::find_if(kSpaces, in_front)) {
    text.remove_prefix(found->size());
  }
  for (auto found = std::ranges::find_if(kSpaces, behind); found != std::end(kSpaces);
       found = std::ranges::find_if(kSpaces, behind)) {
    text.remove_suffix(found->size());
  }
  return text;
}

// True for a time that ends with an offset such as "+01:30", within the limits of Go's parser.
bool ends_with_offset(std::string_view time) {
  constexpr std::size_t length = 6;
  if (time.size() < length) return false;
  const std::string_view offset = time.substr(time.size() - length);
  const bool sign = offset[0] == '+' || offset[0] == '-';
  for (const std::size_t digit : {1U, 2U, 4U, 5U}) {
    if (!base::is_digit(offset[digit])) return false;
  }
  return sign && offset[3] == ':' && offset.substr(1, 2) <= "24" && offset.substr(4) <= "60";
}

}  // namespace

std::optional<std::int64_t> go_integer(std::string_view literal) {
  std::int64_t value = 0;
  const char* end = literal.data() + literal.size();
  const auto [stopped, error] = std::from_chars(literal.data(), end, value);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return value;
}

bool is_go_quantity(std::string_view text) {
  base::Quantity value;
  return base::Quantity::read(without_spaces(text), value) == base::Quantity::Flaw::None;
}

bool is_go_time(std::string_view text) {
  constexpr std::size_t hour = 11;
  constexpr std::size_t fraction = 19;
  std::string time(text);
  if (time.size() > hour + 1 && time[hour + 1] == ':') time.insert(hour, "0");
  if (time.size() > fraction && time[fraction] == ',') time[fraction] = '.';
  if (ends_with_offset(time)) time.replace(time.size() - 6, 6, "Z");
  return base::parse_rfc3339(time).ok();
}

}  // namespace dra::checks

// src/cel/values/ip_address.cpp: a parser of both families that reports netip's errors.

#include "dra/cel/values/ip_address.h"

#include <algorithm>

#include "dra/base/ascii.h"
#include "dra/base/text.h"
#include "dra/cel/values/go_text.h"

namespace dra::cel {
namespace {

constexpr std::size_t kBytes = 16;
constexpr std::size_t kGroups = 8;

class AddressParser {
 public:
  explicit AddressParser(std::string_view text) : text_(text) {}

  bool parse() {
    const std::size_t at = text_.find_first_of(".:%");
    if (at == std::string_view::npos) return fail("unable to parse IP");
    // Perhaps a zone, but without an address.
    if (text_[at] == '%') return fail("missing IPv6 address");
    address.is_v4 = text_[at] == '.';
    return address.is_v4 ? parse_v4(text_, 0) : parse_v6();
  }

  Address address;
  std::string problem;

 private:
  enum class Next { Group, End, Failure };

  // Reports the error with the rest of the text from there, if there is one.
  bool fail(std::string_view message, std::string_view rest = {}) {
    problem = base::format("ParseAddr({}): {}", go_quoted(text_), message);
    if (!rest.empty()) problem += base::format(" (at {})", go_quoted(rest));
    return false;
  }
  Next failed(std::string_view message, std::string_view rest) {
    fail(message, rest);
    return Next::Failure;
  }

  // Parses four fields into the address from a byte on.
  bool parse_v4(std::string_view text, std::size_t to) {
    constexpr unsigned max = 255;
    unsigned value = 0;
    std::size_t field = 0;
    std::size_t digits = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (base::is_digit(text[i])) {
        if (digits == 1 && value == 0) return fail("IPv4 field has octet with leading zero");
        value = value * 10 + static_cast<unsigned>(text[i] - '0');
        ++digits;
        if (value > max) return fail("IPv4 field has value >255");
        continue;
      }
      if (text[i] != '.') return fail("unexpected character", text.substr(i));
      const bool empty = i == 0 || i + 1 == text.size() || text[i - 1] == '.';
      if (empty) return fail("IPv4 field must have at least one digit", text.substr(i));
      if (field == 3) return fail("IPv4 address too long");
      address.bytes[to + field++] = static_cast<std::uint8_t>(value);
      value = 0;
      digits = 0;
    }
    if (field < 3) return fail("IPv4 address too short");
    address.bytes[to + field] = static_cast<std::uint8_t>(value);
    return true;
  }

  bool parse_v6() {
    std::string_view rest = text_;
    if (const std::size_t at = rest.find('%'); at != std::string_view::npos) {
      if (at + 1 == rest.size()) return fail("zone must be a non-empty string");
      address.has_zone = true;
      rest = rest.substr(0, at);
    }
    if (rest.starts_with("::")) {
      gap_ = 0;
      rest.remove_prefix(2);
      if (rest.empty()) return true;
    }
    Next next = Next::Group;
    while (next == Next::Group && filled_ < kBytes)
      next = parse_group(rest);
    if (next == Next::Failure) return false;
    if (!rest.empty()) return fail("trailing garbage after address", rest);
    return fill_gap();
  }

  // Parses a group and the colons after it, or the IPv4 address at the end.
  Next parse_group(std::string_view& rest) {
    unsigned value = 0;
    std::size_t digits = 0;
    for (; digits < rest.size(); ++digits) {
      const std::optional<unsigned> digit = base::hex_digit(rest[digits]);
      if (!digit) break;
      if (digits > 3) return failed("each group must have 4 or less digits", rest);
      value = value * 16 + *digit;
    }
    if (digits == 0) {
      return failed("each colon-separated field must have at least one digit", rest);
    }
    if (digits < rest.size() && rest[digits] == '.') return parse_embedded(rest);
    address.bytes[filled_] = static_cast<std::uint8_t>(value / 256);
    address.bytes[filled_ + 1] = static_cast<std::uint8_t>(value % 256);
    filled_ += 2;
    rest.remove_prefix(digits);
    return rest.empty() ? Next::End : parse_colons(rest);
  }

  Next parse_colons(std::string_view& rest) {
    if (rest[0] != ':') return failed("unexpected character, want colon", rest);
    if (rest.size() == 1) return failed("colon must be followed by more characters", rest);
    rest.remove_prefix(1);
    if (rest[0] != ':') return Next::Group;
    if (gap_) return failed("multiple :: in address", rest);
    gap_ = filled_;
    rest.remove_prefix(1);
    return rest.empty() ? Next::End : Next::Group;
  }

  Next parse_embedded(std::string_view& rest) {
    if (!gap_ && filled_ != 12) {
      return failed("embedded IPv4 address must replace the final 2 fields of the address", rest);
    }
    if (filled_ + 4 > kBytes) {
      return failed("too many hex fields to fit an embedded IPv4 at the end of the address", rest);
    }
    if (!parse_v4(rest, filled_)) return Next::Failure;
    filled_ += 4;
    rest = {};
    return Next::End;
  }

  // `::` stands for the missing zeros, at least one group.
  bool fill_gap() {
    if (filled_ == kBytes) {
      return !gap_ || fail("the :: must expand to at least one field of zeros");
    }
    if (!gap_) return fail("address string too short");
    auto* const begin = address.bytes.begin() + *gap_;
    auto* const end = address.bytes.begin() + filled_;
    std::move_backward(begin, end, address.bytes.end());
    std::fill(begin, begin + (kBytes - filled_), std::uint8_t{0});
    return true;
  }

  std::string_view text_;
  std::size_t filled_ = 0;          // number of parsed bytes
  std::optional<std::size_t> gap_;  // position of `::`
};

// The longest run of zero groups, the first of equal ones; two or more become `::`.
std::pair<std::size_t, std::size_t> longest_zeros(const Address& address) {
  std::size_t start = kGroups;
  std::size_t length = 1;
  for (std::size_t i = 0; i < kGroups; ++i) {
    std::size_t j = i;
    while (j < kGroups && address.group(j) == 0)
      ++j;
    if (j - i <= length) continue;
    start = i;
    length = j - i;
  }
  return {start, start == kGroups ? 0 : length};
}

}  // namespace

bool Address::is_mapped() const {
  const bool zeros = std::all_of(bytes.begin(), bytes.begin() + 10, [](auto b) { return b == 0; });
  return !is_v4 && zeros && group(5) == 0xFFFF;
}

std::uint16_t Address::group(std::size_t at) const {
  return static_cast<std::uint16_t>(bytes[2 * at] * 256 + bytes[2 * at + 1]);
}

std::string Address::to_string() const {
  const auto dotted = [this](std::size_t at) {
    return base::format("{}.{}.{}.{}", bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]);
  };
  if (is_v4) return dotted(0);
  if (is_mapped()) return "::ffff:" + dotted(12);
  const auto [start, length] = longest_zeros(*this);
  std::string out;
  for (std::size_t i = 0; i < kGroups; ++i) {
    if (i == start) {
      out += "::";
      i += length;
      if (i >= kGroups) break;
    } else if (i > 0) {
      out += ":";
    }
    out += base::format("{:x}", group(i));
  }
  return out;
}

std::optional<Address> parse_address(std::string_view text, std::string& problem) {
  AddressParser parser(text);
  if (parser.parse()) return parser.address;
  problem = std::move(parser.problem);
  return std::nullopt;
}

bool same_prefix(const Address& a, const Address& b, int bits) {
  return a.is_v4 == b.is_v4 && masked(a, bits).bytes == masked(b, bits).bytes;
}

Address masked(Address address, int bits) {
  for (int i = 0; i < static_cast<int>(kBytes); ++i) {
    const int kept = std::clamp(bits - 8 * i, 0, 8);
    address.bytes[static_cast<std::size_t>(i)] &= static_cast<std::uint8_t>(0xFF00U >> kept);
  }
  return address;
}

}  // namespace dra::cel

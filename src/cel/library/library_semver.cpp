// src/cel/library/library_semver.cpp: functions of semantic versions. Upstream:
// k8s.io/apiserver/pkg/cel/library/semverlib.go, github.com/blang/semver/v4.

#include <algorithm>
#include <charconv>

#include "dra/base/ascii.h"
#include "dra/base/text.h"
#include "dra/cel/library/kubernetes.h"
#include "dra/cel/library/library.h"
#include "dra/cel/values/go_text.h"
#include "dra/cel/values/opaque.h"
#include "dra/cel/values/semver_value.h"

namespace dra::cel {
namespace {

using base::format;

// The error of a text; no value if it is valid.
using Problem = std::optional<std::string>;

bool is_identifier_character(char c) {
  return base::is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

bool has_leading_zero(std::string_view digits) { return digits.size() > 1 && digits[0] == '0'; }

// strconv.ParseUint for digits.
Problem read_digits(std::string_view digits, std::uint64_t& out) {
  if (digits.empty()) return R"(strconv.ParseUint: parsing "": invalid syntax)";
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (read.ec == std::errc()) return std::nullopt;
  return format("strconv.ParseUint: parsing \"{}\": value out of range", digits);
}

Problem read_number(std::string_view part, std::string_view name, std::uint64_t& out) {
  if (!std::ranges::all_of(part, base::is_digit)) {
    return format("Invalid character(s) found in {} number {}", name, go_quoted(part));
  }
  if (!has_leading_zero(part)) return read_digits(part, out);
  const char capital = static_cast<char>(name[0] - 'a' + 'A');
  return format("{}{} number must not contain leading zeroes {}", std::string(1, capital),
                name.substr(1), go_quoted(part));
}

// Removes and returns the text before the separator, and the separator; everything if there is
// none.
std::string_view cut_before(std::string_view& rest, char separator) {
  const std::size_t at = rest.find(separator);
  const std::string_view before = rest.substr(0, at);
  rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
  return before;
}

Problem check_prerelease(std::string_view part) {
  if (part.empty()) return "Prerelease is empty";
  if (!std::ranges::all_of(part, is_identifier_character)) {
    return format("Invalid character(s) found in prerelease {}", go_quoted(part));
  }
  if (!std::ranges::all_of(part, base::is_digit)) return std::nullopt;
  if (has_leading_zero(part)) {
    return format("Numeric PreRelease version must not contain leading zeroes {}", go_quoted(part));
  }
  std::uint64_t number = 0;
  return read_digits(part, number);
}

Problem check_build(std::string_view part) {
  if (part.empty()) return "Build meta data is empty";
  if (std::ranges::all_of(part, is_identifier_character)) return std::nullopt;
  return format("Invalid character(s) found in build meta data {}", go_quoted(part));
}

template <class Check>
Problem check_parts(std::string_view text, Check check) {
  for (const std::string_view part : base::split(text, '.')) {
    if (Problem problem = check(part)) return problem;
  }
  return std::nullopt;
}

// The third part with its suffix: "1-rc.1+build".
Problem read_patch(std::string_view text, Version& out) {
  const std::size_t plus = text.find('+');
  const std::string_view before = text.substr(0, plus);
  const std::size_t minus = before.find('-');
  Problem problem = read_number(before.substr(0, minus), "patch", out.patch);
  if (!problem && minus != std::string_view::npos) {
    out.prerelease = before.substr(minus + 1);
    problem = check_parts(out.prerelease, check_prerelease);
  }
  if (!problem && plus != std::string_view::npos) {
    problem = check_parts(text.substr(plus + 1), check_build);
  }
  return problem;
}

// Fast path for "570.124.6", as nearly all versions are: three short numbers. False for all others,
// valid or not.
bool read_plain(std::string_view text, Version& out) {
  constexpr std::size_t longest = 18;  // number of digits that fits into 64 bits
  std::uint64_t* const numbers[] = {&out.major, &out.minor, &out.patch};
  std::size_t at = 0;
  for (std::uint64_t* number : numbers) {
    const std::size_t start = at;
    *number = 0;
    for (; at < text.size() && base::is_digit(text[at]); ++at)
      *number = *number * 10 + static_cast<std::uint64_t>(text[at] - '0');
    const std::string_view digits = text.substr(start, at - start);
    if (digits.empty() || digits.size() > longest || has_leading_zero(digits)) return false;
    if (number != &out.patch && (at == text.size() || text[at++] != '.')) return false;
  }
  out.text = text;
  return at == text.size();
}

// semver.Parse
Problem read_version(std::string_view text, Version& out) {
  if (read_plain(text, out)) return std::nullopt;
  out = {};
  if (text.empty()) return "Version string empty";
  if (std::ranges::count(text, '.') < 2) return "No Major.Minor.Patch elements found";
  out.text = text;
  Problem problem = read_number(cut_before(text, '.'), "major", out.major);
  if (!problem) problem = read_number(cut_before(text, '.'), "minor", out.minor);
  if (!problem) problem = read_patch(text, out);
  return problem;
}

std::string without_leading_zeros(std::string_view part) {
  if (part.size() < 2) return std::string(part);
  const std::size_t zeros = std::min(part.find_first_not_of('0'), part.size());
  part.remove_prefix(zeros);
  const bool number = !part.empty() && base::is_digit(part[0]);
  return (number ? "" : "0") + std::string(part);
}

// normalizeAndParse: "v1.02" is 1.2.0. No value for a short version with a suffix.
std::optional<std::string> normalized(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  const auto dots = std::ranges::count(text, '.');
  std::string out;
  std::string_view last;
  for (int i = 0; i < 3 && i <= dots; ++i) {
    last = i < 2 ? cut_before(text, '.') : text;
    out += (i == 0 ? "" : ".") + without_leading_zeros(last);
  }
  if (dots < 2 && last.find_first_of("+-") != std::string_view::npos) return std::nullopt;
  for (auto i = dots; i < 2; ++i)
    out += ".0";
  return out;
}

// The version in the arguments, with or without normalization. The scratch keeps a normalized text.
Problem read_arguments(const Invocation& call, Version& out) {
  const std::string_view text = call.args[0].text();
  if (call.args.size() < 2 || call.args[1].is_false()) return read_version(text, out);
  const std::optional<std::string> normal = normalized(text);
  if (!normal) return "short version cannot contain PreRelease/Build meta data";
  return read_version(call.scratch.keep(*normal), out);
}

Value version_from_string(const Invocation& call) {
  Version version;
  if (const Problem problem = read_arguments(call, version)) return call.scratch.failure(*problem);
  return Value::opaque(call.scratch.make<SemverValue>(version));
}

Value is_semver(const Invocation& call) {
  Version version;
  return Value::boolean(!read_arguments(call, version).has_value());
}

const Version& version(const Invocation& call, std::size_t at = 0) {
  return opaque<SemverValue>(call.args[at]).version();
}

// Numbers beyond int64 wrap around, as in Go.
Value number(std::uint64_t value) { return Value::integer(static_cast<std::int64_t>(value)); }
Value major(const Invocation& call) { return number(version(call).major); }
Value minor(const Invocation& call) { return number(version(call).minor); }
Value patch(const Invocation& call) { return number(version(call).patch); }

std::strong_ordering order_of(const Invocation& call) {
  return order(version(call), version(call, 1));
}
Value compare_versions(const Invocation& call) {
  const std::strong_ordering found = order_of(call);
  return Value::integer(std::is_lt(found) ? -1 : std::is_gt(found) ? 1 : 0);
}
Value is_greater_version(const Invocation& call) {
  return Value::boolean(std::is_gt(order_of(call)));
}
Value is_less_version(const Invocation& call) { return Value::boolean(std::is_lt(order_of(call))); }

// Numbers precede words; without leading zeros, the longer number is the greater.
std::strong_ordering order_identifiers(std::string_view a, std::string_view b) {
  const bool a_is_number = std::ranges::all_of(a, base::is_digit);
  const bool b_is_number = std::ranges::all_of(b, base::is_digit);
  if (a_is_number != b_is_number) return b_is_number <=> a_is_number;
  if (a_is_number && a.size() != b.size()) return a.size() <=> b.size();
  return a <=> b;
}

// A version without a prerelease follows those with one, a shorter prerelease precedes a longer
// one.
std::strong_ordering order_prereleases(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.empty() <=> b.empty();
  while (!a.empty() && !b.empty()) {
    const std::strong_ordering found = order_identifiers(cut_before(a, '.'), cut_before(b, '.'));
    if (found != std::strong_ordering::equal) return found;
  }
  return b.empty() <=> a.empty();
}

constexpr OverloadCode kSemverOverloads[] = {
    {"is_semver_string", is_semver},
    {"is_semver_string_bool", is_semver},
    {"semver_compare_to", compare_versions},
    {"semver_is_greater_than", is_greater_version},
    {"semver_is_less_than", is_less_version},
    {"semver_major", major},
    {"semver_minor", minor},
    {"semver_patch", patch},
    {"string_bool_to_semver", version_from_string},
    {"string_to_semver", version_from_string},
};

}  // namespace

std::strong_ordering order(const Version& a, const Version& b) {
  if (a.major != b.major) return a.major <=> b.major;
  if (a.minor != b.minor) return a.minor <=> b.minor;
  if (a.patch != b.patch) return a.patch <=> b.patch;
  return order_prereleases(a.prerelease, b.prerelease);
}

std::optional<bool> SemverValue::equals(const Value& other) const {
  const auto* right = opaque_if<SemverValue>(other);
  if (right == nullptr) return std::nullopt;
  return order(version_, right->version_) == std::strong_ordering::equal;
}

Value parse_semver(std::string_view text, Scratch& scratch) {
  Version version;
  if (const Problem problem = read_version(text, version)) return scratch.failure(*problem);
  return Value::opaque(scratch.make<SemverValue>(version));
}

bool is_semver(std::string_view text) {
  Version version;
  return !read_version(text, version);
}

std::optional<std::weak_ordering> compare_semvers(std::string_view a, std::string_view b) {
  Version left;
  Version right;
  if (read_version(a, left) || read_version(b, right)) return std::nullopt;
  return order(left, right);
}

std::span<const OverloadCode> semver_codes() { return kSemverOverloads; }

}  // namespace dra::cel

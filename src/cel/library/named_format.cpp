// src/cel/library/named_format.cpp: the rules. Upstream: k8s.io/apimachinery/pkg/api/validation
// (generic.go), pkg/util/validation, pkg/api/validate/content, k8s.io/kube-openapi
// pkg/validation/strfmt. Patterns are matched by hand; the messages quote them.

#include "src/cel/library/named_format.h"

#include <algorithm>
#include <array>

#include "dra/base/ascii.h"
#include "dra/base/names.h"
#include "dra/base/text.h"
#include "dra/cel/syntax/utf8.h"
#include "dra/cel/values/opaque.h"
#include "dra/cel/values/url.h"

namespace dra::cel {
namespace {

using Problems = NamedFormat::Problems;
using base::format;

// --- names

constexpr std::string_view kBadLabel =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kBadSubdomain =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view kBad1035Label =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
    "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
    "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kBadName =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kBadValue =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    "or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

// Upstream's two packages use two words for this.
std::string too_long(std::size_t most, std::string_view unit) {
  return format("must be no more than {} {}", most, unit);
}

Problems dns1123_label(std::string_view text) {
  Problems out;
  if (text.size() > base::kMaxDnsLabel) out.push_back(too_long(base::kMaxDnsLabel, "characters"));
  if (!base::has_dns_label_form(text))
    out.emplace_back(base::has_dns_subdomain_form(text) ? "must not contain dots" : kBadLabel);
  return out;
}

Problems subdomain(std::string_view text, std::string_view unit) {
  Problems out;
  if (text.size() > base::kMaxDnsSubdomain) out.push_back(too_long(base::kMaxDnsSubdomain, unit));
  if (!base::has_dns_subdomain_form(text)) out.emplace_back(kBadSubdomain);
  return out;
}

Problems dns1123_subdomain(std::string_view text) { return subdomain(text, "characters"); }

Problems dns1035_label(std::string_view text) {
  Problems out;
  if (text.size() > base::kMaxDnsLabel) out.push_back(too_long(base::kMaxDnsLabel, "characters"));
  if (!base::has_dns_label_form(text) || !base::is_lower(text.front()))
    out.emplace_back(kBad1035Label);
  return out;
}

// A prefix may end with a dash, as more characters follow. Upstream replaces the dash and the
// character before it.
template <Problems (*Validate)(std::string_view)>
Problems as_prefix(std::string_view text) {
  if (text.size() < 2 || !text.ends_with('-')) return Validate(text);
  return Validate(std::string(text.substr(0, text.size() - 2)) + "a");
}

Problems qualified_name(std::string_view text) {
  Problems out;
  const std::vector<std::string_view> parts = base::split(text, '/');
  if (parts.size() > 2) {
    return {
        format("a valid label key {} with an optional DNS subdomain prefix and '/' (e.g. "
               "'example.com/MyName')",
               kBadName)};
  }
  if (parts.size() == 2 && parts[0].empty()) {
    out.emplace_back("prefix part must be non-empty");
  } else if (parts.size() == 2) {
    for (const std::string& problem : subdomain(parts[0], "bytes"))
      out.push_back("prefix part " + problem);
  }
  const std::string_view name = parts.back();
  if (name.empty()) out.emplace_back("name part must be non-empty");
  if (name.size() > base::kMaxDnsLabel)
    out.push_back("name part " + too_long(base::kMaxDnsLabel, "bytes"));
  if (!base::has_label_name_form(name)) out.push_back(format("name part {}", kBadName));
  return out;
}

Problems label_value(std::string_view text) {
  Problems out;
  if (text.size() > base::kMaxDnsLabel) out.push_back(too_long(base::kMaxDnsLabel, "bytes"));
  if (!text.empty() && !base::has_label_name_form(text)) out.emplace_back(kBadValue);
  return out;
}

// --- other formats

Problems only_if(bool wrong, std::string_view problem) {
  return wrong ? Problems{std::string(problem)} : Problems{};
}

Problems uri(std::string_view text) {
  std::optional<std::string> problem = problem_of_request_uri(text);
  return problem ? Problems{*std::move(problem)} : Problems{};
}

// 8-4-4-4-12 hexadecimal digits, each dash optional.
bool is_uuid(std::string_view text) {
  constexpr std::array<std::size_t, 5> groups = {8, 4, 4, 4, 12};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i > 0 && text.starts_with('-')) text.remove_prefix(1);
    if (text.size() < groups[i]) return false;
    const bool hex = std::ranges::all_of(text.substr(0, groups[i]), [](char c) {
      return base::is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    });
    if (!hex) return false;
    text.remove_prefix(groups[i]);
  }
  return text.empty();
}

Problems uuid(std::string_view text) {
  return only_if(!is_uuid(text), "does not match the UUID format");
}

// Groups of four, the last one padded; not empty.
bool is_base64(std::string_view text) {
  if (text.empty() || text.size() % 4 != 0) return false;
  text.remove_suffix(text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0);
  return std::ranges::all_of(
      text, [](char c) { return base::is_letter_or_digit(c) || c == '+' || c == '/'; });
}

Problems byte(std::string_view text) { return only_if(!is_base64(text), "invalid base64"); }

// Removes digits from the beginning of a text.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(0, count)) {
    if (!base::is_digit(c)) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

int days_in(int month, int year) {
  constexpr std::array<int, 12> days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : days[static_cast<std::size_t>(month - 1)];
}

bool is_date(std::string_view text) {
  const std::optional<int> year = take_digits(text, 4);
  if (!year || !take(text, '-')) return false;
  const std::optional<int> month = take_digits(text, 2);
  if (!month || *month < 1 || *month > 12 || !take(text, '-')) return false;
  const std::optional<int> day = take_digits(text, 2);
  return day && *day >= 1 && *day <= days_in(*month, *year) && text.empty();
}

// "z" or "+01:00", of any size.
bool is_zone(std::string_view text) {
  if (text == "z") return true;
  if (!take(text, '+') && !take(text, '-')) return false;
  return take_digits(text, 2) && take(text, ':') && take_digits(text, 2) && text.empty();
}

// "23:59:59.5z". Upstream's pattern accepts any character as the point.
bool is_time(std::string_view text) {
  const std::optional<int> hour = take_digits(text, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return false;
  const std::optional<int> minute = take_digits(text, 2);
  if (!minute || *minute > 59 || !take(text, ':')) return false;
  const std::optional<int> second = take_digits(text, 2);
  if (!second || *second > 59) return false;
  if (text.empty() || is_zone(text)) return !text.empty();
  if (text[0] == '\n') return false;
  text.remove_prefix(std::max<std::size_t>(1, decode_utf8(text).size));
  const auto digits =
      static_cast<std::size_t>(std::ranges::find_if_not(text, base::is_digit) - text.begin());
  return digits > 0 && is_zone(text.substr(digits));
}

// A second `t` and what follows are ignored.
bool is_datetime(std::string_view text) {
  const std::string small = base::lower(text);
  const std::vector<std::string_view> parts = base::split(small, 't');
  return parts.size() > 1 && is_date(parts[0]) && is_time(parts[1]);
}

Problems date(std::string_view text) { return only_if(!is_date(text), "invalid date"); }
Problems datetime(std::string_view text) { return only_if(!is_datetime(text), "invalid datetime"); }

// Upstream's pattern sizes, for costs.
constexpr std::size_t kLabelPattern = 30;
constexpr std::size_t kSubdomainPattern = 60;
constexpr std::size_t kValuePattern = 40;
constexpr std::size_t kUriPattern = 1103;
constexpr std::size_t kUuidPattern = 70;
constexpr std::size_t kBase64Pattern = 84;
constexpr std::size_t kTimePattern = 71;

constexpr NamedFormat kFormats[] = {
    {"byte", kBase64Pattern, byte},
    {"date", kTimePattern, date},
    {"datetime", kTimePattern, datetime},
    {"dns1035Label", kLabelPattern, dns1035_label},
    {"dns1035LabelPrefix", kLabelPattern, as_prefix<dns1035_label>},
    {"dns1123Label", kLabelPattern, dns1123_label},
    {"dns1123LabelPrefix", kLabelPattern, as_prefix<dns1123_label>},
    {"dns1123Subdomain", kSubdomainPattern, dns1123_subdomain},
    {"dns1123SubdomainPrefix", kSubdomainPattern, as_prefix<dns1123_subdomain>},
    {"labelValue", kValuePattern, label_value},
    {"qualifiedName", kSubdomainPattern, qualified_name},
    {"uri", kUriPattern, uri},
    {"uuid", kUuidPattern, uuid},
};

}  // namespace

std::optional<bool> NamedFormat::equals(const Value& other) const {
  const auto* right = opaque_if<NamedFormat>(other);
  return right == nullptr ? std::nullopt : std::optional(name_ == right->name_);
}

std::span<const NamedFormat> named_formats() { return kFormats; }

}  // namespace dra::cel

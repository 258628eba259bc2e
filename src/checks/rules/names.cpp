// src/checks/rules/names.cpp: each rule reports what the name may consist of, and a valid name that
// is near.

#include "src/checks/rules/names.h"

#include <algorithm>
#include <set>

#include "dra/base/ascii.h"
#include "dra/base/names.h"
#include "dra/base/text.h"
#include "dra/checks/lint/known_attributes.h"

namespace dra::checks {
namespace {

using base::format;

constexpr std::size_t kMaxShown = 60;       // characters of an invalid name in a message
constexpr std::size_t kMaxIdentifier = 32;  // DeviceMaxIDLength

std::string shown(std::string_view text) {
  return format("\"{}\"", base::shorten_middle(text, kMaxShown));
}

std::string too_long(std::string_view text, std::size_t most) {
  return format("is {} bytes long; at most {} are allowed", text.size(), most);
}

bool is_right(std::string_view text, std::string_view what) {
  return what == "DNS label" ? base::is_dns_label(text) : base::is_dns_subdomain(text);
}

// The rule for a DNS name, and a valid name near to the text if there is one.
std::string dns_words(std::string_view text, std::string_view what) {
  std::string words = format(
      "{} is not a valid {}: small letters, digits and \"-\"{}, with a letter or digit at both "
      "ends",
      shown(text), what, what == "DNS label" ? "" : " in parts joined by \".\"");
  const std::string small = base::lower(text);
  if (small != text && is_right(small, what)) words += format("; \"{}\" would be one", small);
  return words;
}

void check_dns(const Field& field, std::string_view text, std::string_view what, Rule rule) {
  const bool label = what == "DNS label";
  const std::size_t most = label ? base::kMaxDnsLabel : base::kMaxDnsSubdomain;
  if (text.size() > most) field.error(ErrorType::Invalid, too_long(text, most), rule);
  const bool formed = label ? base::has_dns_label_form(text) : base::has_dns_subdomain_form(text);
  if (formed) return;
  std::string small = base::lower(text);
  if (field.text() != text || !is_right(small, what)) small.clear();
  field.error(ErrorType::Invalid, dns_words(text, what), rule, std::move(small));
}

void check_identifier(const Field& field, std::string_view id, Rule rule) {
  if (id.size() > kMaxIdentifier)
    field.error(ErrorType::TooLong,
                format("the name {} {}", shown(id), too_long(id, kMaxIdentifier)), rule);
  if (!base::is_c_identifier(id))
    field.error(ErrorType::Invalid,
                format("the name {} can hold letters, digits and \"_\" only, and no digit first",
                       shown(id)),
                rule);
}

// The domain of a qualified name follows the rules for driver names.
void check_domain(const Field& field, std::string_view domain, Rule rule) {
  if (domain.size() > base::kMaxDnsLabel)
    field.error(ErrorType::TooLong,
                format("the domain {} {}", shown(domain), too_long(domain, base::kMaxDnsLabel)),
                rule);
  // Generated rules do not allow capital letters.
  const std::string small = rule == Rule::Written ? base::lower(domain) : std::string(domain);
  if (!base::is_dns_subdomain(small)) {
    field.error(ErrorType::Invalid, dns_words(domain, "DNS name"), rule);
  }
}

// Names with more than one slash pass: upstream checks those with one or none.
void check_parts(const Field& field, std::string_view name, Rule rule) {
  const auto parts = base::split(name, '/');
  if (parts.size() == 1) return check_identifier(field, name, rule);
  if (parts.size() != 2) return;
  if (parts[0].empty()) {
    field.error(ErrorType::Invalid, "nothing stands before the \"/\"; it should be a domain", rule);
  } else {
    check_domain(field, parts[0], rule);
  }
  if (parts[1].empty()) {
    field.error(ErrorType::Invalid, "nothing stands behind the \"/\"; it should be a name", rule);
  } else {
    check_identifier(field, parts[1], rule);
  }
}

// A number without leading zeros.
bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, base::is_digit) &&
         (text == "0" || text[0] != '0');
}

// A part of a pre-release or build of a version.
bool is_identifier(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return base::is_digit(c) || c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

bool is_part(std::string_view part) {
  return part.size() <= kMaxIdentifier && base::is_c_identifier(part);
}

}  // namespace

void check_dns_label(const Field& field, Rule rule) {
  check_dns(field, field.text(), "DNS label", rule);
}

void check_dns_subdomain(const Field& field, Rule rule) {
  check_dns(field, field.text(), "DNS name", rule);
}

void check_driver_name(const Field& field, Rule rule) {
  if (field.is_blank()) {
    field.error(ErrorType::Required, "the driver's name is missing, such as gpu.example.com", rule);
    return;
  }
  if (!field.is_text()) return;
  const std::string_view name = field.text();
  if (name.size() > base::kMaxDnsLabel)
    field.error(ErrorType::TooLong, too_long(name, base::kMaxDnsLabel), rule);
  if (!base::is_dns_subdomain(base::lower(name)))
    field.error(ErrorType::Invalid, dns_words(name, "DNS name"), rule);
}

void check_pool_name(const Field& field, Rule rule) {
  if (field.is_blank()) {
    field.error(ErrorType::Required, "the pool's name is missing; drivers mostly use the node's",
                rule);
    return;
  }
  if (!field.is_text()) return;
  const std::string_view name = field.text();
  if (name.size() > base::kMaxDnsSubdomain)
    field.error(ErrorType::TooLong, too_long(name, base::kMaxDnsSubdomain), rule);
  for (const std::string_view part : base::split(name, '/'))
    check_dns(field, part, "DNS name", rule);
}

void check_label_key(const Field& field, Rule rule) {
  if (!base::is_label_key(field.text()))
    field.error(
        ErrorType::Invalid,
        format("{} is not a valid label key: at most 63 letters, digits, \"-\", \"_\" and \".\", "
               "with a letter or digit at both ends, and before it a DNS name and \"/\" if wanted",
               shown(field.text())),
        rule);
}

void check_label_value(const Field& field) {
  if (!base::is_label_value(field.text()))
    field.error(ErrorType::Invalid,
                format("{} is not a valid label value: at most 63 letters, digits, \"-\", \"_\" "
                       "and \".\", with a letter or digit at both ends",
                       shown(field.text())));
}

void check_qualified_name(const Field& field, std::string_view name) {
  check_parts(field, name, Rule::Written);
}

void check_fully_qualified_name(const Field& field, Rule rule) {
  const std::string_view name = field.text();
  check_parts(field, name, rule);
  if (name.find('/') != std::string_view::npos) return;
  if (std::ranges::find(kStandardAttributes, name) != kStandardAttributes.end())
    return field.error(
        ErrorType::Invalid,
        format("{} is missing its domain: write {}/{}", shown(name), kStandardDomain, name), rule);
  field.error(ErrorType::Invalid,
              format("{} is missing its domain: write domain/name, such as gpu.example.com/{}",
                     shown(name), name.empty() ? "name" : shown(name).substr(1, name.size())),
              rule);
}

bool is_fully_qualified_name(std::string_view name) {
  const auto parts = base::split(name, '/');
  if (parts.size() < 2) return false;
  if (parts.size() > 2) return true;
  return base::is_dns_subdomain(base::lower(parts[0])) && parts[0].size() <= base::kMaxDnsLabel &&
         is_part(parts[1]);
}

void check_extended_resource_name(const Field& field, Rule rule) {
  const std::string_view name = field.text();
  const std::string in_quota = format("requests.{}", name);
  if (name.find('/') == std::string_view::npos) {
    field.error(
        ErrorType::Invalid,
        format("{} is missing its domain: write domain/name, such as example.com/gpu", shown(name)),
        rule);
  } else if (name.find("kubernetes.io/") != std::string_view::npos) {
    field.error(ErrorType::Invalid, "names below kubernetes.io are not for extended resources",
                rule);
  }
  if (name.starts_with("requests."))
    field.error(ErrorType::Invalid, "must not begin with \"requests.\": quotas put that before it",
                rule);
  if (!base::is_label_key(in_quota))
    field.error(
        ErrorType::Invalid,
        format("{} with \"requests.\" before it, as quotas name it, is not a valid label key",
               shown(name)),
        rule);
}

void check_node_name(const Field& field) {
  check_dns(field, field.text(), "DNS name", Rule::Written);
}

bool is_semantic_version(std::string_view text) {
  const std::size_t plus = text.find('+');
  const std::string_view before = text.substr(0, plus);
  const std::size_t dash = before.find('-');
  const auto numbers = base::split(before.substr(0, dash), '.');
  if (numbers.size() != 3 || !std::ranges::all_of(numbers, is_number)) return false;
  if (dash != std::string_view::npos) {
    const auto parts = base::split(before.substr(dash + 1), '.');
    const auto valid = [](std::string_view part) {
      return is_identifier(part) && (!std::ranges::all_of(part, base::is_digit) || is_number(part));
    };
    if (!std::ranges::all_of(parts, valid)) return false;
  }
  if (plus == std::string_view::npos) return true;
  return std::ranges::all_of(base::split(text.substr(plus + 1), '.'), is_identifier);
}

void check_unique(const std::vector<Field>& items, std::string_view key, Rule rule) {
  std::set<std::string_view> seen;
  for (const Field& item : items) {
    const Field name = key.empty() ? item : item.child(key);
    if (!name.present() || name.is_text()) {
      if (!seen.insert(name.text()).second)
        item.error(ErrorType::Duplicate, format("\"{}\" is there already", name.text()), rule);
    }
  }
}

bool check_size(const Field& list, std::size_t most, Rule rule) {
  if (list.size() <= most) return true;
  list.error(ErrorType::TooMany,
             format("has {} entries; at most {} are allowed", list.size(), most), rule);
  return false;
}

}  // namespace dra::checks

// src/base/names.cpp: upstream's regular expressions as loops.

#include "dra/base/names.h"

#include <algorithm>

#include "dra/base/ascii.h"
#include "dra/base/text.h"

namespace dra::base {
namespace {

bool is_dns(char c) { return (c >= 'a' && c <= 'z') || is_digit(c); }
bool is_alphanumeric(char c) { return is_letter(c) || is_digit(c); }

}  // namespace

bool has_dns_label_form(std::string_view text) {
  return !text.empty() && is_dns(text.front()) && is_dns(text.back()) &&
         std::ranges::all_of(text, [](char c) { return is_dns(c) || c == '-'; });
}

bool has_dns_subdomain_form(std::string_view text) {
  return std::ranges::all_of(split(text, '.'), has_dns_label_form);
}

bool has_label_name_form(std::string_view text) {
  return !text.empty() && is_alphanumeric(text.front()) && is_alphanumeric(text.back()) &&
         std::ranges::all_of(
             text, [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

bool is_dns_label(std::string_view text) {
  return text.size() <= kMaxDnsLabel && has_dns_label_form(text);
}

bool is_dns_subdomain(std::string_view text) {
  return text.size() <= kMaxDnsSubdomain && has_dns_subdomain_form(text);
}

bool is_label_name(std::string_view text) {
  return text.size() <= kMaxDnsLabel && has_label_name_form(text);
}

bool is_label_key(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return is_label_name(text);
  return is_dns_subdomain(text.substr(0, slash)) && is_label_name(text.substr(slash + 1));
}

bool is_label_value(std::string_view text) { return text.empty() || is_label_name(text); }

bool is_c_identifier(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_alphanumeric(c) || c == '_'; });
}

bool is_path_segment(std::string_view text) {
  return !text.empty() && text != "." && text != ".." &&
         text.find_first_of("/%") == std::string_view::npos;
}

}  // namespace dra::base

// src/session/redact.cpp: see redact.h.

#include "dra/session/redact.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <unordered_set>

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "src/session/base64.h"

namespace dra::session {
namespace {

constexpr std::string_view kMask = "<masked>";

// Headers whose values are credentials, or the user that they are used for.
constexpr std::array<std::string_view, 5> kSecretHeaders = {
    "authorization", "cookie", "proxy-authorization", "set-cookie", "www-authenticate"};
constexpr std::string_view kSecretHeaderPrefix = "impersonate-";

// Parameters of Kubernetes' API, whose values are shown. Others may be anything, as the signature
// of a link to a file.
constexpr std::array<std::string_view, 14> kPlainParameters = {"allowwatchbookmarks",
                                                               "continue",
                                                               "dryrun",
                                                               "fieldmanager",
                                                               "fieldselector",
                                                               "fieldvalidation",
                                                               "force",
                                                               "labelselector",
                                                               "limit",
                                                               "pretty",
                                                               "resourceversion",
                                                               "resourceversionmatch",
                                                               "timeout",
                                                               "timeoutseconds"};

bool holds(std::span<const std::string_view> sorted, std::string_view word) {
  return std::binary_search(sorted.begin(), sorted.end(), word);
}

// A text as a reader could restore it: escapes of URLs and JSON undone, letters in one case, and
// base64 in one alphabet. Each character knows where it comes from.
struct Plain {
  std::string text = {};
  std::vector<std::size_t> from = {};  // in the source; one more at the end
};

// The value of `count` hexadecimal digits; no value if they are others.
std::optional<unsigned> hex_value(std::string_view digits, std::size_t count) {
  unsigned value = 0;
  if (digits.size() < count) return std::nullopt;
  const char* end = digits.data() + count;
  const auto parsed = std::from_chars(digits.data(), end, value, 16);
  return parsed.ptr == end ? std::optional(value) : std::nullopt;
}

struct Character {
  char value;
  std::size_t length;  // in the source
};

Character first_character(std::string_view text) {
  const auto escaped = [&text](std::size_t prefix, std::size_t count) -> std::optional<Character> {
    const auto value = hex_value(text.substr(std::min(prefix, text.size())), count);
    if (!value || *value > 0x7f) return std::nullopt;
    return Character{static_cast<char>(*value), prefix + count};
  };
  std::optional<Character> found;
  if (text.starts_with("%25")) {  // escaped twice
    if (const auto twice = hex_value(text.substr(3), 2); twice && *twice <= 0x7f)
      found = Character{static_cast<char>(*twice), 5};
  }
  if (!found && text.starts_with('%')) found = escaped(1, 2);
  if (text.starts_with("\\u")) found = escaped(2, 4);
  if (text.starts_with("\\x")) found = escaped(2, 2);
  const bool quoted = text.size() > 1 && text.front() == '\\' &&
                      (text[1] == '/' || text[1] == '"' || text[1] == '\\');
  if (quoted) found = Character{text[1], 2};
  return found.value_or(Character{text.front(), 1});
}

char folded(char c) {
  if (c == '-') return '+';
  if (c == '_') return '/';
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

Plain plain(std::string_view source) {
  Plain result;
  for (std::size_t at = 0; at < source.size();) {
    const Character next = first_character(source.substr(at));
    result.text += folded(next.value);
    result.from.push_back(at);
    at += next.length;
  }
  result.from.push_back(source.size());
  return result;
}

// Shorter secrets are found as a whole only: their parts are in any text.
constexpr std::size_t kLeastCut = 12;
constexpr std::size_t kLeastPart = 6;
constexpr std::size_t kMostPart = 12;

// So many characters of a secret in a row are masked.
std::size_t part_of(std::string_view secret) {
  if (secret.size() < kLeastCut) return secret.size();
  return std::clamp(secret.size() / 2, kLeastPart, kMostPart);
}

// Marks where a text has a part of the secret; both are plain.
void mark(std::string_view text, std::string_view secret, std::vector<bool>& hidden) {
  const std::size_t part = part_of(secret);
  if (text.size() < part) return;
  std::unordered_set<std::string_view> parts;
  for (std::size_t at = 0; at + part <= secret.size(); ++at)
    parts.insert(secret.substr(at, part));
  for (std::size_t at = 0; at + part <= text.size(); ++at) {
    if (parts.contains(text.substr(at, part)))
      std::fill_n(hidden.begin() + static_cast<std::ptrdiff_t>(at), part, true);
  }
}

// The secret in base64, for each of the three places that it may have in what was encoded. The
// characters that depend on its neighbours are left out.
std::vector<std::string> in_base64(std::string_view secret) {
  std::vector<std::string> forms;
  for (std::size_t shift = 0; shift < 3; ++shift) {
    const std::string encoded = encode_base64(std::string(shift, 'x') + std::string(secret));
    const std::size_t begin = shift == 0 ? 0 : shift + 1;
    const std::size_t whole = (shift + secret.size()) * 8 / 6;  // characters without neighbours
    if (whole > begin) forms.push_back(encoded.substr(begin, whole - begin));
  }
  return forms;
}

}  // namespace

std::string shown_header(std::string_view name, std::string_view value) {
  const std::string lower_name = base::lower(name);
  if (!holds(kSecretHeaders, lower_name) && !lower_name.starts_with(kSecretHeaderPrefix)) {
    return base::printable(value);
  }
  // The scheme says which kind of credentials is in use, as client-go's log does. Text without a
  // space may itself be the secret.
  const std::size_t space = value.find(' ');
  const bool has_scheme = lower_name.ends_with("authorization") && space != std::string_view::npos;
  std::string shown = has_scheme ? base::printable(value.substr(0, space + 1)) : std::string();
  shown += kMask;
  return shown;
}

std::string shown_url(std::string_view url) {
  std::string shown;
  const std::size_t scheme = url.find("://");
  if (scheme != std::string_view::npos) {
    shown += url.substr(0, scheme + 3);
    url.remove_prefix(scheme + 3);
    const std::string_view authority = url.substr(0, url.find_first_of("/?#"));
    const std::size_t at = authority.rfind('@');
    if (at != std::string_view::npos) url.remove_prefix(at + 1);
  }
  const std::size_t query = url.find('?');
  shown += url.substr(0, query);
  if (query == std::string_view::npos) return base::printable(shown);
  char separator = '?';
  for (const std::string_view parameter : base::split(url.substr(query + 1), '&')) {
    const std::size_t equals = parameter.find('=');
    shown += separator;
    separator = '&';
    if (equals != std::string_view::npos &&
        !holds(kPlainParameters, base::lower(parameter.substr(0, equals)))) {
      shown += parameter.substr(0, equals + 1);
      shown += kMask;
    } else {
      shown += parameter;
    }
  }
  return base::printable(shown);
}

std::string without_query(std::string_view url) {
  const std::size_t query = url.find_first_of("?#");
  std::string shown = shown_url(url.substr(0, query));
  if (query != std::string_view::npos && url[query] == '?') shown.append("?").append(kMask);
  return shown;
}

void Secrets::add(std::string_view secret) {
  if (secret.empty() || std::ranges::find(added_, secret) != added_.end()) return;
  added_.emplace_back(secret);
  const auto keep = [this](std::string_view form) { forms_.push_back(plain(form).text); };
  keep(secret);
  // Short texts look like parts of anything in base64.
  if (secret.size() >= kLeastPart) std::ranges::for_each(in_base64(secret), keep);
}

std::string Secrets::masked(std::string text) const {
  if (forms_.empty()) return text;
  const Plain readable = plain(text);
  std::vector<bool> hidden(readable.text.size());
  for (const std::string& form : forms_)
    mark(readable.text, form, hidden);
  if (std::ranges::find(hidden, true) == hidden.end()) return text;
  std::string shown;
  for (std::size_t at = 0; at < hidden.size(); ++at) {
    const std::size_t begin = readable.from[at];
    if (!hidden[at]) shown.append(text, begin, readable.from[at + 1] - begin);
    if (hidden[at] && (at == 0 || !hidden[at - 1])) shown += kMask;
  }
  return shown;
}

}  // namespace dra::session

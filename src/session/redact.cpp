// src/session/redact.cpp: see redact.h.

#include "dra/session/redact.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>

#include "dra/base/printable.h"
#include "dra/base/text.h"

namespace dra::session {
namespace {

constexpr std::string_view kMask = "<masked>";

// Headers whose values are credentials, or the user that they are used for.
constexpr std::array<std::string_view, 5> kSecretHeaders = {
    "authorization", "cookie", "proxy-authorization", "set-cookie", "www-authenticate"};
constexpr std::string_view kSecretHeaderPrefix = "impersonate-";

constexpr std::array<std::string_view, 6> kSecretParameters = {
    "access_token", "client_secret", "id_token", "password", "refresh_token", "token"};

bool holds(std::span<const std::string_view> sorted, std::string_view word) {
  return std::binary_search(sorted.begin(), sorted.end(), word);
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
        holds(kSecretParameters, base::lower(parameter.substr(0, equals)))) {
      shown += parameter.substr(0, equals + 1);
      shown += kMask;
    } else {
      shown += parameter;
    }
  }
  return base::printable(shown);
}

void Secrets::add(std::string_view secret) {
  if (secret.empty() || std::ranges::find(secrets_, secret) != secrets_.end()) return;
  secrets_.emplace_back(secret);
  // A secret that contains another one goes first, or its rest would stay.
  std::ranges::stable_sort(secrets_, std::ranges::greater(), &std::string::size);
}

std::string Secrets::masked(std::string text) const {
  for (const std::string& secret : secrets_) {
    std::size_t at = 0;
    while ((at = text.find(secret, at)) != std::string::npos) {
      text.replace(at, secret.size(), kMask);
      at += kMask.size();
    }
  }
  return text;
}

}  // namespace dra::session

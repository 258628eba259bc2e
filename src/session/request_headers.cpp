// src/session/request_headers.cpp: see request_headers.h.

#include "src/session/request_headers.h"

#include <algorithm>
#include <string_view>

#include "dra/base/ascii.h"
#include "dra/base/text.h"

namespace dra::session {
namespace {

// A character of a header's name, by RFC 7230. The percent sign is left out: it begins our escapes.
bool is_name_character(char c) {
  constexpr std::string_view others = "!#$&'*+-.^_`|~";
  const bool alphanumeric = base::is_letter_or_digit(c);
  return alphanumeric || others.find(c) != std::string_view::npos;
}

// Names of headers have no case: the server makes keys lower case, and undoes the escapes.
std::string escaped_key(std::string_view key) {
  std::string escaped;
  for (const char c : base::lower(key)) {
    if (is_name_character(c)) {
      escaped += c;
    } else {
      escaped += base::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return escaped;
}

// A value that Go's net/http accepts (httpguts.ValidHeaderFieldValue): no control characters but
// tabs.
bool is_value(std::string_view value) {
  return std::ranges::none_of(value, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < ' ' && byte != '\t') || byte == 0x7f;
  });
}

Result<Done> add(std::vector<std::string>& headers, const std::string& name,
                 const std::string& value) {
  if (!is_value(value)) {
    return Error{ErrorKind::BadInput,
                 base::format("the value for the header {} holds control characters", name),
                 "it comes from the kubeconfig, a flag or a credential plugin"};
  }
  // libcurl sends an empty value only if the name ends in a semicolon.
  headers.push_back(value.empty() ? name + ";" : base::format("{}: {}", name, value));
  return Done{};
}

Result<Done> add_impersonation(std::vector<std::string>& headers, const Impersonation& as) {
  if (as.empty()) return Done{};
  DRA_TRY(add(headers, "Impersonate-User", as.user));
  if (!as.uid.empty()) DRA_TRY(add(headers, "Impersonate-Uid", as.uid));
  for (const std::string& group : as.groups)
    DRA_TRY(add(headers, "Impersonate-Group", group));
  for (const auto& [key, value] : as.extra)
    DRA_TRY(add(headers, "Impersonate-Extra-" + escaped_key(key), value));
  return Done{};
}

}  // namespace

Result<std::vector<std::string>> request_headers(const Connection& connection,
                                                 const Credentials& credentials,
                                                 std::string_view accept) {
  std::vector<std::string> headers = {base::format("Accept: {}", accept)};
  // Over plain http anyone on the way could read them.
  if (connection.server.tls && !credentials.token.empty()) {
    DRA_TRY(add(headers, "Authorization", "Bearer " + credentials.token));
  }
  DRA_TRY(add_impersonation(headers, connection.impersonate));
  if (connection.server.tls && !connection.tls_server_name.empty()) {
    // The URL has the name of the certificate (transfer.cpp); the server sees its own.
    headers.push_back("Host: " + connection.server.host_and_port());
  }
  return headers;
}

}  // namespace dra::session

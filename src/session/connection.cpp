// src/session/connection.cpp: parses and prints the addresses of servers.

#include "dra/session/connection.h"

#include "dra/base/printable.h"
#include "dra/base/text.h"
#include "dra/session/redact.h"
#include "src/session/authority.h"

namespace dra::session {
namespace {

Error bad_address(std::string_view text, const std::string& problem) {
  return {ErrorKind::BadInput,
          base::format("the server address {} cannot be used: {}", shown_url(text), problem),
          "an address looks like https://host:6443"};
}

bool is_path(std::string_view path) {
  for (const char c : path) {
    if (static_cast<unsigned char>(c) <= ' ' || static_cast<unsigned char>(c) >= 0x7f) return false;
  }
  return true;
}

}  // namespace

std::string ServerAddress::host_and_port() const {
  const bool v6 = host.find(':') != std::string::npos;
  return base::format(v6 ? "[{}]:{}" : "{}:{}", host, port);
}

std::string ServerAddress::url() const {
  return (tls ? "https://" : "http://") + host_and_port() + prefix;
}

Result<ServerAddress> parse_server(std::string_view text, bool default_tls) {
  ServerAddress address;
  std::string_view rest = text;
  const std::size_t scheme_end = rest.find("://");
  const bool has_scheme = scheme_end != std::string_view::npos;
  address.tls = default_tls;
  if (has_scheme) {
    const std::string scheme = base::lower(rest.substr(0, scheme_end));
    if (scheme != "http" && scheme != "https") {
      return bad_address(text, "it must begin with https:// or http://");
    }
    address.tls = scheme == "https";
    rest.remove_prefix(scheme_end + 3);
  }
  rest = rest.substr(0, rest.find_first_of("?#"));
  const std::string_view authority = rest.substr(0, rest.find('/'));
  if (authority.find('@') != std::string_view::npos) {
    return bad_address("https://...", "it holds a user name or a password");
  }
  std::string_view path = rest.substr(authority.size());
  while (path.ends_with('/'))
    path.remove_suffix(1);
  if (!has_scheme && !path.empty()) {
    return bad_address(text, "it must be a URL, or a host and a port");
  }
  if (!is_path(path)) return bad_address(text, "its path holds characters that a URL cannot have");
  const HostPort split = split_authority(authority);
  if (!is_host(split.host)) return bad_address(text, "it names no host");
  address.port = address.tls ? 443 : 80;
  if (!split.port.empty()) {
    const auto port = parse_port(split.port);
    if (!port) return bad_address(text, "its port must be a number from 1 to 65535");
    address.port = *port;
  }
  address.host = split.host;
  address.prefix = path;
  return address;
}

bool is_host(std::string_view text) {
  return !text.empty() && text.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "-._~:%") == std::string_view::npos;
}

bool is_loopback(std::string_view host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

}  // namespace dra::session

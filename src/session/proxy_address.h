// src/session/proxy_address.h: the parts of a proxy's URL.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dra::session {

struct ProxyAddress {
  std::string scheme;  // lower case
  std::string host;    // IPv6 without brackets
  std::uint16_t port = 0;
  std::string user = {};      // not escaped
  std::string password = {};  // not escaped

  bool is_socks() const { return scheme.starts_with("socks5"); }
  std::string shown() const;  // without user and password
  std::string url() const;    // with both, escaped
};

// `scheme://[user[:password]@]host[:port]` with any scheme; a path, a query and a fragment are
// dropped. Without a port it is the scheme's. No value: the text is something else.
std::optional<ProxyAddress> parse_proxy(std::string_view text);

}  // namespace dra::session

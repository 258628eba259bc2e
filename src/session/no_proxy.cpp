// src/session/no_proxy.cpp: golang.org/x/net/http/httpproxy's matchers: addresses, networks, names.

#include "src/session/no_proxy.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "dra/base/text.h"
#include "src/session/authority.h"

namespace dra::session {
namespace {

// An IPv4 address is kept as the IPv6 address ::ffff:a.b.c.d, as Go's net.IP.
using Ip = std::array<unsigned char, 16>;
constexpr std::size_t kMappedBytes = 12;

bool is_v4(const Ip& ip) {
  static constexpr std::array<unsigned char, kMappedBytes> mapped = {0, 0, 0, 0, 0,    0,
                                                                     0, 0, 0, 0, 0xff, 0xff};
  return std::equal(mapped.begin(), mapped.end(), ip.begin());
}

std::optional<Ip> parse_ip(std::string_view text) {
  Ip ip{};
  const std::string terminated(text);
  if (::inet_pton(AF_INET6, terminated.c_str(), ip.data()) == 1) return ip;
  ip[kMappedBytes - 1] = ip[kMappedBytes - 2] = 0xff;
  if (::inet_pton(AF_INET, terminated.c_str(), ip.data() + kMappedBytes) == 1) return ip;
  return std::nullopt;
}

bool is_loopback_ip(const Ip& ip) {
  if (is_v4(ip)) return ip[kMappedBytes] == 127;
  return ip.back() == 1 &&
         std::all_of(ip.begin(), ip.end() - 1, [](unsigned char byte) { return byte == 0; });
}

struct Network {
  Ip ip;
  unsigned bits;  // of the 128

  bool contains(const Ip& other) const {
    if (is_v4(ip) != is_v4(other)) return false;
    for (unsigned bit = 0; bit < bits; ++bit) {
      const unsigned mask = 0x80U >> (bit % 8);
      if (((ip[bit / 8] ^ other[bit / 8]) & mask) != 0) return false;
    }
    return true;
  }
};

std::optional<Network> parse_network(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view address = text.substr(0, slash);
  const std::optional<Ip> ip = parse_ip(address);
  const std::string_view length = text.substr(slash + 1);
  unsigned bits = 0;
  const char* end = length.data() + length.size();
  const auto parsed = std::from_chars(length.data(), end, bits);
  if (!ip || parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  const bool v6 = address.find(':') != std::string_view::npos;
  if (bits > (v6 ? 128U : 32U)) return std::nullopt;
  return Network{*ip, v6 ? bits : bits + 8 * static_cast<unsigned>(kMappedBytes)};
}

// Go's net.SplitHostPort; where that fails, all of it is the host.
HostPort split_port(std::string_view entry) {
  if (entry.starts_with('[')) {
    const std::size_t end = entry.find("]:");
    const bool brackets = end != std::string_view::npos &&
                          entry.find_first_of("[]:", end + 2) == std::string_view::npos;
    if (!brackets) return {entry, {}};
    return {entry.substr(1, end - 1), entry.substr(end + 2)};
  }
  const std::size_t colon = entry.find(':');
  if (colon == std::string_view::npos || entry.find(':', colon + 1) != std::string_view::npos) {
    return {entry, {}};
  }
  return {entry.substr(0, colon), entry.substr(colon + 1)};
}

bool matches_name(std::string_view host, std::string_view pattern) {
  if (pattern.starts_with("*.")) pattern.remove_prefix(1);
  if (pattern.starts_with('.')) return host.ends_with(pattern);
  return host == pattern || host.ends_with("." + std::string(pattern));
}

}  // namespace

bool bypasses_proxy(const ServerAddress& server, std::string_view list) {
  if (server.host == "localhost") return true;
  const bool v6 = server.host.find(':') != std::string::npos;
  const std::optional<Ip> ip = parse_ip(
      std::string_view(server.host).substr(0, v6 ? server.host.find('%') : server.host.npos));
  if (ip && is_loopback_ip(*ip)) return true;
  const std::string host = base::lower(server.host);
  const std::string port = base::format("{}", server.port);
  const std::string entries = base::lower(list);
  for (std::string_view entry : base::split(entries, ',')) {
    entry = base::trim(entry);
    if (entry == "*") return true;
    if (const auto network = parse_network(entry)) {
      if (ip && network->contains(*ip)) return true;
      continue;
    }
    const HostPort pattern = split_port(entry);
    if (pattern.host.empty() || (!pattern.port.empty() && pattern.port != port)) continue;
    // Names are never compared with addresses, not even by their last characters.
    const std::optional<Ip> listed = parse_ip(pattern.host);
    const bool same = listed ? ip == listed : !ip && matches_name(host, pattern.host);
    if (same) return true;
  }
  return false;
}

}  // namespace dra::session

// include/dra/cel/values/ip_address.h
//
// IPv4 and IPv6 addresses. Upstream: net/netip of Go 1.26.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dra::cel {

struct Address {
  std::array<std::uint8_t, 16> bytes{};  // IPv4 uses the first four
  bool is_v4 = false;
  bool has_zone = false;  // "fe80::1%eth0"; the zone itself is dropped

  int bits() const { return is_v4 ? 32 : 128; }
  // "::ffff:1.2.3.4"
  bool is_mapped() const;
  std::uint16_t group(std::size_t at) const;  // one of the eight groups of an IPv6 address
  // The canonical form, without zone.
  std::string to_string() const;

  friend bool operator==(const Address&, const Address&) = default;
};

// ParseAddr. If it fails, `problem` is upstream's message: `ParseAddr("1.2"): IPv4 address too
// short`.
std::optional<Address> parse_address(std::string_view text, std::string& problem);

// True if both are of one family and have the same first bits.
bool same_prefix(const Address& a, const Address& b, int bits);

// The address with all but the first bits zero.
Address masked(Address address, int bits);

}  // namespace dra::cel

// src/session/authority.h: `host:port` in URLs.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dra::session {

struct HostPort {
  std::string_view host;  // IPv6 without brackets; empty if the text is no authority
  std::string_view port;  // empty if not given
};

HostPort split_authority(std::string_view authority);

// 1 to 65535, in digits.
std::optional<std::uint16_t> parse_port(std::string_view text);

}  // namespace dra::session
